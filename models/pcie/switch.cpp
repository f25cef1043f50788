// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/switch.h"

#include <string>

#include "models/base/errors.h"

namespace gicsim::pcie {

Switch::Switch(sc_core::sc_module_name name, Kernel& kernel, const Picoseconds& latency, int ports)
    : sc_module(name), kernel_(kernel), latency_(latency) {
  in.bind(*this);
  out.init(static_cast<std::size_t>(ports));
}

void Switch::route_requester(RequesterId id, int port) {
  if (by_requester_.size() <= id) by_requester_.resize(id + std::size_t{1}, -1);
  by_requester_[id] = port;
}

void Switch::end_of_elaboration() {
  for (auto& port : out) ports_.push_back(port.operator->());
}

int Switch::port_of(const Tlp& tlp) const {
  if (tlp.kind == TlpKind::completion)
    return tlp.requester < by_requester_.size() && by_requester_[tlp.requester] >= 0
               ? by_requester_[tlp.requester]
               : upstream_;
  for (const Window& window : windows_)
    if (tlp.address - window.base < window.size) return window.port;
  return upstream_;
}

void Switch::close(int port, const char* why) {
  closed_.resize(ports_.size());
  closed_[static_cast<std::size_t>(port)] = why;
}

void Switch::refuse(const Tlp& tlp, const char* why) {
  if (!unclaimed_) throw ModelError(name(), kernel_.now(), std::string(name_of(tlp.kind)) + ": " + why);
  if (const std::optional<Tlp> answer = unclaimed_->take(tlp, name(), why, kernel_.now())) arrive(*answer);
}

void Switch::arrive(const Tlp& tlp) {
  const int port = port_of(tlp);
  if (port < 0) return refuse(tlp, "no window claims the address");
  if (!closed_.empty()) [[unlikely]]
    if (const char* why = closed_[static_cast<std::size_t>(port)]) return refuse(tlp, why);
  ++stats_.tlps;
  Tlp forwarded = tlp;
  forwarded.via = name();
  ports_[static_cast<std::size_t>(port)]->send(forwarded, core_(kernel_.now(), kernel_.now() + latency_));
}

}  // namespace gicsim::pcie
