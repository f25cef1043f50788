// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// READs and atomics at the responder: executed once, answered in order of their PSNs.
// Source: InfiniBand 1.5, 9.4.4 (READ), 9.4.5 (atomics), 9.7.5.2 (duplicates)
#include <algorithm>

#include "models/nic/nic.h"
#include "models/protocol/ending.h"

namespace gicsim::nic {

void Nic::accept_fetch(QueuePair& queue, const Packet& packet) {
  if (packet.ledger) packet.ledger->close(Stage::nic_rx, name(), kernel_.now());
  queue.msn = psn_plus(queue.msn, 1);
  ++(packet.kind == PacketKind::read_request ? queue.stats.rx_read_requests : queue.stats.rx_atomic_requests);
  Reply& reply = new_reply(queue, packet);
  if (packet.kind == PacketKind::read_request && transport_.read_again == RepeatedReads::resumed) {
    queue.reads.push_back(packet.psn);
    if (static_cast<std::int64_t>(queue.reads.size()) > queue.fetches) queue.reads.pop_front();
  }
  queue.expected_psn = psn_plus(queue.expected_psn, reply.packets);
  if (is_atomic(reply.opcode)) {
    reply.operand = packet.wqe->value;
    reply.compare = packet.wqe->compare;
    reply.message = packet.wqe->message;
  }
  execute(reply);
}

/// A READ is executed anew, from the packet that is asked for; what was being sent from there on is
/// broken off. An atomic is answered from its saved result.
void Nic::repeat_fetch(QueuePair& queue, const Packet& packet) {
  if (packet.kind == PacketKind::read_request) {
    if (!selective()) cut_replies(queue, packet.psn);
    Reply& reply = new_reply(queue, packet);
    reply.again = true;
    reply.resumed = transport_.read_again == RepeatedReads::resumed &&
                    std::find(queue.reads.begin(), queue.reads.end(), packet.psn) == queue.reads.end();
    return execute(reply);
  }
  for (Reply* pending : queue.replies) {
    if (pending->first_psn != packet.psn || pending->sent > 0) continue;
    pending->ledger = packet.ledger;
    return;
  }
  for (const QueuePair::Saved& saved : queue.saved) {
    if (saved.psn != packet.psn) continue;
    Reply& reply = new_reply(queue, packet);
    reply.known = reply.again = true;
    reply.value = saved.value;
    return execute(reply);
  }
}

/// Takes its place among the responses that are still to be sent.
Reply& Nic::new_reply(QueuePair& queue, const Packet& packet) {
  if (free_replies_.empty()) free_replies_.push_back(&replies_.emplace_back());
  Reply& reply = *free_replies_.back();
  free_replies_.pop_back();
  reply = Reply{};
  reply.queue = &queue;
  reply.address = packet.address;
  reply.first_psn = packet.psn;
  reply.ledger = packet.ledger;
  reply.msn = queue.msn;
  if (packet.kind == PacketKind::read_request) {
    reply.length = packet.length;
    reply.packets = std::max<std::int64_t>(1, pieces(packet.length, queue.mtu));
    reply.buffered = packet.length > 0_B;
  } else {
    reply.opcode = packet.psn == queue.expected_psn ? packet.wqe->opcode : Opcode::fetch_add;
  }
  if (!reply.buffered) reply.asked = reply.here = reply.packets;
  if (selective()) {  // in front it might need room that those behind it hold; the requester keeps what comes early
    queue.replies.push_back(&reply);
    return reply;
  }
  const auto behind = std::find_if(queue.replies.begin(), queue.replies.end(), [&](const Reply* other) {
    return other->sent == 0 && !psn_reached(other->first_psn, reply.first_psn);
  });
  queue.replies.insert(behind, &reply);
  return reply;
}

/// Responses to READs end where the requester wants to go on.
void Nic::cut_replies(QueuePair& queue, std::uint32_t psn) {
  const std::deque<Reply*> all = queue.replies;
  for (Reply* reply : all) {
    if (is_atomic(reply->opcode) || reply->sent == reply->packets || !psn_reached(psn, reply->last_psn())) continue;
    drop_payload(*reply);
    reply->packets = reply->asked = reply->here = reply->sent;
    if (reply->building == 0) retire(*reply);
  }
}

void Nic::execute(Reply& reply) {
  ++stats_.requests_answered;
  reply.executing = true;
  const Picoseconds due = std::max({kernel_.now() + params_.execute, reply.queue->placed, executed_});
  executed_ = due;
  executing_.push(&reply, due);
  kernel_.at<&Nic::on_execute>(due, this);
}

void Nic::on_execute() {
  Reply& reply = **executing_.pop_due(kernel_.now());
  reply.executing = false;
  if (reply.ended) return recycle(reply);
  if (reply.ledger) reply.ledger->close(Stage::nic_execute, name(), kernel_.now());
  if (is_atomic(reply.opcode) && !reply.known) {
    return lock(reply);
  }
  reply.ready = true;
  if (!reply.buffered) return pump_replies(*reply.queue);
  want_payload(*reply.queue, true);
  pump_payload();
}

void Nic::pump_replies(QueuePair& queue) {
  for (Reply* reply : queue.replies) {
    while (reply->ready && reply->sent < reply->here) build_response(queue, *reply);
    if (reply->sent < reply->packets || !reply->ready) return;
  }
}

void Nic::build_response(QueuePair& queue, Reply& reply) {
  Packet packet;
  packet.kind = is_atomic(reply.opcode) ? PacketKind::atomic_response : PacketKind::read_response;
  packet.first = reply.sent == 0 && !reply.resumed;
  packet.msn = reply.msn;
  packet.psn = psn_plus(reply.first_psn, reply.sent);
  packet.payload = std::min(queue.mtu, reply.length - queue.mtu * reply.sent);
  packet.last = ++reply.sent == reply.packets;
  if (packet.last) {
    packet.value = reply.value;
    packet.ledger = reply.ledger;
    if (packet.ledger) packet.ledger->close(Stage::nic_wait, name(), kernel_.now());
  }
  ++reply.building;
  build(queue, packet, reply.buffered, &reply);
}

/// Its last packet is on the wire, or nobody wants it any more. What waited for that goes on.
void Nic::retire(Reply& reply) {
  QueuePair& queue = *reply.queue;
  queue.replies.erase(std::find(queue.replies.begin(), queue.replies.end(), &reply));
  reply.ended = true;
  recycle(reply);
  if (queue.replies.empty() && std::exchange(queue.ack_deferred, false)) take_turn(queue);
}

void Nic::recycle(Reply& reply) {
  if (reply.void_reads == 0 && !reply.executing) free_replies_.push_back(&reply);
}

}  // namespace gicsim::nic
