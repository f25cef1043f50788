// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gicsim::hw {

/// What one end of a connection must know of the other: queue pair, way there, memory. Travels as one line of text.
struct Endpoint {
  std::uint32_t qpn = 0, psn = 0;
  std::uint16_t lid = 0;  ///< InfiniBand; 0 on Ethernet
  std::array<std::uint8_t, 16> gid{};
  std::uint32_t mtu = 0;    ///< bytes, as the port has it
  std::uint32_t reads = 0;  ///< READs and atomics that it answers at a time
  std::uint32_t rkey = 0;
  std::uint64_t address = 0, bytes = 0;
  bool gpu = false;  ///< its memory is a GPU's
};

std::string to_text(const Endpoint& endpoint);
/// @throws HardwareError a field is missing or no number
Endpoint endpoint_of(const std::string& line);

/// "qps=2 bytes=64": the number behind a name. @throws HardwareError
std::uint64_t number_in(std::string_view line, std::string_view name);

/// The first thing that each end says: "gicsim-hw PROTOCOL VERSION KEY".
std::string greeting(std::string_view version, std::string_view key);
/// Empty when both ends fit; else in words what to do about it.
std::string misfit(const std::string& ours, const std::string& theirs);

}  // namespace gicsim::hw
