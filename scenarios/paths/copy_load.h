// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// Copies between GPU and pinned host memory that share the machine with what is measured: on each GPU that takes part
/// one after another through its copy engine, which meet everything else on the links. Nobody calls for them, so no CPU takes
/// part. They end with the workload, or when that has got no further for `patience`, and keep no run alive.
class CopyLoad {
 public:
  /// @param ended  how many messages of the workload have ended; nothing: all
  using Ended = std::function<std::optional<std::uint64_t>()>;
  CopyLoad(system::System& system, const schema::Scenario& scenario, Ended ended)
      : system_(system), scenario_(scenario), ended_(std::move(ended)) {}
  void start();

 private:
  static constexpr Picoseconds patience = 100ms;
  void start(std::size_t node, std::size_t pair, Direction direction);
  Task copy(gpu::CopyEngine& engine, Address from, Address to);
  bool goes_on();

  system::System& system_;
  const schema::Scenario& scenario_;
  Ended ended_;
  std::uint64_t ended_before_ = 0;
  Picoseconds got_on_{};
};

}  // namespace gicsim::paths
