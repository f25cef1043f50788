// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/input.h"

#include <algorithm>

namespace gicsim::imports::detail {
namespace {

constexpr std::size_t piece = std::size_t{64} << 10;
constexpr std::size_t head_bytes = std::size_t{1} << 20;  // NCCL's log may stand above its table
constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr std::size_t longest_value = std::size_t{64} << 20;

}  // namespace

void Input::fail(const std::string& what) const { throw ConfigError(Location{file_, number_ + 1, 1}, what); }

bool Input::refill() {
  const std::size_t before = buffer_.size();
  buffer_.resize(before + piece);
  in_.read(buffer_.data() + before, static_cast<std::streamsize>(piece));
  buffer_.resize(before + static_cast<std::size_t>(in_.gcount()));
  if (in_.bad()) fail("can't be read further");
  if (buffer_.find('\0', before) != buffer_.npos) fail("not a text; give what the tool printed");
  return buffer_.size() > before;
}

std::string_view Input::head() {
  while (buffer_.size() < head_bytes && refill()) {
  }
  return std::string_view(buffer_).substr(0, head_bytes);
}

bool Input::next() {
  std::size_t end = buffer_.find('\n', at_);
  if (end == buffer_.npos) {
    buffer_.erase(0, at_);
    at_ = 0;
    do {
      if (buffer_.size() > longest_line) fail("a line longer than 1 MiB; give what the tool printed");
      const std::size_t seen = buffer_.size();
      if (!refill()) break;
      end = buffer_.find('\n', seen);
    } while (end == buffer_.npos);
    if (end == buffer_.npos) end = buffer_.size();
  }
  if (at_ >= buffer_.size()) return false;
  line_ = std::string_view(buffer_).substr(at_, end - at_);
  line_ = line_.substr(0, line_.find_last_not_of(" \t\r") + 1);
  at_ = std::min(end + 1, buffer_.size());
  ++number_;
  return true;
}

std::string Input::rest() {
  while (buffer_.size() <= longest_value && refill()) {
  }
  if (buffer_.size() > longest_value) fail("larger than 64 MiB; split it");
  return buffer_.substr(at_);
}

}  // namespace gicsim::imports::detail
