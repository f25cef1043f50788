// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "traces/export/exporter.h"
#include "traces/schedule/source.h"

namespace gicsim::exports {

/// What ranks did, as a schedule that can be replayed. Of a replay its steps, with the times of this run. Of any other run a
/// rank for each thread that posted or was told: its messages, each of which needs what that thread saw last before it
/// (a completion, an arrival, the return of its last post), and the time between as a gap.
class ScheduleExporter : public Exporter {
 public:
  explicit ScheduleExporter(const Options& options) : limit_(options.limit) {}
  void listen(const Probes& probes) override;
  void finish(const Outcome& outcome) override;
  Files files() override;
  std::vector<LeftOut> left_out() const override;

 protected:
  virtual std::string file() const { return "schedule.jsonl"; }
  virtual std::string written(schedule::Source& source) const;

 private:
  struct Post {
    std::size_t rank, peer;
    schedule::Action action;
    Bytes bytes;
    Picoseconds begun, issued, completed;
    std::optional<Picoseconds> delivered;
  };
  /// Everything that a thread did or saw, in the order of time.
  struct Event {
    Picoseconds at;
    int order;             ///< of one instant: begins last
    std::size_t post;
    enum class Kind { issued, arrived, completed, begun } kind;
  };

  void hear(const MessageEnded& message);
  void hear(const StepPlayed& played);
  std::size_t rank_of(std::string_view who);
  void arrange();
  bool room(std::size_t octets);

  Bytes limit_;
  std::size_t held_ = 0;
  Count heard_ = 0, left_out_ = 0;
  bool played_ = false;
  Machine machine_;
  std::vector<std::string> names_;         ///< of ranks
  std::map<std::string, std::size_t, std::less<>> ranks_;
  std::vector<Post> posts_;
  std::vector<std::map<std::uint64_t, schedule::Step>> steps_;  ///< by rank and number
};

/// The same as GOAL, which knows sends, receives and calculations.
class GoalExporter final : public ScheduleExporter {
 public:
  using ScheduleExporter::ScheduleExporter;

 private:
  std::string file() const override { return "schedule.goal"; }
  std::string written(schedule::Source& source) const override;
};

}  // namespace gicsim::exports
