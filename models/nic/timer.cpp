// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// When an acknowledgement is overdue. Source: InfiniBand 1.5, 9.7.6.1.3
#include <algorithm>

#include "models/nic/nic.h"

namespace gicsim::nic {

/// A running timer keeps the run alive, its event alone does not: so one that is stopped leaves no
/// trace, and at most one event a queue pair is pending, whatever number of messages was sent.
void Nic::start_timer(QueuePair& queue) {
  AckTimer& timer = queue.timer;
  if (timer.running || params_.ack_timeout == 0 || !awaits(queue)) return;
  timer.running = true;
  if (queue.late == 0) queue.silent_since = kernel_.now();
  kernel_.hold();
  timer.deadline = kernel_.now() + time_out(queue);
  if (!timer.ticking || timer.deadline < timer.tick_at) tick(timer);
}

void Nic::tick(AckTimer& timer) {
  timer.ticking = true;
  timer.tick_at = timer.deadline;
  kernel_.tick<&AckTimer::on_tick>(timer.deadline, &timer);
}

void Nic::stop_timer(QueuePair& queue) {
  if (std::exchange(queue.timer.running, false)) kernel_.release();
}

/// By the specification as long as the queue pair says; adaptive, less, as far as its ranges tell.
Picoseconds Nic::time_out(QueuePair& queue) {
  if (params_.ack_timeout == 0) return Picoseconds::max() - kernel_.now();
  const Picoseconds own = nic::time_out(params_) * transport_.timeout_factor;
  if (transport_.rto == Rto::spec) return own;
  if (queue.exponent < 0)
    queue.exponent = transport_.adp_init + static_cast<std::int64_t>(
                                               adp_.below(static_cast<std::uint64_t>(transport_.adp_init_range)));
  return std::min(own, transport_.adp_base * (std::int64_t{1} << queue.exponent));
}

/// Source: NVIDIA, Adaptive Retransmission: Parameters Control, algorithm. After a time-out the same one is used again, as
/// often as its range says, then twice as long a one; from the end of a range on those of the next. The first one, which
/// was drawn, is used once.
void Nic::later(QueuePair& queue) {
  ++queue.late;
  if (transport_.rto == Rto::spec) return;
  const TransportParams& t = transport_;
  const std::int64_t at = queue.exponent;
  const bool in_first = at >= t.adp_low1 && at <= t.adp_high1, in_second = at >= t.adp_low2 && at <= t.adp_high2;
  if (!in_first && !in_second) {
    queue.uses = 0;
    queue.exponent = at < t.adp_low1 ? t.adp_low1 : std::max(at, t.adp_low2);
    return;
  }
  if (++queue.uses < (in_first ? t.adp_retries1 : t.adp_retries2)) return;
  queue.uses = 0;
  if (in_first) queue.exponent = at < t.adp_high1 ? at + 1 : std::max(t.adp_low2, at);
  else queue.exponent = std::min(at + 1, t.adp_high2);
}

/// Progress: back to the beginning of the range, from there to that of the one before.
void Nic::sooner(QueuePair& queue) {
  queue.late = queue.uses = 0;
  if (transport_.rto == Rto::spec) return;
  queue.exponent = queue.exponent > transport_.adp_low2 ? transport_.adp_low2 : transport_.adp_low1;
}

void AckTimer::on_tick() { nic->on_deadline(*queue); }

}  // namespace gicsim::nic
