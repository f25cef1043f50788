// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "models/link/fabric_params.h"

namespace gicsim::link {

/// Which priority (virtual lane) a port sends next: weighted round robin within two tables, of
/// which the high one goes first up to its limit. A lane keeps its turn until its weight is used up
/// or it has nothing to send. Closed form: lanes that always have something share a table by
/// weight, to within a packet each.
class Arbiter {
 public:
  explicit Arbiter(const ArbitrationParams& params);

  /// @param ready  bit mask of lanes that may send
  /// @return the lane; -1: no table has one of these
  int pick(unsigned ready);
  /// It has sent so much.
  void sent(int lane, Bytes length);

 private:
  struct Table {
    std::array<std::int64_t, priorities> weight{};
    int turn = 0;
    std::int64_t left = 0;  ///< of this turn, in bytes
    int pick(unsigned ready);
  };
  Table high_, low_;
  Count limit_;
  std::int64_t in_a_row_ = 0;  ///< bytes of the high table while the low one waited
  bool from_high_ = false, low_waits_ = false;
};

}  // namespace gicsim::link
