// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "models/base/errors.h"
#include "traces/schedule/step.h"

namespace gicsim::schedule {

/// Part of a trace that gave no steps: what it was and why, how often, and where first.
struct Unused {
  std::string why;
  std::uint64_t count = 0, first = 0;
};

using Keys = std::vector<std::pair<std::string, std::string>>;

/// A schedule, step by step, in memory that doesn't grow with it. Whoever replays asks each rank for its next step as far
/// as it needs to look ahead.
class Source {
 public:
  /// How far needs may point ahead, and so how many steps of a rank a reader holds at most.
  static constexpr std::size_t reach = 16384;

  virtual ~Source() = default;
  virtual std::string format() const = 0;        ///< "GOAL", for people
  virtual std::size_t ranks() const = 0;
  /// The rank's next step. @return false: it has no more
  /// @throws ConfigError, with line or octet, for what is cut off or can't be
  virtual bool next(std::size_t rank, Step& step) = 0;
  /// Reads on for the rank's next step as far as what others do meanwhile is held. @return false: others had better be
  /// asked first; next() would hold more
  virtual bool ready(std::size_t rank) {
    (void)rank;
    return true;
  }
  /// From the beginning again.
  virtual void rewind() = 0;
  /// Where each rank ran: hosts, or addresses; empty: the format doesn't say.
  virtual std::vector<std::string> hosts() const { return {}; }
  /// Of a scenario: how its messages were sent.
  virtual Keys keys() const { return {}; }
  /// What was read and not used so far.
  virtual std::vector<Unused> unused() const { return {}; }
  /// What the reader assumed where the format leaves it open.
  virtual std::vector<std::string> notes() const { return {}; }
  /// The share of the file that has been read, 0 .. 1.
  virtual double progress() const = 0;
  virtual Location location(std::size_t rank, const Step& step) const = 0;
};

}  // namespace gicsim::schedule
