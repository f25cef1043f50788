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
    const Job* const job = queue.unacknowledged.front();
    if (is_fetch(job->wqe.opcode)) count_fetches(queue, -1);
    if (!queue.repairs.empty() || !queue.missing.empty()) forget_repairs(queue, job);
    queue.unacknowledged.pop_front();
    return;
  }
  if (!queue.repairs.empty() || !queue.missing.empty()) forget_repairs(queue, queue.decoded.front());
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
      if (transport_.read_gap == ReadGap::ignored && !psn_reached(job->last_psn(), psn)) return;
      const bool waits = selective() || queue.config.reorders;
      if (waits && (!queue.acknowledged || psn_reached(*queue.acknowledged, psn))) queue.acknowledged = psn;
      if (queue.config.reorders) return;  // its answer may still come
      if (queue.implied == missing) return;
      ++queue.stats.implied_nak_seq_err;
      if (selective()) {
        repair(queue, missing);
        go_on(queue);
      } else {
        retry(queue, missing);
      }
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
  if (was_sending || selective() || (queue.config.service == Service::dc && queue.unacknowledged.empty())) go_on(queue);
}

void Nic::go_on(QueuePair& queue) {
  want_payload(queue, false);
  pump_payload();
  pump_packets(queue);
}

void Nic::progress(QueuePair& queue) {
  queue.retries = 0;
  queue.rnr_retries = 0;
  queue.implied.reset();
  while (!queue.missing.empty() && !psn_reached(queue.oldest_psn, *queue.missing.begin()))
    queue.missing.erase(queue.missing.begin());
  if (queue.late > 0) sooner(queue);
  if (!awaits(queue)) return stop_timer(queue);
  if (!queue.timer.running) return;
  queue.timer.deadline = kernel_.now() + time_out(queue);
  queue.silent_since = kernel_.now();
  if (queue.timer.deadline < queue.timer.tick_at) tick(queue.timer);  // it was further off
}

void Nic::on_deadline(QueuePair& queue) {
  AckTimer& timer = queue.timer;
  timer.ticking = false;
  if (!timer.running) return;
  if (kernel_.now() < timer.deadline) return tick(timer);
  ++stats_.timeouts;
  ++queue.stats.local_ack_timeout_err;
  queue.implied.reset();
  queue.gone_back = true;
  later(queue);
  if (queue.config.service == Service::dc) send_connect(queue, queue.oldest_psn);  // it may be what got lost
  retry(queue, queue.oldest_psn);
}

/// Adaptive time-outs are shorter, and more of them fit into the time after which the queue pair fails.
bool Nic::exhausted(const QueuePair& queue) const {
  if (transport_.rto == Rto::spec || queue.late == 0) return queue.retries == params_.retries;
  return kernel_.now() - queue.silent_since >= nic::time_out(params_) * transport_.timeout_factor * params_.retries;
}

void Nic::retry(QueuePair& queue, std::uint32_t psn) {
  if (exhausted(queue)) return fail(queue, psn, CqeStatus::retry_exceeded);
  ++queue.retries;
  if (selective()) return probe(queue);
  rewind(queue, psn, Stage::retransmit);
}

/// READs and atomics without their answer: so many more.
void Nic::count_fetches(QueuePair& queue, std::int64_t change) {
  const Picoseconds now = kernel_.now();
  stats_.answer_time += fetches_out_ * (now - std::exchange(fetches_since_, now));
  fetches_out_ += change;
  queue.fetches_out += change;
}

/// Everything from `psn` on, which lies in the oldest message, will be sent again.
void Nic::rewind(QueuePair& queue, std::uint32_t psn, Stage lost) {
  stop_timer(queue);
  if (selective()) forget_repairs(queue);
  for (; !queue.unacknowledged.empty(); queue.unacknowledged.pop_back())
    queue.decoded.push_front(queue.unacknowledged.back());
  count_fetches(queue, -queue.fetches_out);
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

/// Waits as long as the far side asks for. If that may go on for ever, it keeps no run alive.
void Nic::not_ready(QueuePair& queue, const Packet& nak) {
  const bool ever = transport_.rnr_retries == 7;
  if (queue.rnr_retries++ == transport_.rnr_retries && !ever)
    return fail(queue, nak.psn, CqeStatus::receiver_not_ready,
                "RNR NAKed " + std::to_string(queue.rnr_retries) + " times: the far side has no receive for it");
  queue.paused = true;
  rewind(queue, nak.psn, Stage::nic_wait);
  const Picoseconds due = kernel_.now() + rnr_timers[nak.rnr_timer];
  if (ever) kernel_.tick<&ReadyTimer::on_tick>(due, &queue.ready);
  else kernel_.at<&ReadyTimer::on_tick>(due, &queue.ready);
}

void Nic::on_receiver_ready(QueuePair& queue) {
  queue.paused = false;
  go_on(queue);
}

/// The oldest WQE gets an error CQE, all behind it are flushed, now and later.
void Nic::fail(QueuePair& queue, std::uint32_t psn, CqeStatus status, std::string cause) {
  queue.stats.req_transport_retries_exceeded += status == CqeStatus::retry_exceeded;
  queue.stats.req_rnr_retries_exceeded += status == CqeStatus::receiver_not_ready;
  const std::deque<Job*>& first = queue.unacknowledged.empty() ? queue.decoded : queue.unacknowledged;
  const Job* const culprit = first.empty() ? nullptr : first.front();
  if (culprit)
    failures_.push_back({name(), queue.config.qpn, culprit->wqe.index, psn, queue.retries, status, kernel_.now(), false,
                         std::move(cause)});
  flush(queue, culprit, status);
}

/// The queue pair is in error from now on.
void Nic::flush(QueuePair& queue, const Job* culprit, CqeStatus status) {
  stop_timer(queue);
  queue.failed = true;
  queue.state = QueueState::error;
  forget_early(queue);
  forget_repairs(queue);
  forget_responses(queue);
  if (queue.starved) no_longer_starved(queue);
  while (!queue.unacknowledged.empty() || !queue.decoded.empty()) {
    std::deque<Job*>& from = queue.unacknowledged.empty() ? queue.decoded : queue.unacknowledged;
    Job& job = *from.front();
    from.pop_front();
    drop_payload(job);
    complete(queue, job, &job == culprit ? status : CqeStatus::flushed);
  }
  count_fetches(queue, -queue.fetches_out);
  queue.read_at = 0;
  flush_receives(queue);
  pump_payload();
}

}  // namespace gicsim::nic
