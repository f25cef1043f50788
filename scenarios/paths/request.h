// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "models/mechanisms/cells.h"
#include "models/nic/queue_pair.h"
#include "scenarios/paths/channel.h"
#include "scenarios/paths/poller.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// What carries out one operation: a WQE, or a put's and its signal's behind it. Only the last one, whose
/// CQE the poster waits for, is known to the message's ledger.
struct Request {
  std::array<Wqe, 2> wqes;
  std::size_t count = 1;

  const Wqe* begin() const { return wqes.data(); }
  const Wqe* end() const { return wqes.data() + count; }
  std::uint32_t units() const;
  /// Where it lies in a send queue, and whether its last WQE asks for a CQE.
  void place(std::uint32_t qpn, std::uint32_t index, bool signaled);
};

/// Where an operation's data are at both ends. A put's source is where a get's data and an atomic's old value
/// go; behind either lies a word for signals.
struct Buffers {
  Address local = 0, remote = 0;
  Bytes size;
};

/// Keys, far queue pair and word of what is posted to a queue, and what is wrong with it.
void address(Request& request, const system::Queue& queue, const schema::Scenario& scenario);

/// The receiver is told by the CQE of a receive.
constexpr bool told_by_receive(const Operation& operation) {
  return operation.signal == Signal::immediate || operation.verb == Verb::send;
}
inline bool told_by_receive(const schema::Scenario& s) {
  return schema::signal(s) == Signal::immediate || schema::verb(s) == Verb::send;
}

/// Units of the send queue that a scenario's operation takes, its signal apart.
std::uint32_t wqe_units(const schema::Scenario& scenario, bool inlined, Bytes bytes);

/// The receives of one queue pair, all into one buffer. What posts them costs its thread nothing.
class Receives {
 public:
  Receives(const system::Queue& queue, const schema::Scenario& scenario, Cells<Content>& cells, Address buffer)
      : queue_(queue), scenario_(scenario), cells_(cells), buffer_(buffer) {}
  void post(std::uint32_t n, Picoseconds now);
  void fill(Picoseconds now) { post(queue_.receive_ring == 0 ? queue_.depth : queue_.receive_depth, now); }

 private:
  system::Queue queue_;
  const schema::Scenario& scenario_;
  Cells<Content>& cells_;
  Address buffer_;
  std::uint32_t posted_ = 0;
};

/// Of a line, that it holds the CQE of a receive that succeeded, or a later one's.
inline auto received(std::uint32_t index) {
  return [index](const Content& c) {
    const auto* cqe = std::get_if<Cqe>(&c);
    return cqe && cqe->status == CqeStatus::ok && tells_of(*cqe, index);
  };
}

/// @param inlined  the payload of a put is in its WQE
Request make_request(const Operation& operation, const Buffers& at, bool inlined, Message& message);

}  // namespace gicsim::paths
