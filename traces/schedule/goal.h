// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "traces/schedule/source.h"

/// Group Operation Assembly Language, of LogGOPSim and ATLAHS: each rank's sends, receives and calculations, and what
/// each requires. calc counts ns; a message's queue pair is its nic, a calculation's lane its cpu. Source: Hoefler,
/// Siebert, Lumsdaine, Group Operation Assembly Language, 2009; spcl/LogGOPSim, src/LogGOPSim/txt2bin.re
namespace gicsim::schedule {

/// @param begin  of a file, up to 64 KiB
bool looks_like_goal(std::string_view begin);
/// What txt2bin makes of it.
bool looks_like_goal_binary(std::string_view begin);

/// Either form.
/// @throws ConfigError for what it isn't
std::unique_ptr<Source> read_goal(const std::string& file);

/// Puts by where they go: GOAL has no one-sided operations, so the other end gets a receive for each.
struct GoalPuts {
  struct Run {
    std::uint32_t from = 0;
    Bytes bytes{};
    std::uint64_t count = 0;
  };
  std::vector<std::vector<Run>> to;
};
/// All that is left of a source is read. @return none: there are no puts, or too many of different sizes
std::shared_ptr<const GoalPuts> collect_puts(Source& source);

/// Writes GOAL text, a rank behind the other, in memory that doesn't grow with it.
class GoalWriter {
 public:
  /// @param puts  none: a put becomes a calc of no time
  GoalWriter(std::ostream& out, std::size_t ranks, std::shared_ptr<const GoalPuts> puts = nullptr);
  ~GoalWriter();
  void begin(std::size_t rank);
  /// The rank's next step: its number counts from 0.
  void add(const Step& step);
  void end();
  /// What GOAL can't say, by step.
  const std::vector<Unused>& lost() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All steps of a source, from its beginning. @return what GOAL can't say
/// @param puts  it may have some: it is read twice
std::vector<Unused> write_goal(Source& source, std::ostream& out, bool puts = true);

}  // namespace gicsim::schedule
