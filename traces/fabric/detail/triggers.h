// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "traces/fabric/detail/words.h"
#include "traces/schedule/step.h"

namespace gicsim::fabric {

/// A line of a connection matrix.
struct Connection {
  std::uint64_t from = 0, to = 0, bytes = 0, id = 0, place = 0;
  bool starts = false;
  Picoseconds start{};
  std::uint64_t trigger = 0, send_done = 0, recv_done = 0;  ///< numbers of triggers; 0: none
};

/// Who triggers whom: flows that end, by the trigger that they fire, and from where those begin that wait for it. Of a
/// flow whose receiver goes on, the receiver gets a step, too.
class Triggers {
 public:
  enum class Type { none, oneshot, multishot, barrier };

  void note(const WordLines& in, const Connection& one);
  void declare(const WordLines& in, std::uint64_t id, Type type, std::uint64_t count);
  bool received(const Connection& one) const;
  /// Of flow `one`: the numbers of its steps.
  void set(const Connection& one, std::uint64_t sent, std::uint64_t received);
  /// What a flow that waits has to come behind. @throws ConfigError for what a schedule can't say
  std::vector<schedule::Need> needs(const WordLines& in, const Connection& one, std::uint64_t number) const;
  std::size_t size() const { return all_.size(); }

 private:
  struct Fired {
    std::uint64_t from, to, place, sent = 0, received = 0;
  };
  struct Trigger {
    Type type = Type::none;
    std::uint64_t count = 0;
    std::vector<Fired> fired;
    std::unordered_set<std::uint64_t> begins_at;  ///< nodes
  };
  Trigger& at(const WordLines& in, std::uint64_t id);

  std::unordered_map<std::uint64_t, Trigger> all_;
  std::size_t noted_ = 0;
};

Connection read_connection(const WordLines& in, std::uint64_t nodes);
void read_trigger(const WordLines& in, Triggers& to);

}  // namespace gicsim::fabric
