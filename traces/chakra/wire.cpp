// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/chakra/wire.h"

#include <fmt/format.h>

namespace gicsim::chakra {

bool Fields::fail(std::string what) {
  why_ = fmt::format("byte {}: {}", at_ + next_, what);
  return false;
}

bool Fields::varint(std::uint64_t& v) {
  v = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (next_ == message_.size()) return fail("a number that goes on behind its message");
    const auto c = static_cast<unsigned char>(message_[next_++]);
    v |= shift < 64 ? std::uint64_t{c & 0x7fu} << shift : 0;
    if (c < 0x80) return true;
  }
  return fail("a number of more than ten bytes");
}

bool Fields::fixed(std::size_t n) {
  if (message_.size() - next_ < n) return fail("a number that goes on behind its message");
  value = 0;
  for (std::size_t i = 0; i < n; ++i) value |= std::uint64_t{static_cast<unsigned char>(message_[next_ + i])} << 8 * i;
  next_ += n;
  return true;
}

bool Fields::next() {
  if (broken() || next_ == message_.size()) return false;
  std::uint64_t tag = 0;
  const std::size_t begin = next_;
  if (!varint(tag)) return false;
  number = static_cast<std::uint32_t>(tag >> 3);
  kind = static_cast<Kind>(tag & 7);
  from_ = next_;
  switch (number == 0 || tag >> 32 != 0 ? -1 : static_cast<int>(tag & 7)) {
    case 0:
      return varint(value);
    case 1:
      return fixed(8);
    case 5:
      return fixed(4);
    case 2: {
      std::uint64_t length = 0;
      if (!varint(length)) return false;
      from_ = next_;
      if (length > message_.size() - next_)
        return fail(fmt::format("a field of {} B in a message with {} B left", length, message_.size() - next_));
      octets = message_.substr(next_, length);
      next_ += length;
      return true;
    }
    default:
      next_ = begin;
      return fail(fmt::format("{} begins no field", tag));
  }
}

bool read_message(stream::Input& in, std::string& message, std::uint64_t& at) {
  const std::uint64_t begin = in.position();
  if (in.peek() == stream::Input::end) return false;
  std::uint64_t length = 0;
  for (unsigned shift = 0;; shift += 7) {
    const int c = in.get();
    if (c == stream::Input::end) in.cut_off("a message's length");
    if (shift < 35) length |= std::uint64_t{static_cast<unsigned>(c) & 0x7fu} << shift;
    if (c < 0x80) break;
    if (shift >= 28) in.fail(begin, "a message's length of more than five bytes");
  }
  if (length > largest_message)
    in.fail(begin, fmt::format("a message of {} B; {} B are the most", length, largest_message));
  at = in.position();
  message.clear();
  while (message.size() < length) {
    const int c = in.get();
    if (c == stream::Input::end) in.cut_off(fmt::format("a message of {} B that begins at byte {}", length, at));
    message += static_cast<char>(c);
  }
  return true;
}

}  // namespace gicsim::chakra
