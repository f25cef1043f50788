// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scenarios/paths/channel.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/workloads/spent.h"
#include "scenarios/workloads/workload.h"
#include "traces/schedule/source.h"

namespace gicsim::workloads {

/// How a schedule is replayed.
struct ReplayOptions {
  enum class Start { dependencies, captured };
  Start start = Start::dependencies;  ///< captured: no step begins before it did in the trace
  bool needs = true;                  ///< false: nothing but the captured begins
  double compute = 1;                 ///< factor on calcs
  std::size_t look_ahead = 0;         ///< steps of a rank that are held at once; 0: a million of all ranks
};

/// A step that has ended, for whoever writes them down.
struct Played {
  std::size_t rank;
  const schedule::Step& step;
  Picoseconds began, ended;
  std::optional<Picoseconds> delivered;  ///< of a send: when its receiver saw it
  std::optional<Picoseconds> on_wire;    ///< of a message: from its first packet's begin to its last answer
};

/// What a replay told.
struct Replayed {
  Count steps = 0, calcs = 0, messages = 0;
  Bytes bytes;
  Picoseconds makespan{};
  Spent path;          ///< of the chain that ended last: its parts add up to the makespan
  Spent messages_by_stage;  ///< of all messages, to their completion
  struct Rank {
    Count messages = 0;
    Bytes sent{};
    Picoseconds compute{}, ended{};
  };
  std::vector<Rank> ranks;
};

/// Plays a schedule over channels: one a direction between two ranks that talk. Calcs of a lane follow each other, a
/// connection's thread posts what is ready, else polls for what is under way, in order.
/// Not modelled: rendezvous (a message's data go to a buffer of the receiver's at once), costs of matching tags.
class Replay {
 public:
  using Pairs = std::map<std::pair<std::size_t, std::size_t>, Pair>;  ///< from rank, to rank

  Replay(Kernel& kernel, schedule::Source& source, Pairs pairs, const schema::Scenario& scenario,
         const ReplayOptions& options);
  ~Replay();
  void start();
  /// The kernel has nothing to do: reads further than it usually would. @return false: that doesn't help
  bool go_on();
  /// Every step has ended.
  bool finished() const;
  const Replayed& replayed() const { return replayed_; }
  /// The first time that a receiver was told of data too early.
  const std::optional<EarlySignal>& early() const { return early_; }
  /// Of a replay that can't go on: who waits for what.
  std::vector<std::string> waiting() const;
  /// Needs that wait for each other in a circle, as the trace has them; empty: none.
  std::vector<std::string> circle(Location& at) const;
  /// Where each message is announced that has ended.
  Probe<MessageEnded>& messages() { return told_; }
  void on_played(std::function<void(const Played&)> call) { played_ = std::move(call); }
  /// Called now and then while steps are read.
  void on_progress(std::function<void()> call) { progress_ = std::move(call); }

 private:
  struct Open;
  struct Rank;
  struct Link;
  struct Flight;
  struct Arrived;

  void fill(std::size_t rank);
  void feed();
  void take_needs(Rank& rank, Open& open);
  void meet(Rank& rank, Open& open);
  void ready(Rank& rank, Open& open);
  void begin(Rank& rank, Open& open);
  void drain();
  void begun(Rank& rank, Open& open);
  Task begin_later(Rank& rank, Open& open, Picoseconds wait);
  Task calculate(Rank& rank, Open& open);
  void reach(Rank& rank, Open& open, schedule::Need::Until until, const Spent& spent);
  void end(Rank& rank, Open& open, const Spent& spent);
  void retire(Rank& rank);
  // replay_links.cpp
  void receive(Rank& rank, Open& open);
  void hand_over(Rank& rank, std::size_t from, std::int64_t tag, const Spent& spent);
  Task post(Link& link);
  Task poll(Link& link);
  Task complete(Link& link);
  void tidy(Link& link);
  paths::Operation operation(Link& link, const schedule::Step& step) const;
  Link& link(const Rank& rank, const Open& open);
  bool wanted(const Link& link) const;
  void wake(std::coroutine_handle<>& waiter);

  Kernel& kernel_;
  schedule::Source& source_;
  const schema::Scenario& scenario_;
  ReplayOptions options_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<Link>> links_;
  Replayed replayed_;
  std::function<void(const Played&)> played_;
  std::function<void()> progress_;
  std::deque<std::pair<Rank*, std::uint64_t>> agenda_;  ///< steps that begin now
  bool draining_ = false;
  bool forced_ = false;    ///< nobody can go on unless the source holds more
  std::size_t whole_ = 0;  ///< ranks that have ended
  std::optional<EarlySignal> early_;
  Probe<MessageEnded> told_;
};

}  // namespace gicsim::workloads
