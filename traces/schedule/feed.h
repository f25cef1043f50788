// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "traces/schedule/collectives.h"
#include "traces/schedule/source.h"
#include "traces/schedule/window.h"

namespace gicsim::schedule {

/// What one rank does, operation by operation, turned into its steps: an operation is one step or a collective's many.
/// They are known by the numbers that the trace gives them, and need one another by these.
class Feed {
 public:
  using Id = std::uint64_t;

  /// @param reach  how many steps it holds, and remembers behind those
  explicit Feed(std::size_t reach = Source::reach) : window_(reach) {}

  /// Takes another operation: else some have to be taken first.
  bool room() const { return !expansion_ && !window_.full(); }
  bool empty() const { return window_.empty() && !expansion_; }
  /// @return false: there is an operation of that number
  bool add(Step step, Id id, const std::vector<Id>& needs);
  /// Gap, place and captured times of `like` are those of the collective as a whole.
  bool add(Collective collective, const std::shared_ptr<const Communicator>& among, std::uint32_t self,
           const Step& like, Id id, const std::vector<Id>& needs);
  /// The oldest step. Needs that aren't within reach: to `missing`.
  Step take(std::vector<Id>& missing);

 private:
  struct Expanding {
    Expansion steps;
    std::optional<Step> next;  ///< the last one is known by there being none behind it
    Id id = 0;
    std::optional<Picoseconds> ended;
  };

  void expand();

  Window<Id> window_;
  std::uint64_t added_ = 0;
  std::optional<Expanding> expansion_;
  std::unordered_map<std::uint32_t, std::uint64_t> sequences_;  ///< of each communicator
};

}  // namespace gicsim::schedule
