// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The requester's half of reliability: go-back-N from the first packet that isn't known to have
// arrived. Source: InfiniBand 1.5, 9.7.5.1 (requester), 9.9.2 (retries and errors)
#include <algorithm>

#include "models/nic/nic.h"

namespace gicsim::nic {

/// The message that an acknowledgement has to be about, if any of it was sent.
Job* Nic::oldest(QueuePair& queue) {
  if (!queue.unacknowledged.empty()) return queue.unacknowledged.front();
  if (!queue.decoded.empty() && queue.decoded.front()->numbered) return queue.decoded.front();
  return nullptr;
}

void Nic::pop_oldest(QueuePair& queue) {
  if (!queue.unacknowledged.empty()) {
    if (is_fetch(queue.unacknowledged.front()->wqe.opcode)) --queue.fetches_out;
    queue.unacknowledged.pop_front();
    return;
  }
  drop_payload(*queue.decoded.front());
  queue.decoded.pop_front();
  if (queue.read_at > 0) --queue.read_at;
}

/// Everything up to `psn` has arrived. If a READ or atomic among it lacks its answer, that got lost
/// on its way back, and is asked for again, once: an implied NAK.
void Nic::acknowledge(QueuePair& queue, std::uint32_t psn) {
  if (!psn_reached(queue.oldest_psn, psn)) return;
  bool was_sending = false;  // what is acknowledged now: then what is behind it has its turn
  while (Job* job = oldest(queue)) {
    if (is_fetch(job->wqe.opcode)) {
      const std::uint32_t missing = missing_psn(*job);
      if (!psn_reached(missing, psn)) break;
      if (std::exchange(queue.oldest_psn, missing) != missing) progress(queue);
      if (queue.unacknowledged.empty()) return go_on(queue);  // it is about to be asked for anyway
      if (queue.implied == missing) return;
      ++queue.stats.implied_nak_seq_err;
      retry(queue, missing);
      queue.implied = missing;
      return;
    }
    if (!psn_reached(job->last_psn(), psn)) break;
    was_sending |= queue.unacknowledged.empty();
    pop_oldest(queue);
    complete(queue, *job, CqeStatus::ok);
  }
  queue.oldest_psn = psn_plus(psn, 1);
  progress(queue);
  if (was_sending) go_on(queue);
}

void Nic::go_on(QueuePair& queue) {
  want_payload(queue, false);
  pump_payload();
  pump_packets(queue);
}

void Nic::progress(QueuePair& queue) {
  queue.retries = 0;
  queue.implied.reset();
  if (queue.unacknowledged.empty()) return stop_timer(queue);
  if (queue.timer.running) queue.timer.deadline = kernel_.now() + time_out(params_);
}

/// A running timer keeps the run alive, its event alone does not: so one that is stopped leaves no
/// trace, and at most one event a queue pair is pending, whatever number of messages was sent.
void Nic::start_timer(QueuePair& queue) {
  AckTimer& timer = queue.timer;
  if (timer.running || params_.ack_timeout == 0 || queue.unacknowledged.empty()) return;
  timer.running = true;
  kernel_.hold();
  timer.deadline = kernel_.now() + time_out(params_);
  if (std::exchange(timer.ticking, true)) return;
  kernel_.tick<&AckTimer::on_tick>(timer.deadline, &timer);
}

void Nic::stop_timer(QueuePair& queue) {
  if (std::exchange(queue.timer.running, false)) kernel_.release();
}

void AckTimer::on_tick() { nic->on_deadline(*queue); }

void Nic::on_deadline(QueuePair& queue) {
  AckTimer& timer = queue.timer;
  timer.ticking = false;
  if (!timer.running) return;
  if (kernel_.now() < timer.deadline) {
    timer.ticking = true;
    return kernel_.tick<&AckTimer::on_tick>(timer.deadline, &timer);
  }
  ++stats_.timeouts;
  ++queue.stats.local_ack_timeout_err;
  queue.implied.reset();
  retry(queue, queue.oldest_psn);
}

void Nic::retry(QueuePair& queue, std::uint32_t psn) {
  if (queue.retries == params_.retries) return fail(queue, psn, CqeStatus::retry_exceeded);
  ++queue.retries;
  rewind(queue, psn, Stage::retransmit);
}

/// Everything from `psn` on, which lies in the oldest message, will be sent again.
void Nic::rewind(QueuePair& queue, std::uint32_t psn, Stage lost) {
  stop_timer(queue);
  for (; !queue.unacknowledged.empty(); queue.unacknowledged.pop_back())
    queue.decoded.push_front(queue.unacknowledged.back());
  queue.fetches_out = 0;
  queue.read_at = 0;
  for (Job* job : queue.decoded) {
    const bool cut = job == queue.decoded.front() && !is_fetch(job->wqe.opcode);
    take_back(*job, cut ? psn_distance(job->first_psn, psn) : 0, lost);
  }
  go_on(queue);
}

/// Of a message under way, `sent` packets stay sent. Time since its ledger's last entry was lost.
void Nic::take_back(Job& job, std::int64_t sent, Stage lost) {
  if (!job.numbered && (!job.buffered || job.asked == 0)) return;
  drop_payload(job);
  job.high = std::max(job.high, job.sent);
  job.sent = sent;
  if (job.buffered) job.asked = job.here = sent;
  job.again = true;
  job.lost = lost;
  if (Message* message = job.wqe.message) {
    message->completion.take_back(kernel_.now());
    message->completion.close(lost, name(), kernel_.now());
  }
}

void Nic::on_receiver_ready() {
  QueuePair& queue = **pausing_.pop_due(kernel_.now());
  queue.paused = false;
  go_on(queue);
}

/// The oldest WQE gets an error CQE, all behind it are flushed, now and later.
void Nic::fail(QueuePair& queue, std::uint32_t psn, CqeStatus status) {
  queue.stats.req_transport_retries_exceeded += status == CqeStatus::retry_exceeded;
  queue.stats.req_rnr_retries_exceeded += status == CqeStatus::receiver_not_ready;
  const std::deque<Job*>& first = queue.unacknowledged.empty() ? queue.decoded : queue.unacknowledged;
  const Job* const culprit = first.empty() ? nullptr : first.front();
  if (culprit)
    failures_.push_back(
        {name(), queue.config.qpn, culprit->wqe.index, psn, queue.retries, status, kernel_.now()});
  flush(queue, culprit, status);
}

/// The queue pair is in error from now on.
void Nic::flush(QueuePair& queue, const Job* culprit, CqeStatus status) {
  stop_timer(queue);
  queue.failed = true;
  while (!queue.unacknowledged.empty() || !queue.decoded.empty()) {
    std::deque<Job*>& from = queue.unacknowledged.empty() ? queue.decoded : queue.unacknowledged;
    Job& job = *from.front();
    from.pop_front();
    drop_payload(job);
    complete(queue, job, &job == culprit ? status : CqeStatus::flushed);
  }
  queue.fetches_out = 0;
  queue.read_at = 0;
  pump_payload();
}

}  // namespace gicsim::nic
