// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/base/kernel.h"
#include "scenarios/system/system.h"

namespace gicsim::whatif {

/// Looks each millisecond at what several flows have sent, by the counters of their queue pairs.
class FlowMeter {
 public:
  static constexpr Picoseconds period = 1ms;

  /// @param flows  the posting queue pairs of each; kept by the caller
  FlowMeter(Kernel& kernel, const std::vector<std::vector<system::Queue>>& flows) : kernel_(kernel), flows_(flows) {}
  void start();
  /// Jain's index of each whole period until then.
  std::vector<double> jain(Picoseconds until) const;

 private:
  void on_look();

  Kernel& kernel_;
  const std::vector<std::vector<system::Queue>>& flows_;
  std::vector<std::vector<Bytes>> sent_;  ///< by look, by flow
};

}  // namespace gicsim::whatif
