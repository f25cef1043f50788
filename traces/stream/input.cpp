// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/stream/input.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>

#include "models/base/errors.h"

namespace gicsim::stream {

struct Input::Zipped {
  gzFile file = nullptr;
  std::uintmax_t size = 0;  ///< as it lies on the disk
  ~Zipped() {
    if (file) gzclose(file);
  }
};

Input::Input(std::string file) : file_(std::move(file)), zipped_(std::make_unique<Zipped>()) {
  std::error_code error;
  if (std::filesystem::is_directory(file_, error)) throw ConfigError(Location{file_}, "is a folder");
  zipped_->file = gzopen(file_.c_str(), "rb");
  if (!zipped_->file) throw ConfigError(Location{file_}, "can't be opened");
  gzbuffer(zipped_->file, most);
  zipped_->size = std::filesystem::file_size(file_, error);
  if (error) zipped_->size = 0;
}

Input::~Input() = default;

/// More octets behind those that are left. @return false: there are none
bool Input::fill() {
  before_ += at_;
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + most);
  const int got = gzread(zipped_->file, buffer_.data() + kept, most);
  buffer_.resize(kept + static_cast<std::size_t>(std::max(got, 0)));
  int code = Z_OK;
  const char* why = gzerror(zipped_->file, &code);
  if (code == Z_BUF_ERROR) cut_off("what is gzipped");
  if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
    fail(before_ + buffer_.size(), fmt::format("can't be unpacked, or read: {}", why));
  return got > 0;
}

std::string Input::head(std::size_t n) {
  while (buffer_.size() - at_ < n && fill()) {
  }
  const std::size_t there = std::min(n, buffer_.size() - at_);
  return std::string(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
                     buffer_.begin() + static_cast<std::ptrdiff_t>(at_ + there));
}

std::size_t Input::read(char* to, std::size_t n) {
  if (peek() == end) return 0;
  const std::size_t there = std::min(n, buffer_.size() - at_);
  std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(at_), there, to);
  at_ += there;
  return there;
}

double Input::progress() const {
  if (zipped_->size == 0) return 1;
  return std::min(1.0, static_cast<double>(gzoffset(zipped_->file)) / static_cast<double>(zipped_->size));
}

void Input::rewind() {
  gzrewind(zipped_->file);
  buffer_.clear();
  at_ = 0;
  before_ = 0;
}

void Input::fail(std::uint64_t at, const std::string& what) const {
  throw ConfigError(Location{file_}, fmt::format("byte {}: {}", at, what));
}

void Input::cut_off(const std::string& inside) const {
  fail(before_ + buffer_.size(), "the file ends inside " + inside + "; it was cut off");
}

}  // namespace gicsim::stream
