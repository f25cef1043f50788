// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "traces/stream/input.h"

/// Chakra execution traces.
namespace gicsim::chakra {

/// The fields of one protocol buffers message, in the order in which they were written. The wire format carries kinds
/// and numbers, so that fields which nobody asks for are skipped and those of older schemas still read.
/// Source: protobuf.dev, "Encoding"
class Fields {
 public:
  enum class Kind : std::uint8_t { varint = 0, fixed64 = 1, octets = 2, fixed32 = 5 };

  /// @param at    octet of the file at which the message begins
  Fields(std::string_view message, std::uint64_t at) : message_(message), at_(at) {}
  /// @return false: that was all, or what comes can't be
  bool next();
  bool broken() const { return !why_.empty(); }
  const std::string& why() const { return why_; }  ///< with the octet

  std::uint32_t number = 0;
  Kind kind = Kind::varint;
  std::uint64_t value = 0;                             ///< of numbers
  std::string_view octets;                             ///< of texts, messages and packed lists
  std::uint64_t place() const { return at_ + from_; }  ///< octet at which the value begins

 private:
  bool varint(std::uint64_t& v);
  bool fixed(std::size_t n);
  bool fail(std::string what);

  std::string_view message_;
  std::uint64_t at_;
  std::size_t next_ = 0, from_ = 0;
  std::string why_;
};

/// Zigzag, as sint32 and sint64 are written.
constexpr std::int64_t zigzag(std::uint64_t v) {
  return static_cast<std::int64_t>(v >> 1) ^ -static_cast<std::int64_t>(v & 1);
}

/// The next of a file's messages, each behind its length. What is held grows with what is there, not with what a length
/// claims.
/// @return false at the end of the file
/// @throws ConfigError, with the octet
bool read_message(stream::Input& in, std::string& message, std::uint64_t& at);
inline constexpr std::uint64_t largest_message = std::uint64_t{64} << 20;

}  // namespace gicsim::chakra
