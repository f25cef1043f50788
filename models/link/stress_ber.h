// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "models/base/describe.h"
#include "models/mechanisms/geometric.h"
#include "models/protocol/packet.h"

namespace gicsim::link {

inline constexpr Source claimed_by_write_ups{Provenance::claimed, "ber_under_small_packets"};

/// The figures of the claim; `link.stress_ber` turns it on.
struct StressParams {
  Probability before = Probability::steps(1'000);
  Probability after = Probability::steps(1'000'000);
  Count packets = 100'000;
  Bytes below = 64_B;
  BitRate rate = 200_Gbps;
};

template <class V>
constexpr void describe(V&& v, StressParams& p) {
  v("before", p.before, "a bit is wrong at first: 1e-15", claimed_by_write_ups);
  v("after", p.after, "a bit is wrong once enough small packets have passed: 1e-12", claimed_by_write_ups);
  v("packets", p.packets, "small packets until then", claimed_by_write_ups, within(0, 1'000'000'000'000));
  v("below", p.below, "a packet is small whose payload is less", claimed_by_write_ups, within(1_B, 1_MiB));
  v("rate", p.rate, "only cables of this rate or more", claimed_by_write_ups, within(1_Gbps, 1600_Gbps));
}
static_assert(fully_described<StressParams>());

/// A cable whose bit error rate rises under small packets, as popular write-ups have it. No mechanism is known, and
/// both rates are limits of data sheets: so this is a mode, off by default, and nothing else in the model depends on it.
class StressBer {
 public:
  StressBer(const StressParams& params, BitRate rate, std::uint64_t seed, std::string_view wire);

  /// Asked of every packet once, in order of sending. @return whether it has a wrong bit
  bool damages(const Packet& packet);

 private:
  const StressParams& params_;
  bool fast_enough_;
  Geometric before_, after_;
  RandomStream random_;
  Count small_ = 0;
  std::int64_t good_;  ///< bits up to the next wrong one
};

}  // namespace gicsim::link
