// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/switch.h"

#include <algorithm>
#include <string>

#include "models/base/errors.h"

namespace gicsim::link {

Switch::Switch(sc_core::sc_module_name name, Kernel& kernel, const SwitchParams& params, int ports)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      routes_(this->name()),
      free_at_(static_cast<std::size_t>(ports)),
      waiting_(static_cast<std::size_t>(ports)),
      ends_(static_cast<std::size_t>(ports)) {
  in.bind(*this);
  out.init(static_cast<std::size_t>(ports));
}

void Switch::manage(const BufferParams& buffer, const FabricParams& fabric, std::uint64_t seed) {
  managed_ = true;
  Count lossless = 0;
  if (fabric.flow_control == FlowControl::pfc) lossless = fabric.pfc_priorities;
  if (fabric.flow_control != FlowControl::credits) buffer_.emplace(buffer, lossless, out.size());
  pauses_ = lossless != 0;
  random_ = RandomStream(seed, std::string(name()) + ".marks");
}

void Switch::attach(int number, Port& port) { ends_[static_cast<std::size_t>(number)] = &port; }

void Switch::end_of_elaboration() {
  for (auto& port : out) ports_.push_back(port.operator->());
  for (std::size_t i = 0; i < ends_.size(); ++i)
    if (ends_[i]) ports_[i]->sent_by(*this);
}

/// By what waits for a port, if that decides.
int Switch::way(const Packet& packet) const {
  switch (routing_) {
    case Routing::fixed:
      return routes_.fixed(packet);
    case Routing::ecmp:
      return routes_.hashed(packet);
    case Routing::adaptive:
      break;
  }
  return routes_.cheapest(packet, [&](int port) {
    const auto at = static_cast<std::size_t>(port);
    return managed_ ? waiting_[at].count() : std::max(free_at_[at], kernel_.now()).count();
  });
}

void Switch::arrive(const Packet& packet) {
  if (!routes_.leads_to(packet.to))
    throw ModelError(name(), kernel_.now(), "no route to port " + std::to_string(packet.to));
  Packet here = packet;
  if (managed_) here.egress = static_cast<std::uint16_t>(way(packet));
  if (buffer_ && !store(here)) return;
  ++stats_.packets;
  if (managed_) waiting_[here.egress] += here.wire;
  payload_inside_ += here.payload;
  const Picoseconds due = kernel_.now() + params_.latency;
  inside_.push(here, due);
  kernel_.at<&Switch::on_forwarded>(due, this);
}

bool Switch::store(const Packet& packet) {
  const SharedBuffer::Outcome outcome = buffer_->enter(packet);
  stats_.buffer_peak = buffer_->peak();
  if (outcome == SharedBuffer::Outcome::pause) ends_[packet.ingress]->pause(packet.priority, true);
  if (outcome != SharedBuffer::Outcome::dropped) return true;
  ++stats_.dropped;
  if (buffer_->lossless(packet.priority)) ++stats_.dropped_lossless;
  stats_.payload_dropped += packet.payload;
  return false;
}

void Switch::on_forwarded() {
  Packet packet = *inside_.pop_due(kernel_.now());
  if (packet.ledger) packet.ledger->close(Stage::switching, name(), kernel_.now());
  if (!managed_) packet.egress = static_cast<std::uint16_t>(way(packet));
  const std::size_t to = packet.egress;
  if (packet.ecn == Ecn::capable && marks(packet)) {
    packet.ecn = Ecn::congested;
    ++stats_.marked;
    if (!first_mark_) first_mark_ = kernel_.now();
  }
  if (!managed_) payload_inside_ -= packet.payload;
  const Picoseconds left = ports_[to]->send(packet, kernel_.now());
  if (!managed_) free_at_[to] = left;
}

bool Switch::marks(const Packet& packet) {
  if (!ecn_ && !fecn_threshold_) return false;
  const Bytes waiting = ends_[packet.egress]->queued(packet.priority);
  if (ecn_) return marking(*ecn_, waiting).happens(random_.next());
  if (waiting <= *fecn_threshold_ || unmarked_++ < fecn_left_out_) return false;
  unmarked_ = 0;
  return true;
}

void Switch::on_sent(const Packet& packet, Picoseconds) {
  payload_inside_ -= packet.payload;
  waiting_[packet.egress] -= packet.wire;
  if (buffer_ && buffer_->leave(packet) && pauses_)
    ends_[packet.ingress]->pause(packet.priority, false);
  ends_[packet.ingress]->release(packet);
}

}  // namespace gicsim::link
