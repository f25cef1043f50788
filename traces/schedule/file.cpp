// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

namespace gicsim::schedule {

File::File(std::string name) : name_(std::move(name)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(name_, ignored)) throw ConfigError(Location{name_}, "a directory; give a file");
  in_.rdbuf()->pubsetbuf(nullptr, 0);  // cursors have buffers
  in_.open(name_, std::ios::binary);
  if (!in_) throw ConfigError(Location{name_}, std::string("can't be read: ") + std::strerror(errno));
  in_.seekg(0, std::ios::end);
  const auto size = in_.tellg();
  if (!in_ || size < 0) throw ConfigError(Location{name_}, "has no end to be found; give a file, not a pipe");
  size_ = static_cast<std::uint64_t>(size);
  if (size_ == 0) throw ConfigError(Location{name_}, "is empty");
}

std::size_t File::read(std::uint64_t at, char* to, std::size_t n) {
  in_.clear();
  in_.seekg(static_cast<std::streamoff>(at));
  in_.read(to, static_cast<std::streamsize>(n));
  if (in_.bad()) throw ConfigError(Location{name_}, fmt::format("byte {}: can't be read", at));
  const auto got = static_cast<std::size_t>(in_.gcount());
  read_ += got;
  return got;
}

int line_of(std::uint64_t place) {
  return static_cast<int>(std::min<std::uint64_t>(place, std::numeric_limits<int>::max()));
}

Lines::Lines(std::string file, std::size_t longest) : file_(std::move(file)), longest_(longest) {}

void Lines::fail(const std::string& what, int column) const {
  throw ConfigError(Location{file_.name(), line_of(number_), column}, what);
}

bool Lines::next(std::string& line) {
  line.clear();
  for (bool any = false;;) {
    if (used_ == buffer_.size()) {
      buffer_.resize(1 << 16);
      buffer_.resize(file_.read(at_, buffer_.data(), buffer_.size()));
      at_ += buffer_.size();
      used_ = 0;
      if (buffer_.empty()) return any;
    }
    if (!any) ++number_;
    any = true;
    const char* const begin = buffer_.data() + used_;
    const char* const end = std::find(begin, static_cast<const char*>(buffer_.data() + buffer_.size()), '\n');
    if (line.size() + static_cast<std::size_t>(end - begin) > longest_)
      fail(fmt::format("a line of more than {} characters", longest_));
    line.append(begin, end);
    used_ += static_cast<std::size_t>(end - begin);
    if (used_ == buffer_.size()) continue;
    ++used_;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return true;
  }
}

void Lines::rewind() {
  used_ = 0;
  buffer_.clear();
  at_ = number_ = 0;
  file_.forget_read();
}

}  // namespace gicsim::schedule
