// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/socket_link.h"

#include <string>

#include "models/base/errors.h"

namespace gicsim::pcie {

SocketLink::SocketLink(sc_core::sc_module_name name, Kernel& kernel, const SocketLinkParams& params,
                       IsPeer is_peer, Kernel::Lane lane, Probe<TlpSent>& sent)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      is_peer_(is_peer),
      lane_(lane),
      sent_(sent),
      wires_(params.rate),
      peers_(params.peer_rate) {
  in.bind(*this);
}

void SocketLink::send(const Tlp& given, Picoseconds ready) {
  Tlp tlp = given;
  const bool peer = is_peer_(tlp);
  const Bytes payload = tlp.kind == TlpKind::read ? 0_B : tlp.length;
  const Slot peers = peer ? peers_.send(ready, payload) : Slot{ready, ready};
  const Slot wires = wires_.send(peers.end, params_.overhead + payload);
  stats_.requests += 1;
  stats_.peer_requests += peer;
  stats_.payload += payload;
  stats_.wire += params_.overhead + payload;
  stats_.busy += wires.end - wires.start;
  stats_.peer_busy += peers.end - peers.start;
  if (Ledger* ledger = tlp.last ? tlp.transfer->ledger : nullptr) {
    if (tlp.via) ledger->close(tlp.transfer->stage, tlp.via, ready);
    ledger->waited(peers.start - ready + wires.start - peers.end);
  }
  tlp.via = nullptr;
  if (tlp.held) tlp.held->release(tlp, peers.start);
  tlp.held = this;
  sent_.announce([&] { return TlpSent{tlp, name(), peers.start, wires.end}; });
  if (peer && tlp.kind == TlpKind::read) {
    const Picoseconds due = wires.end + params_.latency + params_.peer_read;
    peer_reads_.push(tlp, due);
    kernel_.at<&SocketLink::on_peer_read>(due, this, lane_);
    return;
  }
  const Picoseconds due = wires.end + params_.latency;
  flying_.push(tlp, due);
  kernel_.at<&SocketLink::on_arrived>(due, this, lane_);
}

void SocketLink::arrived(DelayLine<Tlp>& line) {
  const Tlp tlp = *line.pop_due(kernel_.now());
  if (tlp.last && tlp.transfer->ledger)
    tlp.transfer->ledger->close(tlp.transfer->stage, name(), kernel_.now());
  far_->arrive(tlp);
}

void SocketLink::check_books() const {
  const auto inside = flying_.size() + peer_reads_.size();
  if (inside != 0) throw ModelError(name(), kernel_.now(), std::to_string(inside) + " TLPs still inside");
  if (stats_.wire / params_.rate > kernel_.now())
    throw ModelError(name(), kernel_.now(), std::to_string(stats_.wire.count()) + " B are more than its rate allows");
}

}  // namespace gicsim::pcie
