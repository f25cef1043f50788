// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/probe.h"
#include "models/protocol/message_ended.h"
#include "scenarios/paths/channel.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/workloads/samples.h"

namespace gicsim::workloads {

/// What the measured messages of a run told.
struct Measured {
  Samples issue, one_way, completion, rtt, flush;
  Ledgers ledgers;            ///< by the headline quantity
  Picoseconds window_begin{}, window_end{};  ///< of a throughput pattern
  Bytes window_bytes;
  Count window_messages = 0;
  std::vector<Count> flow_messages;  ///< of these, by flow
  std::vector<Picoseconds> flow_ends;  ///< if the window is the whole run: when each flow's last message was complete
  Picoseconds first_end{};    ///< when all messages of a flow were complete, the first time
  double load_rate = 0;       ///< puts a microsecond of all that load the machine meanwhile
  Count load_messages = 0;
};

/// Somebody was told of a message before its data were visible.
struct EarlySignal {
  std::string who;
  std::uint64_t number = 0;  ///< from 1
  Address told_at = 0;       ///< flag or CQE
  Picoseconds at{};
  const Placed* data = nullptr;
};

/// A connection as a workload uses it.
struct Pair {
  paths::Channel& near;
  paths::Channel& far;
};

/// A pattern: programs over channels. Start it once, run the kernel, then ask.
class Workload {
 public:
  Workload(std::vector<Pair> pairs, const schema::Scenario& scenario)
      : pairs_(std::move(pairs)), scenario_(scenario) {}
  virtual ~Workload() = default;
  virtual void start() = 0;
  /// Every message that was to be measured has ended.
  virtual bool finished() const = 0;
  /// How many have, measured or not: it gets on.
  std::uint64_t ended() const { return ended_; }
  virtual const Measured& measured() { return measured_; }
  /// The first time that somebody was told of data too early.
  const std::optional<EarlySignal>& early() const { return early_; }
  /// Rounds that ended in error and were begun anew, the time from their beginning until then, and whether all
  /// came to an end.
  Count repeated() const { return repeated_; }
  Picoseconds lost() const { return lost_; }
  bool recovered() const { return repeated_ > 0 && finished(); }
  /// Of the ledgers, keeps only the first with this headline value.
  void want_only(Picoseconds value) { measured_.ledgers.want_only(value); }
  /// Where each message is announced that has ended.
  Probe<MessageEnded>& messages() { return told_; }
  /// Called when the first measured message begins.
  void on_measured(std::function<void()> call) { begin_ = std::move(call); }

 protected:
  /// The ordering checker: whoever was told of a message looks for its data. @return whether all are visible; if not, the
  /// message must not be used again
  bool look(const paths::Channel& by, const paths::Operation& operation, const Message& message, Picoseconds now) {
    if (message.data.missing == 0_B && message.data.visible <= now) return true;
    if (!early_) early_ = {by.who(), message.number + 1, by.told_at(operation), now, &message.data};
    return false;
  }
  /// A message has ended, all its branches. `delivered`: the far side looked for it.
  void tell(const Message& message, const paths::Channel& by, const paths::Channel& to, bool delivered) const {
    told_.announce([&] {
      const bool plain = !is_probe(scenario_.pattern) && scenario_.pattern != Pattern::barrier;
      return MessageEnded{.message = message,
                          .verb = plain ? to_name(schema::verb(scenario_)) : to_name(scenario_.pattern),
                          .poster = by.who(),
                          .peer = to.who(),
                          .bytes = scenario_.bytes,
                          .queue_pair = by.queue_pair(message),
                          .measured = warm(message.number),
                          .completion = &message.completion,
                          .delivery = delivered ? &message.delivery : nullptr};
    });
  }
  void begin(std::uint64_t number) {
    if (begin_ && number == static_cast<std::uint64_t>(scenario_.warmup)) std::exchange(begin_, nullptr)();
  }
  bool warm(std::uint64_t number) const { return number >= static_cast<std::uint64_t>(scenario_.warmup); }
  std::uint64_t rounds() const {
    return static_cast<std::uint64_t>(scenario_.warmup + scenario_.iterations);
  }

  std::vector<Pair> pairs_;
  const schema::Scenario& scenario_;
  MessagePool messages_;
  Probe<MessageEnded> told_;
  Measured measured_;
  std::optional<EarlySignal> early_;
  Count repeated_ = 0;
  Picoseconds lost_{};
  std::uint64_t ended_ = 0;

 private:
  std::function<void()> begin_;
};

std::unique_ptr<Workload> make_workload(std::vector<Pair> pairs, const schema::Scenario& scenario);

}  // namespace gicsim::workloads
