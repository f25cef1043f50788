// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <deque>

#include "scenarios/paths/channel.h"

namespace gicsim::workloads {

/// Messages that a thread has posted and not yet taken back. The last of each batch tells of those before it.
class UnderWay {
 public:
  std::size_t size() const { return posted_.size(); }
  bool empty() const { return posted_.empty(); }
  /// One of them will tell.
  bool told() const { return !rung_.empty(); }
  void add(Message& message) { posted_.push_back(&message); }
  /// The batch is complete: its doorbell was rung.
  void rung() { rung_.push_back(posted_.back()); }

  /// Waits for the oldest batch and takes back all that this shows to be complete: calls
  /// ended(message, when the completion of its batch was in memory).
  template <class Ended>
  Task reap(paths::Channel& channel, Ended ended) {
    co_await channel.wait(*rung_.front());
    do {
      const Message* last = rung_.front();
      rung_.pop_front();
      const Picoseconds complete = last->completion.last();
      for (const Message* taken = nullptr; taken != last;) {
        Message& message = *posted_.front();
        taken = &message;
        posted_.pop_front();
        ended(message, complete);
      }
    } while (!rung_.empty() && channel.retire(*rung_.front()));
  }

 private:
  std::deque<Message*> rung_, posted_;
};

}  // namespace gicsim::workloads
