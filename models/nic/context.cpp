// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the NIC waits for what isn't in its caches. A requester's context is known from the doorbell and fetched ahead, many
// at once; the receive pipeline needs contexts in order of arrival and stands behind the first that isn't here.
#include <algorithm>
#include <utility>

#include "models/nic/nic.h"

namespace gicsim::nic {

/// Of a rung queue pair, before its first fetch. @return false: it is in fetch, and the doorbell is taken up again then
bool Nic::requester_here(QueuePair& queue) {
  if (queue.context_asked) return false;
  ContextStats& stats = contexts_->stats();
  Contexts::Keys keys;
  if (!contexts_->all_contexts()) contexts_->add(keys, queue.config.qpn, Contexts::Role::requester);
  if (keys.empty() || contexts_->cached(keys)) {
    ++stats.requester_hits;
    return true;
  }
  ++stats.requester_misses;
  queue.context_asked = true;
  contexts_->fetch(Contexts::Way::ahead, keys, [this, &queue] {
    queue.context_asked = false;
    want_fetch(queue);
    pump_fetch();
  });
  return false;
}

/// Key and pages of the payload that a stream reads next. @return false: they are in fetch; the queue pair has its turn again then
bool Nic::translated(Stream& stream, bool reply) {
  QueuePair& queue = *stream.queue;
  bool& known = queue.translated[reply];
  if (contexts_->all_memory() || std::exchange(known, false)) return true;
  const Bytes begin = queue.mtu * stream.asked;
  Contexts::Keys keys;
  contexts_->add(keys, stream.address + static_cast<Address>(begin.count()), std::min(queue.mtu, stream.length - begin));
  if (keys.empty()) return true;
  ContextStats& stats = contexts_->stats();
  if (contexts_->cached(keys)) {
    ++stats.translation_hits;
    return true;
  }
  ++stats.translation_misses;
  contexts_->fetch(Contexts::Way::ahead, keys, [this, &queue, &known, reply] {
    known = true;
    (reply ? queue.reply_reading : queue.reading) = false;
    want_payload(queue, reply);
    pump_payload();
  });
  return false;
}

/// Whose context a packet needs: of a DC target, what it knows of that initiator.
std::uint32_t Nic::context_of(const Packet& packet) const {
  if (packet.service != Service::dc) return packet.qpn;
  const auto found = dynamic_.find({packet.qpn, packet.from, packet.source_qpn});
  return found == dynamic_.end() || !found->second ? packet.qpn : found->second->config.qpn;
}

/// What a packet needs to be received. @return whether it is all here
bool Nic::receivable(const Packet& packet, std::uint32_t context, Contexts::Keys& keys) {
  const bool response = is_response(packet.kind);
  if (!contexts_->all_contexts())
    contexts_->add(keys, context, response ? Contexts::Role::requester : Contexts::Role::responder);
  if (packet.kind == PacketKind::write && packet.payload > 0_B && !contexts_->all_memory())
    contexts_->add(keys, packet.address, packet.payload);
  return keys.empty() || contexts_->cached(keys);
}

/// Into the receive pipeline, in order of arrival. What waits behind a packet that lacks its context asks for its own.
void Nic::enter(const Packet& packet) {
  Contexts::Keys keys;
  const std::uint32_t context = context_of(packet);
  const bool here = receivable(packet, context, keys);
  const bool asks = !here && asked_for_.insert(context).second;
  ContextStats& stats = contexts_->stats();
  ++(asks ? stats.responder_misses : stats.responder_hits);
  if (here && stalled_.empty()) return receive(packet);
  if (stalled_.empty()) stands_since_ = kernel_.now();
  Stalled& one = stalled_.emplace_back(Stalled{packet, kernel_.now(), context});
  if (!asks) return;
  one.asked = true;
  contexts_->fetch(Contexts::Way::in_order, keys, [this, &one] {
    one.ready = true;
    asked_for_.erase(one.context);
    pump_stalled();
  });
}

void Nic::pump_stalled() {
  ContextStats& stats = contexts_->stats();
  stats.stalled += kernel_.now() - std::exchange(stands_since_, kernel_.now());
  while (!stalled_.empty()) {
    Stalled& first = stalled_.front();
    Contexts::Keys keys;
    if (first.asked && !first.ready) return;
    if (!first.ready && !receivable(first.packet, first.context, keys)) {
      first.asked = true;
      return contexts_->fetch(Contexts::Way::in_order, keys, [this, &first] {
        first.ready = true;
        pump_stalled();
      });
    }
    if (first.packet.ledger) first.packet.ledger->waited(kernel_.now() - first.since);
    receive(first.packet);
    stalled_.pop_front();
  }
}

/// When a processing unit takes a packet that comes now.
Picoseconds Nic::unit_free(Picoseconds now) {
  if (!units_) return now;
  const Slot slot = units_->serve(now);
  fetch_stats_.unit_busy += slot.end - slot.start;
  fetch_stats_.unit_wait += slot.start - now;
  return slot.start;
}

}  // namespace gicsim::nic
