// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/bit_rate.h"

namespace gicsim::fabric {

struct Link {
  std::size_t a = 0, b = 0;
  BitRate rate;
  Picoseconds delay{};
  double error_rate = 0;
  std::uint64_t line = 0;
};

/// Nodes and the links between them, as ns-3 is fed with them.
struct Topology {
  enum class Kind : std::uint8_t { host, fabric_switch, nvswitch };
  std::string file;
  std::vector<Kind> nodes;
  std::vector<Link> links;
  std::size_t gpus_per_server = 0;  ///< 0: nodes are hosts; else GPUs
  std::string gpu;                  ///< "H100"
  std::uint64_t behind = 0;         ///< lines behind the last link
};

/// Of HPCC (total, switches, links) or SimAI (total, GPUs of a server, NVSwitches, switches, links, GPU); then the
/// switches' numbers; then `a b rate delay error_rate`. Source: alibaba-edu/High-Precision-Congestion-Control,
/// simulation/mix; aliyun/SimAI, astra-sim-alibabacloud/inputs/topo
bool looks_like_ns3_topology(std::string_view begin);
Topology read_ns3_topology(const std::string& file);

struct SystemText {
  std::string yaml;
  std::vector<std::string> warnings;  ///< what a system can't say
};

/// The system file that comes nearest: back to back, one switch, or leaves and spines.
/// @throws ConfigError  nothing to build a system from
SystemText to_system(const Topology& topology);

}  // namespace gicsim::fabric
