// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/switch.h"

#include <algorithm>
#include <string>

#include "models/base/errors.h"

namespace gicsim::pcie {

Switch::Switch(sc_core::sc_module_name name, Kernel& kernel, const Picoseconds& latency, int ports)
    : sc_module(name), kernel_(kernel), latency_(latency) {
  in.init(static_cast<std::size_t>(ports));
  out.init(static_cast<std::size_t>(ports));
  for (int i = 0; i < ports; ++i) {
    Port& port = ports_.emplace_back();
    port.owner = this;
    port.number = i;
    in[static_cast<std::size_t>(i)].bind(port);
  }
}

void Switch::leads_down(int port, const SlotParams& slot) {
  Port& down = ports_[static_cast<std::size_t>(port)];
  down.slot = &slot;
  if (root_ && root_->peer_write_rate > BitRate{}) down.writes.emplace(root_->peer_write_rate);
  if (root_ && root_->peer_read_rate > BitRate{}) down.completions.emplace(root_->peer_read_rate);
}

void Switch::route_requester(RequesterId id, int port) {
  if (by_requester_.size() <= id) by_requester_.resize(id + std::size_t{1}, -1);
  by_requester_[id] = port;
}

void Switch::end_of_elaboration() {
  for (Port& port : ports_) port.out = out[static_cast<std::size_t>(port.number)].operator->();
}

int Switch::port_of(const Tlp& tlp) const {
  if (tlp.kind == TlpKind::completion || tlp.kind == TlpKind::message) {
    const RequesterId to = tlp.kind == TlpKind::completion ? tlp.requester : tlp.completer;
    return to < by_requester_.size() && by_requester_[to] >= 0 ? by_requester_[to] : upstream_;
  }
  for (const Window& window : windows_)
    if (tlp.address - window.base < window.size) return window.port;
  return upstream_;
}

void Switch::close(int port, const char* why) {
  closed_.resize(ports_.size());
  closed_[static_cast<std::size_t>(port)] = why;
}

void Switch::arrive(Port& from, const Tlp& tlp) {
  int port = port_of(tlp);
  if (port < 0) return refuse(from, tlp, "no window claims the address");
  if (!closed_.empty()) [[unlikely]]
    if (const char* why = closed_[static_cast<std::size_t>(port)]) return refuse(from, tlp, why);
  const auto to = [&]() -> Port& { return ports_[static_cast<std::size_t>(port)]; };
  if (from.slot) {
    const Bound bound = port == from.number && !root_ ? Bound::back : to().slot ? Bound::peer : Bound::upstream;
    const Way way = acs_way(*from.slot, flow_of(tlp.kind), tlp.relaxed, tlp.address_type, bound);
    if (way == Way::blocked) return refuse(from, tlp, "access control (ACS) blocks it");
    if (way == Way::upstream) ++stats_.redirected;
    if (way == Way::upstream && upstream_ >= 0) port = upstream_;
    stats_.peers += bound != Bound::upstream && port != upstream_;
  }
  ++stats_.tlps;
  Tlp forwarded = tlp;
  forwarded.via = name();
  Picoseconds ready = core_(kernel_.now(), kernel_.now() + latency_);
  const bool peer = is_peer(from, to(), tlp);
  if (peer) {
    if (!allowed(from, to(), tlp)) return refuse(from, tlp, "a root port passes no such requests between devices");
    ready = slowed(from, tlp, ready);
  }
  to().last_ready = std::max(to().last_ready, ready);
  const Bytes limit = peer && to().slot ? to().slot->peer_split : Bytes{};
  const bool carries = tlp.kind == TlpKind::write || tlp.kind == TlpKind::completion;
  if (limit == 0_B || tlp.length <= limit || !carries) return to().out->send(forwarded, to().last_ready);
  ++stats_.splits;
  splitter_(forwarded, limit, [&](const Tlp& piece) { to().out->send(piece, to().last_ready); });
}

/// A GPU behind a coherent link is memory to a root complex, not a peer.
bool Switch::is_peer(const Port& from, const Port& to, const Tlp& tlp) const {
  return is_peer_ && (from.slot || from.across) && (to.slot || to.across) && is_peer_(tlp);
}

bool Switch::allowed(const Port& from, const Port& to, const Tlp& tlp) const {
  const auto passes = [&](const SlotParams* slot) {
    if (!slot || tlp.kind == TlpKind::completion) return true;
    return flow_of(tlp.kind) == Flow::posted ? slot->peer_write : slot->peer_read;
  };
  return passes(from.slot) && passes(to.slot);
}

/// A TLP that waits for its port's turn makes all wait that come behind it to the same egress. It goes
/// through at once when it has its turn, so that a rate adds no latency.
Picoseconds Switch::slowed(Port& from, const Tlp& tlp, Picoseconds ready) {
  std::optional<Serialiser>* const served = tlp.kind == TlpKind::write        ? &from.writes
                                            : tlp.kind == TlpKind::completion ? &from.completions
                                                                              : nullptr;
  if (!served || !*served) return ready;
  const Slot slot = (*served)->send(ready, tlp.length);
  from.peer_busy += slot.end - slot.start;
  stats_.peer_busy = std::max(stats_.peer_busy, from.peer_busy);
  if (Ledger* ledger = tlp.last ? tlp.transfer->ledger : nullptr) ledger->waited(slot.start - ready);
  return slot.start;
}

/// A request is answered, back the way it came.
void Switch::refuse(Port& from, const Tlp& tlp, const char* why) {
  ++stats_.blocked;
  if (!unclaimed_) throw ModelError(name(), kernel_.now(), std::string(name_of(tlp.kind)) + ": " + why);
  const std::optional<Tlp> answer = unclaimed_->take(tlp, name(), why, kernel_.now());
  if (!answer) return;
  Tlp back = *answer;
  back.via = name();
  from.last_ready = std::max(from.last_ready, core_(kernel_.now(), kernel_.now() + latency_));
  from.out->send(back, from.last_ready);
}

}  // namespace gicsim::pcie
