// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/switch.h"

#include <string>

#include "models/base/errors.h"

namespace gicsim::link {

Switch::Switch(sc_core::sc_module_name name, Kernel& kernel, const SwitchParams& params, int ports)
    : sc_module(name), kernel_(kernel), params_(params) {
  in.bind(*this);
  out.init(static_cast<std::size_t>(ports));
}

void Switch::route(PortNumber to, int port) {
  if (routes_.size() <= to) routes_.resize(to + std::size_t{1}, -1);
  routes_[to] = port;
}

void Switch::end_of_elaboration() {
  for (auto& port : out) ports_.push_back(port.operator->());
}

void Switch::arrive(const Packet& packet) {
  if (packet.to >= routes_.size() || routes_[packet.to] < 0)
    throw ModelError(name(), kernel_.now(), "no route to port " + std::to_string(packet.to));
  ++stats_.packets;
  const Picoseconds due = kernel_.now() + params_.latency;
  inside_.push(packet, due);
  kernel_.at<&Switch::on_forwarded>(due, this);
}

void Switch::on_forwarded() {
  const Packet packet = *inside_.pop_due(kernel_.now());
  if (packet.ledger) packet.ledger->close(Stage::switching, name(), kernel_.now());
  ports_[static_cast<std::size_t>(routes_[packet.to])]->send(packet, kernel_.now());
}

}  // namespace gicsim::link
