// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/detail/pending_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "models/base/errors.h"

namespace gicsim::report::detail {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const char* doing) {
  const int error = errno;
  throw HardwareError(file.string() + ": cannot " + doing + ": " + std::strerror(error));
}

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& file, int flags)
      : number_(::open(file.c_str(), flags | O_CLOEXEC, 0666)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(file, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

PendingFile::PendingFile(std::filesystem::path target, std::string_view content)
    : target_(std::move(target)) {
  const std::filesystem::path temporary =
      target_.parent_path() /
      ("." + target_.filename().string() + "." + std::to_string(::getpid()) + ".tmp");
  const Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  if (file.number() < 0) fail(target_, "write");
  if (!write_all(file.number(), content) || ::fsync(file.number()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    errno = error;
    fail(target_, "write");
  }
  temporary_ = temporary;
}

PendingFile::~PendingFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void PendingFile::publish() {
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(target_, "replace");
  temporary_.clear();
}

void flush_folder(const std::filesystem::path& folder) {
  const Descriptor descriptor(folder, O_RDONLY | O_DIRECTORY);
  if (descriptor.number() < 0) fail(folder, "open");
  if (::fsync(descriptor.number()) != 0 && errno != EINVAL) fail(folder, "flush");
}

SignalsHeld::SignalsHeld() {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

SignalsHeld::~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace gicsim::report::detail
