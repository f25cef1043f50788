// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// What a responder owes: ACKs and NAKs, in order with its responses. Source: InfiniBand 1.5, 9.7.5.1.2, 9.7.5.2
#include "models/nic/nic.h"

namespace gicsim::nic {

void Nic::owe_nak(QueuePair& queue, Syndrome why) {
  queue.nak_due = why;
  if (transport_.ack == Acks::every) {
    Packet nak;
    nak.kind = PacketKind::nak;
    nak.syndrome = *std::exchange(queue.nak_due, std::nullopt);
    nak.psn = queue.expected_psn;
    nak.msn = queue.msn;
    queue.acks_due.push_back(nak);
  }
  take_turn(queue);
}

void Nic::owe_ack(QueuePair& queue, const Packet& packet) {
  queue.ack_psn = packet.psn;
  queue.ack_ledger = packet.ledger;
  queue.ack_owed = transport_.ack == Acks::coalesced;
  if (transport_.ack == Acks::every) {
    Packet ack;
    ack.kind = PacketKind::ack;
    ack.psn = transport_.acks_name_reads ? psn_plus(queue.expected_psn, -1) : queue.newest_psn;
    ack.msn = queue.msn;
    ack.ledger = std::exchange(queue.ack_ledger, {});
    queue.acks_due.push_back(ack);
  }
  take_turn(queue);
}

/// ACKs and NAKs are in order with the responses, so they wait until those are on the wire.
void Nic::take_turn(QueuePair& queue) {
  const bool every = transport_.ack == Acks::every;
  if (queue.ack_due && !every) return;
  if (!queue.replies.empty()) {
    queue.ack_deferred = true;
    return;
  }
  const auto turn = [&] {
    const Slot slot = acker_.serve(kernel_.now());
    stats_.ack_busy += slot.end - slot.start;
    if (queue.ack_ledger) queue.ack_ledger->waited(slot.start - kernel_.now());
    const Picoseconds due = slot.start + params_.ack_turn;
    ack_turns_.push(&queue, due);
    kernel_.at<&Nic::on_ack_turn>(due, this);
  };
  queue.ack_due = true;
  if (!every) return turn();
  for (; queue.turns < static_cast<std::int64_t>(queue.acks_due.size() + queue.gaps_due.size()); ++queue.turns) turn();
}

/// One ACK tells of everything received so far: whatever became due meanwhile has coalesced. A READ
/// or atomic that came meanwhile and is to be answered sets its limit.
void Nic::on_ack_turn() {
  QueuePair& queue = **ack_turns_.pop_due(kernel_.now());
  queue.ack_due = false;
  if (transport_.ack == Acks::every) return next_ack(queue);
  Packet ack;
  ack.psn = psn_plus(queue.expected_psn, -1);
  ack.msn = queue.msn;
  if (!queue.replies.empty()) {
    ack.psn = psn_plus(queue.replies.front()->first_psn, -1);
    ack.msn = psn_plus(queue.replies.front()->msn, -1);
    if (queue.nak_due || (queue.gaps_due.empty() && !psn_reached(queue.ack_psn, ack.psn))) {
      queue.ack_deferred = true;
      return;
    }
  }
  if (!queue.gaps_due.empty()) return next_gap(queue, ack.psn);
  ack.kind = PacketKind::ack;
  if (queue.nak_due) {
    ack.kind = PacketKind::nak;
    ack.syndrome = *queue.nak_due;
    ack.psn = queue.expected_psn;
    queue.nak_due.reset();
  }
  ack.ledger = std::exchange(queue.ack_ledger, {});
  queue.ack_owed = false;
  send_ack(queue, ack);
}

/// A NAK of selective repeat acknowledges what it may, as an ACK would.
void Nic::next_gap(QueuePair& queue, std::uint32_t arrived) {
  Packet nak = queue.gaps_due.front();
  queue.gaps_due.pop_front();
  nak.psn = psn_plus(arrived, 1);
  if (queue.ack_owed && psn_reached(queue.ack_psn, arrived)) {
    queue.ack_owed = false;
    nak.ledger = std::exchange(queue.ack_ledger, {});
  }
  send_ack(queue, nak);
  if (!queue.gaps_due.empty() || queue.ack_owed) take_turn(queue);
}

/// `ack: every`: each in its turn, behind the responses that come before it.
void Nic::next_ack(QueuePair& queue) {
  --queue.turns;
  if (!queue.gaps_due.empty()) return next_gap(queue, psn_plus(queue.expected_psn, -1));
  if (queue.acks_due.empty()) return;
  const Packet ack = queue.acks_due.front();
  const std::uint32_t of = psn_plus(ack.psn, ack.kind == PacketKind::ack ? 0 : -1);
  if (!queue.replies.empty() && !psn_reached(of, psn_plus(queue.replies.front()->first_psn, -1))) {
    queue.ack_deferred = true;
    return;
  }
  queue.acks_due.pop_front();
  send_ack(queue, ack);
}

void Nic::send_ack(QueuePair& queue, Packet ack) {
  if (ack.syndrome == Syndrome::rnr_nak) ack.rnr_timer = rnr_code(params_.rnr_timer);
  ++(ack.kind == PacketKind::ack ? stats_.acks_sent : stats_.naks_sent);
  ++(ack.kind == PacketKind::ack ? queue.stats.acks_sent : queue.stats.naks_sent);
  address(ack, queue);
  ack.wire = overhead_.on_wire(ack);
  if (ack.ledger) ack.ledger->close(Stage::nic_ack, name(), kernel_.now());
  emit(ack);
}

}  // namespace gicsim::nic
