// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "models/base/errors.h"

namespace gicsim::roce {
namespace {

constexpr std::uint32_t micro = 0xa1b2c3d4, nano = 0xa1b23c4d, section = 0x0a0d0d0a;
constexpr std::uint32_t largest = 262'144;  ///< frame that tcpdump and Wireshark keep

/// What captures come in, too, by their first octets; gzip is unpacked before they are looked at.
struct Other {
  std::uint32_t first, mask;
  std::string_view what;
};
constexpr std::array others = {
    Other{0x1f8b0000, 0xffff'0000, "compressed; gunzip it first"},
    Other{0x28b52ffd, ~0u, "compressed by zstd; unpack it first (zstd -d)"},
    Other{0xfd377a58, ~0u, "compressed by xz; unpack it first (unxz)"},
    Other{0x425a6800, 0xffff'ff00, "compressed by bzip2; unpack it first (bunzip2)"},
    Other{0x04224d18, ~0u, "compressed by lz4; unpack it first (unlz4)"},
    Other{0x504b0304, ~0u, "a zip archive; unpack it first"},
    Other{0x736e6f6f, ~0u, "a capture of snoop's format; `editcap -F pcap` makes pcap of it"},
    Other{0x34cdb2a1, ~0u, "pcap as modified by Kuznetzov; `editcap -F pcap` makes pcap of it"},
    Other{0xa1b2cd34, ~0u, "pcap as modified by Kuznetzov; `editcap -F pcap` makes pcap of it"},
};

constexpr std::uint32_t swapped(std::uint32_t v) { return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24; }

}  // namespace

void Capture::fail(std::uint64_t at, const std::string& what) const {
  throw ConfigError(Location{file_}, fmt::format("byte {}: {}", at, what));
}

/// @return false when the file ends here, before the first of them
bool Capture::read(std::size_t n, const char* inside) {
  buffer_.resize(n);
  in_.read(reinterpret_cast<char*>(buffer_.data()), static_cast<std::streamsize>(n));
  const auto got = static_cast<std::size_t>(in_.gcount());
  if (got == n) {
    position_ += n;
    return true;
  }
  if (in_.bad()) fail(position_ + got, "can't be read");
  if (got == 0 && !inside) return false;
  fail(position_ + got, fmt::format("the file ends inside {}; it was cut off", inside ? inside : "a record's header"));
}

void Capture::skip(std::uint64_t n, const char* inside) {
  for (; n > largest; n -= largest) read(largest, inside);
  if (n > 0) read(n, inside);
}

std::uint32_t Capture::word(std::size_t at, std::size_t n) const {
  return static_cast<std::uint32_t>(little_ ? little(buffer_, at, n) : big(buffer_, at, n));
}

void Capture::declare(std::uint32_t snaplen) {
  if (snaplen > 0 && (snaplen_ == 0 || snaplen < snaplen_)) snaplen_ = snaplen;
}

Capture::Capture(std::istream& in, std::string file) : in_(in), file_(std::move(file)) {
  if (!read(4, nullptr)) throw ConfigError(Location{file_}, "is empty");
  const std::uint32_t magic = word(0);
  if (magic == section) {
    blocks_ = true;
    format_ = "pcapng";
    begin_section(0);
    return;
  }
  little_ = magic == micro || magic == nano;
  const std::uint32_t known = little_ ? magic : swapped(magic);
  if (known != micro && known != nano) {
    const std::uint32_t begin = big32(buffer_, 0);
    for (const auto& [first, mask, what] : others)
      if ((begin & mask) == first) throw ConfigError(Location{file_}, std::string(what));
    throw ConfigError(Location{file_}, fmt::format("byte 0: {:08x} begins neither a pcap nor a pcapng file", begin));
  }
  begin_pcap(known);
}

void Capture::begin_pcap(std::uint32_t magic) {
  read(20, "the file's header");
  const std::uint32_t major = word(0, 2), minor = word(2, 2);
  if (major != 2) fail(4, fmt::format("version {}.{}; pcap is 2.4", major, minor));
  Interface interface;
  interface.digits = magic == nano ? 9 : 6;
  interface.snaplen = word(12);
  interface.link = word(16) & 0x0fff'ffff & ~0x0400'0000u;  // the rest says whether there is an FCS
  declare(interface.snaplen);
  interfaces_.push_back(interface);
  places_.emplace_back();
  format_ = fmt::format("pcap, {}, {}-endian", magic == nano ? "ns" : "us", little_ ? "little" : "big");
}

bool Capture::next(Frame& frame) { return blocks_ ? next_block(frame) : next_pcap(frame); }

bool Capture::next_pcap(Frame& frame) {
  const std::uint64_t at = position_;
  if (!read(16, nullptr)) return false;
  const std::uint32_t seconds = word(0), part = word(4), kept = word(8), length = word(12);
  const bool nanoseconds = interfaces_[0].digits == 9;
  if (part >= (nanoseconds ? 1'000'000'000u : 1'000'000u))
    fail(at + 4, fmt::format("{} {} in a second", part, nanoseconds ? "ns" : "us"));
  if (kept > largest) fail(at + 8, fmt::format("a frame of {} B; {} B are the most", kept, largest));
  if (kept > length) fail(at + 8, fmt::format("{} B captured of a frame of {} B", kept, length));
  read(kept, "a frame");
  frame.link = interfaces_[0].link;
  frame.ns = std::int64_t{seconds} * 1'000'000'000 + std::int64_t{part} * (nanoseconds ? 1 : 1000);
  set(frame, at, kept, length, 0);
  return true;
}

void Capture::set(Frame& frame, std::uint64_t at, std::uint32_t kept, std::uint32_t length, std::size_t data) {
  frame.number = ++frames_;
  frame.at = at;
  frame.length = length;
  frame.octets = Octets(buffer_).subspan(data, kept);
}

}  // namespace gicsim::roce
