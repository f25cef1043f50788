// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/conduit.h"

#include <algorithm>

namespace gicsim::pcie {

Conduit::Conduit(sc_core::sc_module_name name, Kernel& kernel, const CoherentParams* params,
                 Kernel::Lane lane, Probe<TlpSent>& sent)
    : sc_module(name), kernel_(kernel), params_(params), lane_(lane), sent_(sent) {
  if (params_) wires_.emplace(params_->rate);
  in.bind(*this);
}

void Conduit::send(const Tlp& given, Picoseconds ready) {
  Tlp tlp = given;
  Picoseconds begin = ready, end = ready, latency{};
  if (wires_) {
    const Bytes carried = params_->overhead + (tlp.kind == TlpKind::read ? 0_B : tlp.length);
    const auto slot = wires_->send(ready, carried);
    begin = slot.start, end = slot.end, latency = params_->latency;
  }
  stats_.requests += 1;
  if (tlp.kind != TlpKind::read) stats_.payload += tlp.length;
  stats_.busy += end - begin;
  if (Ledger* ledger = tlp.last ? tlp.transfer->ledger : nullptr) {
    if (tlp.via) ledger->close(tlp.transfer->stage, tlp.via, ready);
    ledger->waited(begin - ready);
  }
  tlp.via = nullptr;
  if (params_) {  // what is only a way into memory has no buffer: the TLP stays in the one that it came from
    if (tlp.held) tlp.held->release(tlp, begin);
    tlp.held = this;
  }
  if (params_) sent_.announce([&] { return TlpSent{tlp, name(), begin, end}; });
  const Picoseconds due = end + latency;
  const bool ordered = params_ && tlp.kind == TlpKind::write && tlp.transfer->ordered;
  if (!ordered && !waits_behind(tlp, due)) {
    flying_.push(tlp, due);
    kernel_.at<&Conduit::on_arrived>(due, this, lane_);
    return;
  }
  ordered_until_ = std::max(ordered_until_, ordered ? due + params_->ordered_write : due);
  if (ordered) writes_until_[tlp.requester] = ordered_until_;
  ordered_.push(tlp, ordered_until_);
  kernel_.at<&Conduit::on_ordered>(ordered_until_, this, lane_);
}

/// A request that its device's own strict writes push ahead.
bool Conduit::waits_behind(const Tlp& tlp, Picoseconds due) const {
  if (writes_until_.empty() || (tlp.kind != TlpKind::read && tlp.kind != TlpKind::atomic)) return false;
  const auto written = writes_until_.find(tlp.requester);
  return written != writes_until_.end() && written->second > due;
}

void Conduit::arrived(DelayLine<Tlp>& line) {
  const Tlp tlp = *line.pop_due(kernel_.now());
  if (tlp.last && tlp.transfer->ledger)
    tlp.transfer->ledger->close(tlp.transfer->stage, name(), kernel_.now());
  far_->arrive(tlp);
}

}  // namespace gicsim::pcie
