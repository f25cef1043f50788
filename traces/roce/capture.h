// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "traces/roce/octets.h"

namespace gicsim::roce {

/// Which way a frame went through its interface, if the capture says so.
enum class Direction : std::uint8_t { unknown, in, out };

/// One frame of a capture.
struct Frame {
  std::uint64_t number = 0;  ///< in its file, from 1
  std::uint64_t at = 0;      ///< octet of the file at which its record begins
  std::int64_t ns = 0;       ///< when it was captured, since 1970
  std::uint32_t link = 1;    ///< LINKTYPE
  std::uint32_t length = 0;  ///< on the wire
  std::uint32_t place = 0;   ///< which of the capture's places
  Direction direction = Direction::unknown;
  Octets octets;             ///< what was kept of it; valid until the next one is read
};

/// A capture file, frame by frame, in memory no larger than its largest frame: pcap with stamps in us or ns, of either
/// byte order, and pcapng with any number of sections and interfaces.
/// Source: draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng
class Capture {
 public:
  /// @throws ConfigError when it is neither
  Capture(std::istream& in, std::string file);
  /// @return false at the end of the file
  /// @throws ConfigError, with the octet, for what is cut off or can't be
  bool next(Frame& frame);

  const std::string& file() const { return file_; }
  const std::string& format() const { return format_; }
  std::uint32_t snaplen() const { return snaplen_; }  ///< the smallest that was declared; 0: none
  std::uint64_t frames() const { return frames_; }
  /// Where it was captured: interfaces by name, so far; one without a name in a pcap file.
  const std::vector<std::string>& places() const { return places_; }

 private:
  struct Interface {
    std::uint32_t link = 1, snaplen = 0, place = 0;
    bool binary = false;       ///< stamps count 2^-digits s, else 10^-digits s
    std::uint8_t digits = 6;
    std::int64_t offset = 0;   ///< s to add
  };

  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const;
  bool read(std::size_t n, const char* inside);
  void skip(std::uint64_t n, const char* inside);
  std::uint32_t word(std::size_t at, std::size_t n = 4) const;
  void declare(std::uint32_t snaplen);
  void begin_pcap(std::uint32_t magic);
  bool next_pcap(Frame& frame);
  bool next_block(Frame& frame);
  void begin_section(std::uint64_t at);
  void add_interface(std::uint64_t at);
  bool take_packet(std::uint32_t type, std::uint64_t at, Frame& frame);
  void set(Frame& frame, std::uint64_t at, std::uint32_t kept, std::uint32_t length, std::size_t data);
  std::uint32_t place(const std::string& name);
  Direction direction(std::size_t options, std::uint64_t at) const;
  std::int64_t stamp(const Interface& interface, std::uint64_t ticks, std::uint64_t at) const;

  std::istream& in_;
  std::string file_, format_;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t position_ = 0, frames_ = 0;
  std::uint32_t snaplen_ = 0;
  bool blocks_ = false;           ///< pcapng
  bool little_ = true;            ///< byte order
  std::vector<Interface> interfaces_;
  std::vector<std::string> places_;
};

}  // namespace gicsim::roce
