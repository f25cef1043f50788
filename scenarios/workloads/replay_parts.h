// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/workloads/replay.h"

/// What a replay holds of steps, ranks and connections.
namespace gicsim::workloads {

/// A step that was read and hasn't ended.
struct Replay::Open {
  schedule::Step step;
  std::size_t missing = 1;             ///< needs that haven't come; one more until all were looked up
  bool begun = false, started = false, issued = false, ended = false;
  Picoseconds ready_at{}, began{};
  Spent spent{};                       ///< of the chain that led to its begin
  std::optional<Picoseconds> delivered{}, on_wire{};
  std::vector<std::pair<std::uint64_t, schedule::Need::Until>> dependents{};
};

struct Replay::Arrived {
  std::int64_t tag;
  std::size_t from;
};

struct Replay::Rank {
  std::size_t number = 0;
  std::deque<Open> open{};             ///< in the order of their numbers, without gaps
  std::uint64_t first = 0;             ///< number of the first of them
  bool read_all = false, starved = false;  ///< starved: has more, but not yet
  std::unordered_map<std::uint64_t, std::vector<std::pair<std::uint64_t, schedule::Need::Until>>> ahead{};
                                       ///< who waits for a step that wasn't read yet
  std::unordered_map<std::uint32_t, Picoseconds> lanes{};  ///< until when each is busy
  std::deque<Arrived> unexpected{};    ///< before anybody asked for it
  std::deque<std::uint64_t> receives{};  ///< posted, not matched
  Spent last{};                        ///< of the step that ended last
  Picoseconds last_at{};

  std::uint64_t next() const { return first + open.size(); }
  Open& at(std::uint64_t number) { return open[number - first]; }
};

/// A message that was posted. What follows its completion, and for a send its arrival, gives it back.
struct Replay::Flight {
  Message message;
  std::uint64_t step = 0;
  std::int64_t tag = 0;
  Bytes bytes{};
  Verb verb = Verb::put;
  Spent spent{};              ///< of the chain that led to its post
  bool two_sided = false;
  bool complete = false, seen = false;
};

/// One direction between two ranks.
struct Replay::Link {
  std::size_t from, to;
  Pair ends;
  std::deque<std::uint64_t> waiting{};   ///< to be posted
  std::deque<Flight> flights{};          ///< posted, in order; the first ones go when all of them is done
  std::uint64_t first = 0;               ///< number of the first of them
  std::uint64_t completed = 0;           ///< flights that are known to be complete
  std::deque<std::uint64_t> unseen{};    ///< numbers of sends that haven't arrived
  std::uint32_t units = 0;               ///< of the send queue, posted and not complete
  std::uint64_t sent = 0;                ///< values that its sends left behind
  std::uint64_t other = 0;               ///< and those of its other messages

  std::uint64_t next() const { return first + flights.size(); }
  Flight& at(std::uint64_t number) { return flights[number - first]; }
  std::coroutine_handle<> poster{}, poller{};
  std::coroutine_handle<> failed{};      ///< its queue pair is in error; nobody resumes it
};

}  // namespace gicsim::workloads
