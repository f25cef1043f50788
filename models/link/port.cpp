// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/port.h"

#include <algorithm>
#include <utility>

#include "models/base/errors.h"

namespace gicsim::link {

Port::Port(sc_core::sc_module_name name, Kernel& kernel, const FabricParams& fabric,
           const ArbitrationParams& arbitration, BitRate rate, std::uint16_t number)
    : sc_module(name),
      kernel_(kernel),
      fabric_(fabric),
      rate_(rate),
      number_(number),
      arbiter_(arbitration) {
  in.bind(*this);
  wire_in.bind(*this);
  limit_.fill(blocks(fabric.vl_buffer));  // said while the link came up
}

void Port::end_of_elaboration() {
  wire_ = wire_out.operator->();
  device_ = device.operator->();
  wire_->sent_by(*this);
}

Picoseconds Port::send(const Packet& packet, Picoseconds ready) {
  const Lane lane = packet.priority;
  queues_[lane].push_back(packet);
  ready_[lane].push_back(ready);
  queued_ += packet.wire, lane_bytes_[lane] += packet.wire;
  stats_.queue_peak = std::max(stats_.queue_peak, queued_);
  pump();
  return Picoseconds::max();
}

bool Port::blocked(int priority) const {
  const auto lane = static_cast<Lane>(priority);
  return paused_[lane] || !has_credits(lane);
}

bool Port::has_credits(Lane lane) const {
  if (fabric_.flow_control != FlowControl::credits || queues_[lane].empty()) return true;
  return sent_blocks_[lane] + blocks(queues_[lane].front().wire) <= limit_[lane];
}

/// The next packet begins when the one before has left; what ports tell each other goes first.
void Port::pump() {
  if (busy_ || send_control()) return;
  unsigned ready = 0;
  bool waiting = false;
  for (int p = 0; p < priorities; ++p) {
    if (queues_[static_cast<Lane>(p)].empty()) continue;
    waiting = true;
    if (!blocked(p)) ready |= 1u << p;
  }
  const int picked = ready != 0 ? arbiter_.pick(ready) : -1;
  note_wait(waiting && picked < 0);
  if (picked < 0) return;
  const auto lane = static_cast<Lane>(picked);
  sending_ = std::move(queues_[lane].front());
  const Picoseconds came = ready_[lane].front();
  queues_[lane].pop_front(), ready_[lane].pop_front();
  queued_ -= sending_.wire, lane_bytes_[lane] -= sending_.wire;
  arbiter_.sent(picked, sending_.wire);
  sent_blocks_[lane] += blocks(sending_.wire);
  transmit(came);
}

/// Of a cable that stands still, on_sent() tells later.
void Port::transmit(Picoseconds came) {
  busy_ = true;
  const Picoseconds left = wire_->send(sending_, came);
  if (left != Picoseconds::max()) kernel_.at<&Port::on_free>(left, this);
}

void Port::on_sent(const Packet&, Picoseconds left) { kernel_.at<&Port::on_free>(left, this); }

bool Port::send_control() {
  for (Lane lane = 0; lane < credit_due_.size() && controls_.empty(); ++lane) {
    if (!std::exchange(credit_due_[lane], false)) continue;
    Packet credit;
    credit.kind = PacketKind::credit;
    credit.priority = static_cast<std::uint8_t>(lane);
    credit.value = static_cast<std::uint64_t>(blocks(fabric_.vl_buffer) + freed_blocks_[lane]);
    credit.wire = credit_packet;
    controls_.push_back(credit);
    ++stats_.credits_sent;
  }
  if (controls_.empty()) return false;
  sending_ = controls_.front();
  controls_.pop_front();
  transmit(kernel_.now());
  return true;
}

void Port::on_free() {
  busy_ = false;
  if (source_ && !is_link_control(sending_.kind)) {
    const Packet left = sending_;
    pump();
    return source_->on_sent(left, kernel_.now());
  }
  pump();
}

void Port::note_wait(bool waiting) {
  if (waiting == waits_) return;
  waits_ = waiting;
  if (waiting)
    ++stats_.held_up, waits_since_ = kernel_.now();
  else
    stats_.wait += kernel_.now() - waits_since_;
}

void Port::arrive(const Packet& packet) {
  if (is_link_control(packet.kind)) {
    const Picoseconds due =
        kernel_.now() + (packet.kind == PacketKind::pause ? fabric_.response : 0ns);
    told_.push(packet, due);
    kernel_.at<&Port::on_told>(due, this);
    return;
  }
  Packet here = packet;
  here.ingress = number_;
  if (at_once_) release(packet);
  device_->arrive(here);
}

void Port::on_told() {
  const Packet said = *told_.pop_due(kernel_.now());
  const Lane lane = said.priority;
  if (said.kind == PacketKind::credit) {
    limit_[lane] = static_cast<Count>(said.value);
    return pump();
  }
  ++stats_.pauses_received;
  if (said.value == 0) return set_paused(lane, false);
  paused_until_[lane] = kernel_.now() + pause_time(static_cast<Count>(said.value), rate_);
  kernel_.tick<&Port::on_expired>(paused_until_[lane], this);
  set_paused(lane, true);
}

/// A pause that wasn't said again. It keeps no run alive: whoever says pauses says them again in
/// time.
void Port::on_expired() {
  for (Lane lane = 0; lane < paused_.size(); ++lane)
    if (paused_[lane] && paused_until_[lane] <= kernel_.now()) set_paused(lane, false);
}

void Port::set_paused(Lane lane, bool on) {
  if (paused_[lane] == on) return;
  paused_[lane] = on;
  if (on)
    paused_at_[lane] = kernel_.now();
  else
    stats_.paused += kernel_.now() - paused_at_[lane];
  pump();
}

void Port::pause(int priority, bool on) {
  const auto lane = static_cast<Lane>(priority);
  if (pausing_[lane] == on) return;
  pausing_[lane] = on;
  say_pause(lane, on);
}

void Port::say_pause(Lane lane, bool on) {
  Packet frame;
  frame.kind = PacketKind::pause;
  frame.priority = static_cast<std::uint8_t>(lane);
  frame.value = on ? static_cast<std::uint64_t>(fabric_.pause_quanta) : 0;
  frame.wire = pause_frame;
  controls_.push_back(frame);
  ++stats_.pauses_sent;
  if (on && !first_pause_) first_pause_ = kernel_.now();
  if (on) {
    repeat_at_[lane] = kernel_.now() + pause_time(fabric_.pause_quanta, rate_) / 2;
    kernel_.tick<&Port::on_repeat>(repeat_at_[lane], this);
  }
  pump();
}

/// At half its time, so that it doesn't end by itself.
void Port::on_repeat() {
  for (Lane lane = 0; lane < pausing_.size(); ++lane)
    if (pausing_[lane] && repeat_at_[lane] <= kernel_.now()) say_pause(lane, true);
}

/// A NIC, whose receive buffer knows no priorities.
void Port::pause(bool on) {
  if (fabric_.flow_control == FlowControl::pfc)
    for (int p = 0; p < priorities; ++p)
      if (is_in(fabric_.pfc_priorities, p)) pause(p, on);
  withheld_ = on;
  if (on) return;
  for (Lane lane = 0; lane < withheld_blocks_.size(); ++lane) {
    const Count held = std::exchange(withheld_blocks_[lane], 0);
    freed_blocks_[lane] += held;
    credit_due_[lane] = credit_due_[lane] || held > 0;
  }
  pump();
}

void Port::release(const Packet& packet) {
  if (fabric_.flow_control != FlowControl::credits) return;
  const Lane lane = packet.priority;
  if (withheld_) {
    withheld_blocks_[lane] += blocks(packet.wire);
    return;
  }
  freed_blocks_[lane] += blocks(packet.wire);
  credit_due_[lane] = true;
  pump();
}

Count Port::inside() const {
  Count n = 0;
  for (const auto& queue : queues_) n += static_cast<Count>(queue.size());
  return n;
}

}  // namespace gicsim::link
