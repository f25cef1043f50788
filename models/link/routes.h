// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <systemc>
#include <vector>

#include "models/base/random.h"
#include "models/link/fabric_params.h"
#include "models/protocol/packet.h"

namespace gicsim::link {

/// A switch's forwarding table: for each destination the ports on its shortest ways.
class Routes {
 public:
  /// @param at  whose: each switch hashes in its own way, or all would choose alike
  explicit Routes(std::string_view at) : salt_(detail::fnv1a(at)) {}

  void add(PortNumber to, int port) {
    if (ways_.size() <= to) ways_.resize(to + std::size_t{1});
    ways_[to].push_back(port);
  }
  bool leads_to(PortNumber to) const { return to < ways_.size() && !ways_[to].empty(); }
  /// By the destination alone.
  int fixed(const Packet& packet) const { return of(packet)[packet.to % of(packet).size()]; }
  /// Flows keep their order, as all packets of one take one way.
  int hashed(const Packet& packet) const {
    const auto ends = static_cast<std::uint32_t>(packet.from) << 16 | packet.to;
    const auto drawn = detail::philox(
        {ends, packet.flow, 0, 0},
        {static_cast<std::uint32_t>(salt_), static_cast<std::uint32_t>(salt_ >> 32)});
    return of(packet)[drawn[0] % of(packet).size()];
  }
  /// The port with the least `cost(port)`, of equal ones the flow's own first.
  template <class Cost>
  int cheapest(const Packet& packet, Cost cost) const {
    int best = hashed(packet);
    for (const int port : of(packet))
      if (cost(port) < cost(best)) best = port;
    return best;
  }

 private:
  const std::vector<int>& of(const Packet& packet) const { return ways_[packet.to]; }

  std::uint64_t salt_;
  std::vector<std::vector<int>> ways_;  ///< by destination
};

}  // namespace gicsim::link
