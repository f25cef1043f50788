// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Selective repeat: a responder keeps what comes behind a gap and says what is missing; the requester sends that again, and
// nothing else. How vendors say so on the wire isn't published. Here a sequence NAK names the first missing packet and how
// many there are, once a gap; after Mittal et al., "Revisiting network support for RDMA", SIGCOMM 2018.
#include <algorithm>

#include "models/nic/nic.h"

namespace gicsim::nic {

/// A packet beyond the one that is next. What is kept stands outside of the receive buffer, or it could pause the wire that
/// the missing one has to come by; with out-of-order placement a write's data go to memory at once.
void Nic::keep_beyond(QueuePair& queue, const Packet& packet) {
  const auto drop = [&](Count& why, Count& its) {
    stats_.payload_discarded += packet.payload;
    ++why, ++its;
  };
  if (queue.starved || psn_distance(queue.expected_psn, packet.psn) >= transport_.reorder)
    return drop(stats_.out_of_sequence, queue.stats.out_of_sequence);
  if (const auto kept = queue.early.find(packet.psn); kept != queue.early.end()) {
    if (packet.ledger) kept->second.packet.ledger = packet.ledger;
    drop(stats_.duplicates, queue.stats.duplicate_request);
    return report_gaps(queue);  // the requester doesn't know: a NAK got lost
  }
  const std::uint32_t end =
      queue.early.empty() ? queue.expected_psn
                          : psn_plus(queue.early.rbegin()->first, psns_of(queue, queue.early.rbegin()->second.packet));
  if (packet.psn != end && psn_reached(end, packet.psn)) report(queue, end, packet.psn);
  const bool placed = queue.config.out_of_order && packet.kind == PacketKind::write && packet.payload > 0_B;
  if (placed) {
    stats_.payload_received += packet.payload;
    queue.stats.payload_received += packet.payload;
    put_down(queue, packet, packet.immediate ? LedgerRef{} : fork_delivery(packet));
  }
  keep(queue, packet, false);
  queue.early.at(packet.psn).placed = placed;
}

void Nic::report(QueuePair& queue, std::uint32_t from, std::uint32_t until) {
  Packet nak;
  nak.kind = PacketKind::nak;
  nak.syndrome = Syndrome::sequence_nak;
  nak.gap = from;
  nak.missing = static_cast<std::uint32_t>(psn_distance(from, until));
  queue.gaps_due.push_back(nak);
  take_turn(queue);
}

void Nic::report_gaps(QueuePair& queue) {
  std::uint32_t from = queue.expected_psn;
  for (const auto& [psn, early] : queue.early) {
    if (psn != from) report(queue, from, psn);
    from = psn_plus(psn, psns_of(queue, early.packet));
  }
}

/// No more is under way than the responder tells apart; a message of its own may be longer. So that the window moves on in a
/// long one, too, every half of it a packet asks for an ACK.
bool Nic::in_window(const QueuePair& queue, const Job& job) const {
  if (is_fetch(job.wqe.opcode) && queue.unacknowledged.empty()) return true;
  const std::uint32_t psn = job.numbered ? psn_plus(job.first_psn, job.sent) : queue.next_psn;
  return psn_distance(queue.oldest_psn, psn) < transport_.reorder;
}

/// Payload of packets beyond the window would hold the room that a repair needs.
bool Nic::worth_reading(const QueuePair& queue, const Job& job) const {
  std::int64_t at = psn_distance(queue.oldest_psn, psn_plus(job.numbered ? job.first_psn : queue.next_psn, job.asked));
  for (std::size_t i = 0; !job.numbered && i < queue.read_at; ++i)
    if (!queue.decoded[i]->numbered) at += queue.decoded[i]->packets;
  return at < transport_.reorder;
}

/// Something was sent that isn't acknowledged.
bool Nic::awaits(const QueuePair& queue) const {
  if (!queue.unacknowledged.empty()) return true;
  if (!selective() || queue.decoded.empty()) return false;
  const Job& job = *queue.decoded.front();
  return job.numbered && !is_fetch(job.wqe.opcode) && job.sent > psn_distance(job.first_psn, queue.oldest_psn);
}

/// What the responder misses, the requester sends again.
void Nic::on_gap(QueuePair& queue, const Packet& nak) {
  for (std::uint32_t n = 0; n < nak.missing; ++n) {
    const std::uint32_t psn = psn_plus(nak.gap, n);
    if (!psn_reached(queue.oldest_psn, psn)) continue;
    queue.missing.insert(psn);
    repair(queue, psn);
  }
  go_on(queue);
}

/// The message that a packet sent belongs to.
Job* Nic::sent_job(QueuePair& queue, std::uint32_t psn) {
  for (Job* job : queue.unacknowledged)
    if (psn_reached(job->first_psn, psn) && psn_reached(psn, job->last_psn())) return job;
  if (queue.decoded.empty()) return nullptr;
  Job* const job = queue.decoded.front();
  const bool sent = job->numbered && job->sent > 0 && psn_reached(job->first_psn, psn) &&
                    psn_distance(job->first_psn, psn) < job->sent;
  return sent ? job : nullptr;
}

void Nic::repair(QueuePair& queue, std::uint32_t psn) {
  Job* const job = sent_job(queue, psn);
  if (!job) return;
  const bool fetch = is_fetch(job->wqe.opcode);
  if (fetch) psn = missing_psn(*job);
  for (const Repair* other : queue.repairs)
    if (other->job == job && other->first_psn == psn) return;
  if (free_repairs_.empty()) free_repairs_.push_back(&repairs_.emplace_back());
  Repair& repair = *free_repairs_.back();
  free_repairs_.pop_back();
  repair = Repair{};
  repair.queue = &queue;
  repair.repair = true;
  repair.job = job;
  repair.first_psn = psn;
  const Bytes begin = queue.mtu * psn_distance(job->first_psn, psn);
  repair.address = job->address + static_cast<Address>(begin.count());
  repair.length = std::min(queue.mtu, job->length - begin);
  repair.buffered = job->buffered && repair.length > 0_B;
  if (!repair.buffered) repair.asked = repair.here = 1;
  queue.repairs.push_back(&repair);
}

/// Repairs whose payload is here go out before anything new.
void Nic::pump_repairs(QueuePair& queue) {
  while (!queue.repairs.empty() && !queue.paused && queue.repairs.front()->here == 1) {
    Repair& repair = *queue.repairs.front();
    Job& job = *repair.job;
    Packet packet = packet_at(queue, job, psn_distance(job.first_psn, repair.first_psn));
    packet.ack_request = true;
    bool whole = packet.last;
    if (is_fetch(job.wqe.opcode)) {  // up to what is here already
      const auto next = queue.early_responses.upper_bound(repair.first_psn);
      whole = next == queue.early_responses.end() || !psn_reached(next->first, job.last_psn());
      if (!whole) packet.length = std::min(packet.length, queue.mtu * psn_distance(repair.first_psn, next->first));
    }
    if (Message* message = job.wqe.message; message && whole) {
      message->completion.take_back(kernel_.now());
      message->completion.close(Stage::retransmit, name(), kernel_.now());
      packet.ledger = &message->completion;
      job.again = true;
    }
    ++stats_.resent;
    ++queue.stats.retransmitted;
    ++stats_.repaired;
    queue.repairs.pop_front();
    repair.sent = 1;
    const bool buffered = repair.buffered;
    recycle(repair);
    build(queue, packet, buffered, nullptr);
  }
}

/// @param of  null: all
void Nic::forget_repairs(QueuePair& queue, const Job* of) {
  std::erase_if(queue.repairs, [&](Repair* repair) {
    if (of && repair->job != of) return false;
    drop_payload(*repair);
    recycle(*repair);
    return true;
  });
  while (!queue.missing.empty() && (!of || psn_reached(*queue.missing.begin(), of->last_psn())))
    queue.missing.erase(queue.missing.begin());
}

void Nic::recycle(Repair& repair) {
  repair.ended = true;
  if (repair.void_reads == 0) free_repairs_.push_back(&repair);
}

/// The timer ran out: what is known to be missing, the oldest, and the newest, at whose arrival the responder says what else
/// it misses.
void Nic::probe(QueuePair& queue) {
  stop_timer(queue);
  repair(queue, queue.oldest_psn);
  const auto missing = queue.missing;
  for (const std::uint32_t psn : missing)
    if (psn_reached(queue.oldest_psn, psn)) repair(queue, psn);
  const Job* newest = queue.unacknowledged.empty() ? nullptr : queue.unacknowledged.back();
  if (newest) repair(queue, newest->last_psn());
  if (!queue.decoded.empty() && queue.decoded.front()->numbered && queue.decoded.front()->sent > 0)
    repair(queue, psn_plus(queue.decoded.front()->first_psn, queue.decoded.front()->sent - 1));
  go_on(queue);
}

/// A response beyond the one that is next. @return whether it is kept
bool Nic::keep_response(QueuePair& queue, const Packet& packet) {
  if (!(selective() || queue.config.reorders) || !psn_reached(queue.oldest_psn, packet.psn) ||
      queue.early_responses.contains(packet.psn) || !sent_job(queue, packet.psn) || queue.failed)
    return false;
  if (packet.ledger) packet.ledger->close(Stage::nic_rx, name(), kernel_.now());
  stats_.kept_peak = std::max(stats_.kept_peak, ++kept_);
  stats_.early += queue.config.reorders;
  queue.early_responses.emplace(packet.psn, packet);
  return true;
}

/// Something that was missing has come: responses that were kept, and acknowledgements that waited for it.
void Nic::go_through(QueuePair& queue) {
  while (!queue.early_responses.empty()) {
    const auto first = queue.early_responses.begin();
    const Packet packet = first->second;
    const bool late = !psn_reached(queue.oldest_psn, packet.psn);
    if (!late) acknowledge(queue, psn_plus(packet.psn, -1));
    const Job* job = oldest(queue);
    if (!late && (!job || !is_fetch(job->wqe.opcode) || missing_psn(*job) != packet.psn)) break;
    queue.early_responses.erase(first);
    --kept_;
    if (late) {
      stats_.payload_discarded += packet.payload;
      continue;
    }
    const Bytes before = std::exchange(unplaced_, packet.payload);
    receiving_ += packet.payload;
    if (packet.ledger) packet.ledger->close(queue.config.reorders ? Stage::nic_wait : Stage::retransmit, name(), kernel_.now());
    take_response(queue, *oldest(queue), packet);
    if (unplaced_ > 0_B) leave_room(unplaced_);
    unplaced_ = before;
  }
  if (!queue.acknowledged || !psn_reached(queue.oldest_psn, *queue.acknowledged)) return;
  acknowledge(queue, *std::exchange(queue.acknowledged, std::nullopt));
}

void Nic::forget_responses(QueuePair& queue) {
  for (const auto& [psn, packet] : queue.early_responses) {
    --kept_;
    stats_.payload_discarded += packet.payload;
  }
  queue.early_responses.clear();
}

}  // namespace gicsim::nic
