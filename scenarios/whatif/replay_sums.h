// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>

#include "models/base/quantiles.h"
#include "scenarios/report/replay.h"
#include "scenarios/workloads/replay.h"

namespace gicsim::whatif {

/// Gathers what doesn't fit in memory as it is.
class ReplaySums {
 public:
  void add(const workloads::Played& one) {
    if (schedule::is_message(one.step.action)) {
      completion_.add((one.ended - one.began).count());
      if (one.delivered) delivery_.add((*one.delivered - one.began).count());
      if (one.on_wire) wire_.add(one.on_wire->count());
      compare(one);
    }
    if (one.step.ended) captured_end_ = std::max(captured_end_.value_or(Picoseconds{}), *one.step.ended);
  }
  void fill(report::Replay& replay) const {
    const auto spread = [&](const char* what, const Quantiles& ps) {
      if (ps.n() > 0) replay.spreads.push_back({what, ps});
    };
    spread("completion", completion_);
    spread("delivery", delivery_);
    spread("on the wire", wire_);
    spread("captured, on the wire", captured_);
    replay.captured = captured_end_;
    for (std::size_t i = 0; i < std::size(ratios_); ++i)
      if (ratios_[i].n() > 0)
        replay.ratios.push_back(
            {i == 0 ? 0_B : borders[i - 1], i < std::size(borders) ? borders[i] : Bytes{}, ratios_[i]});
  }

 private:
  static constexpr Bytes borders[] = {256_B, 4_KiB, 64_KiB, 1_MiB};

  /// What was captured of a message is what a capture sees of it.
  void compare(const workloads::Played& one) {
    if (!one.step.began || !one.step.ended || !one.on_wire) return;
    const Picoseconds then = *one.step.ended - *one.step.began;
    captured_.add(then.count());
    if (then <= Picoseconds{}) return;
    const auto* border = std::upper_bound(std::begin(borders), std::end(borders), one.step.bytes);
    const double ratio = static_cast<double>(one.on_wire->count()) / static_cast<double>(then.count());
    ratios_[border - std::begin(borders)].add(static_cast<std::int64_t>(ratio * 1e6));
  }

  Quantiles completion_, delivery_, wire_, captured_;
  Quantiles ratios_[std::size(borders) + 1];
  std::optional<Picoseconds> captured_end_;
};

}  // namespace gicsim::whatif
