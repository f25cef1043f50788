// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "models/protocol/ledger.h"

namespace gicsim::workloads {

/// Where a chain of steps spent its time, from the beginning of a replay. Of constant size, so a chain may be of any
/// length; its parts add up to the time at its end.
class Spent {
 public:
  static constexpr std::size_t stages = std::size(stage_names);
  /// Beside a message's stages: between a step's needs and its begin, as the trace has it; for a thread or lane that had
  /// other things to do; from a post's begin to its return.
  enum Other : std::size_t { idle = stages, queued, posting, kinds };

  static std::string_view name(std::size_t kind) {
    constexpr std::array<std::string_view, 3> others{"idle", "queued", "posting"};
    return kind < stages ? stage_names[kind] : others[kind - stages];
  }
  static std::string_view layer(std::size_t kind) {
    return kind < stages ? layer_of(static_cast<Stage>(kind)) : std::string_view{"-"};
  }

  void add(std::size_t kind, Picoseconds time) { parts_[kind] += time; }
  void add(Stage stage, Picoseconds time) { parts_[static_cast<std::size_t>(stage)] += time; }
  void add(const Ledger& ledger) {
    for (const Ledger::Entry& entry : ledger.entries()) add(entry.stage, entry.time);
  }
  Picoseconds operator[](std::size_t kind) const { return parts_[kind]; }
  Picoseconds total() const {
    Picoseconds sum{};
    for (const Picoseconds part : parts_) sum += part;
    return sum;
  }

 private:
  std::array<Picoseconds, kinds> parts_{};
};

}  // namespace gicsim::workloads
