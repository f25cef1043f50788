// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/wire.h"

#include <algorithm>
#include <string>

#include "models/base/errors.h"

namespace gicsim::link {

PacketOverhead overhead(Protocol protocol) {
  return protocol == Protocol::infiniband ? infiniband_overhead : rocev2_overhead;
}

Wire::Wire(sc_core::sc_module_name name, Kernel& kernel, const WireParams& params, Kernel::Lane lane,
           Probe<PacketSent>& sent, std::uint64_t seed)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      lane_(lane),
      sent_(sent),
      serialiser_(params.rate),
      loss_(params, seed, this->name()) {
  in.bind(*this);
}

Picoseconds Wire::send(const Packet& packet, Picoseconds ready) {
  const auto slot = serialiser_.send(ready, packet.wire);
  stats_.packets += 1;
  stats_.payload += packet.payload;
  stats_.wire += packet.wire;
  stats_.busy += slot.end - slot.start;
  if (packet.ledger) packet.ledger->waited(slot.start - ready);
  const bool lost = loss_.takes(packet);
  sent_.announce([&] { return PacketSent{packet, name(), slot.start, slot.end, lost}; });
  if (lost) {
    ++stats_.lost;
    stats_.payload_lost += packet.payload;
    return slot.end;
  }
  const Picoseconds due = slot.end + params_.fec + params_.flight;
  flying_.push({packet, slot.end}, due);
  stats_.queued_peak = std::max(stats_.queued_peak, static_cast<Count>(flying_.size()));
  kernel_.at<&Wire::on_arrived>(due, this, lane_);
  return slot.end;
}

void Wire::on_arrived() {
  const Flying flying = *flying_.pop_due(kernel_.now());
  if (Ledger* ledger = flying.packet.ledger) {
    ledger->close(Stage::serialise, name(), flying.last_bit);
    ledger->close(Stage::propagate, name(), kernel_.now());
  }
  far_->arrive(flying.packet);
}

void Wire::check_books() const {
  if (!flying_.empty())
    throw ModelError(name(), kernel_.now(), std::to_string(flying_.size()) + " packets still inside");
  if (stats_.wire / params_.rate > kernel_.now())
    throw ModelError(name(), kernel_.now(), std::to_string(stats_.wire.count()) + " B are more than its rate allows");
}

}  // namespace gicsim::link
