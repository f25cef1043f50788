// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "models/base/errors.h"
#include "tests/support/files.h"
#include "traces/roce/icrc.h"
#include "traces/roce/info.h"

namespace gicsim::roce {

inline std::string sample_path(const std::string& name) {
  const std::string path = source_root() + "/traces/samples/roce/" + name + ".pcap";
  return std::filesystem::exists(path) ? path : path + ".gz";
}

inline void put(std::string& s, std::uint64_t value, int n) {
  for (int i = n - 1; i >= 0; --i) s += static_cast<char>(value >> 8 * i);
}
inline void put_little(std::string& s, std::uint64_t value, int n) {
  for (int i = 0; i < n; ++i) s += static_cast<char>(value >> 8 * i);
}

/// A frame made by hand: what its headers say, and a right ICRC.
struct Made {
  std::uint8_t opcode = 0x0a;
  std::uint32_t qp = 0x11, psn = 0;
  std::string extension{};     ///< RETH and the like
  std::string payload = "12345678";
  std::uint8_t from = 2, to = 1;
  bool ask = true, v6 = false;
  int vlans = 0;
  std::uint8_t ecn = 0;
  std::uint16_t port = 49'152, id = 0;
  std::int64_t ns = 0;

  std::string frame() const {
    std::string bth;
    put(bth, opcode, 1);
    const std::size_t pad = (4 - payload.size() % 4) % 4;
    put(bth, pad << 4, 1), put(bth, 0xffff, 2), put(bth, qp, 4), put(bth, (ask ? 0x8000'0000u : 0) | psn, 4);
    const std::string body = bth + extension + payload + std::string(pad, '\0');
    const std::size_t udp_length = 8 + body.size() + 4;
    std::string ip;
    if (v6) {
      put(ip, 0x6000'0000 | ecn << 20, 4), put(ip, udp_length, 2), put(ip, 17, 1), put(ip, 64, 1);
      for (const std::uint8_t host : {from, to}) put(ip, 0x2001'0db8'0000'0000, 8), put(ip, host, 8);
    } else {
      put(ip, 0x4500 | ecn, 2), put(ip, 20 + udp_length, 2), put(ip, id, 2), put(ip, 0x4000, 2), put(ip, 0x4011'0000, 4);
      put(ip, 0x0a00'0000 | from, 4), put(ip, 0x0a00'0000 | to, 4);
    }
    const auto udp = static_cast<std::uint32_t>(ip.size());
    put(ip, port, 2), put(ip, roce_port, 2), put(ip, udp_length, 2), put(ip, 0, 2);
    ip += body;
    const std::uint32_t crc = icrc(Octets(reinterpret_cast<const std::uint8_t*>(ip.data()), ip.size()), udp);
    put_little(ip, crc, 4);
    std::string ether(12, '\x02');
    for (int i = 0; i < vlans; ++i) put(ether, i + 1 < vlans ? 0x88a8 : 0x8100, 2), put(ether, 7, 2);
    put(ether, v6 ? 0x86dd : 0x0800, 2);
    return ether + ip;
  }
};
inline std::string reth(std::uint32_t length, std::uint64_t address = 0x1000) {
  std::string s;
  put(s, address, 8), put(s, 0x77, 4), put(s, length, 4);
  return s;
}
inline std::string aeth(std::uint8_t syndrome, std::uint32_t msn) {
  std::string s;
  put(s, syndrome, 1), put(s, msn, 3);
  return s;
}

/// pcap of frames and when they were captured.
struct File {
  bool nano = true, big = false;
  std::uint32_t snaplen = 65'535, link = 1;
  std::string octets = {};
  void word(std::uint64_t value, int n) { big ? put(octets, value, n) : put_little(octets, value, n); }
  void begin() {
    word(nano ? 0xa1b23c4d : 0xa1b2c3d4, 4), word(2, 2), word(4, 2), word(0, 8), word(snaplen, 4), word(link, 4);
  }
  void add(const std::string& frame, std::int64_t ns) {
    if (octets.empty()) begin();
    const std::string kept = frame.substr(0, snaplen);
    word(static_cast<std::uint64_t>(ns / 1'000'000'000), 4);
    word(static_cast<std::uint64_t>(ns % 1'000'000'000 / (nano ? 1 : 1000)), 4);
    word(kept.size(), 4), word(frame.size(), 4);
    octets += kept;
  }
};
inline std::string pcap(const std::vector<Made>& frames, File file = {}) {
  for (const Made& one : frames) file.add(one.frame(), one.ns);
  return file.octets;
}

/// Surveys octets; what is wrong with them comes out as text.
struct Surveyed {
  Survey survey;
  std::string wrong;
  const Flow& flow(std::size_t i = 0) const { return *survey.flows().at(i); }
};
inline Surveyed survey(const std::string& octets) {
  Surveyed result;
  std::istringstream in(octets);
  try {
    Capture capture(in, "f.pcap");
    result.survey.read(capture);
  } catch (const ConfigError& error) {
    result.wrong = error.what();
  }
  return result;
}

}  // namespace gicsim::roce
