// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "models/base/random.h"
#include "models/link/burst.h"
#include "models/link/params.h"
#include "models/link/stress_ber.h"
#include "models/protocol/packet.h"

namespace gicsim::link {

bool belongs(const Packet& packet, PacketClass to);

/// What a direction of a cable loses: by chance (a packet, or one of its bits), in bursts, and by script. One
/// draw a packet, from the wire's own stream; bursts have theirs.
class Loss {
 public:
  Loss(const WireParams& params, std::uint64_t seed, std::string_view wire) : params_(params), random_(seed, wire) {}

  void script(const Drop& drop) { drops_.push_back({drop, 0}); }
  void in_bursts(const BurstParams& params, std::uint64_t seed, std::string_view wire) { burst_.emplace(params, seed, wire); }
  void under_stress(const StressParams& params, std::uint64_t seed, std::string_view wire) {
    stress_.emplace(params, params_.rate, seed, wire);
  }
  /// Asked of every packet each time that it is sent, in that order.
  bool takes(const Packet& packet) {
    if (params_.loss.raw() == 0 && params_.ber.raw() == 0 && drops_.empty() && !burst_ && !stress_) return false;
    return decide(packet);
  }
  const BurstStats* bursts() const { return burst_ ? &burst_->stats() : nullptr; }

 private:
  struct Scripted {
    Drop drop;
    Count seen;
  };
  bool decide(const Packet& packet);

  const WireParams& params_;
  RandomStream random_;
  std::vector<Scripted> drops_;
  std::optional<Burst> burst_;
  std::optional<StressBer> stress_;
};

}  // namespace gicsim::link
