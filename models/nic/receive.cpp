// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// From the wire into memory: a receive buffer that pauses its sender or overruns, and the writes that empty it.
#include <algorithm>

#include "models/nic/nic.h"

namespace gicsim::nic {

/// A packet's payload takes room from its last bit until it has arrived at its memory. @return whether there is some
bool Nic::take_room(const Packet& packet) {
  if (packet.payload == 0_B) return true;
  if (receiving_ + packet.payload > params_.receive_buffer) {
    ++stats_.overruns;
    stats_.payload_discarded += packet.payload;
    return false;
  }
  receiving_ += packet.payload;
  stats_.receive_peak = std::max(stats_.receive_peak, receiving_);
  if (params_.lossless && upstream_ && receiving_ > params_.xoff && !std::exchange(pausing_upstream_, true)) {
    ++stats_.pauses_asked;
    upstream_->pause(true);
  }
  return true;
}

void Nic::leave_room(Bytes length) {
  receiving_ -= length;
  if (pausing_upstream_ && receiving_ <= params_.xon) {
    pausing_upstream_ = false;
    upstream_->pause(false);
  }
}

/// What arrived for a queue pair goes to memory; the ordering checker follows where a message's data are.
Transfer& Nic::inbound(QueuePair& queue, const Packet& packet, Stage stage, Address address, Bytes length) {
  const bool flag = is_atomic(packet.kind) || (packet.wqe && packet.wqe->flag);
  Transfer& write = port_->make();
  write.kind = Transfer::Kind::write;
  write.stage = stage;
  write.relaxed = flag ? queue.config.relaxed_flags : queue.config.relaxed_data;
  write.ordered = !write.relaxed;
  write.address = address;
  write.length = length;
  if (packet.payload > 0_B) {
    write.initiator = this;
    write.owner = &queue;
    unplaced_ -= length;
  }
  return write;
}

/// With out-of-order placement each write waits for a receive engine of its own; what tells of the data waits for all.
void Nic::place(QueuePair& queue, Transfer& write) {
  const Picoseconds now = kernel_.now();
  if (!queue.config.out_of_order || placement_wait_ == Picoseconds{}) return port_->submit(write);
  const auto wait = placement_.below(static_cast<std::uint64_t>(placement_wait_.count()) + 1);
  const Picoseconds due = now + Picoseconds{static_cast<std::int64_t>(wait)};
  queue.placed = std::max(queue.placed, due);
  placing_.emplace(due, &write);
  kernel_.at<&Nic::on_place>(due, this);
}

void Nic::on_place() {
  Transfer& write = *placing_.begin()->second;
  placing_.erase(placing_.begin());
  port_->submit(write);
}

void Nic::on_placed(Transfer& write) {
  leave_room(write.length);
  auto* message = static_cast<Message*>(write.cookie);
  if (!message) return;
  Placed& data = message->data;
  data.missing -= write.length;
  const Picoseconds visible = std::max(write.arrived.visible, kernel_.now());
  if (visible < data.visible) return;
  data.visible = visible;
  data.latest = write.address;
}

/// The wire was paused when it got this one.
void Nic::on_sent(const Packet& packet, Picoseconds left) {
  if (!packet.buffered) return;
  leave_buffer(packet.payload, left);
  if (!to_read_.empty()) pump_payload();
}

}  // namespace gicsim::nic
