// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "models/link/error_params.h"
#include "models/mechanisms/geometric.h"

namespace gicsim::link {

struct BurstStats {
  Count bursts = 0, bad = 0, lost = 0;
};
template <class V>
constexpr void describe(V&& v, BurstStats& s) {
  v("bursts", s.bursts, "times that the cable turned bad");
  v("bad_packets", s.bad, "packets sent while it was bad");
  v("burst_lost", s.lost, "packets that it lost, in either state");
}
static_assert(fully_described<BurstStats>());

/// A cable after Gilbert and Elliott: a chain of two states that takes a step a packet.
///
/// Closed forms, with p = to_bad, r = to_good: a share p / (p + r) of packets sees the bad state, each stay there is
/// 1 / r packets long on average, and loss_good r / (p + r) + loss_bad p / (p + r) of all are lost.
/// Source: Gilbert, BSTJ 39 (1960); Elliott, BSTJ 42 (1963)
class Burst {
 public:
  Burst(const BurstParams& params, std::uint64_t seed, std::string_view wire);

  /// Asked of every packet once, in order of sending.
  bool takes();
  const BurstStats& stats() const { return stats_; }

 private:
  void enter(bool bad);

  struct State {
    Geometric leave, lose;
  };
  State good_, bad_;
  RandomStream random_;
  bool is_bad_ = false;
  std::int64_t stays_ = 0, keeps_ = 0;  ///< packets before it leaves the state; before it loses one
  BurstStats stats_;
};

}  // namespace gicsim::link
