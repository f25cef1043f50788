// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "models/base/random.h"
#include "models/link/params.h"
#include "models/protocol/packet.h"

namespace gicsim::link {

bool belongs(const Packet& packet, PacketClass to);

/// What a direction of a cable loses: by chance (a packet, or one of its bits) and by script. One
/// draw a packet, from the wire's own stream.
class Loss {
 public:
  Loss(const WireParams& params, std::uint64_t seed, std::string_view wire) : params_(params), random_(seed, wire) {}

  void script(const Drop& drop) { drops_.push_back({drop, 0}); }
  /// Asked of every packet once, in order of sending.
  bool takes(const Packet& packet) {
    if (params_.loss.raw() == 0 && params_.ber.raw() == 0 && drops_.empty()) return false;
    return decide(packet);
  }

 private:
  struct Scripted {
    Drop drop;
    Count seen;
  };
  bool decide(const Packet& packet);

  const WireParams& params_;
  RandomStream random_;
  std::vector<Scripted> drops_;
};

}  // namespace gicsim::link
