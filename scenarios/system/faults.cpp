// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/system/faults.h"

#include <algorithm>

#include "models/units/text.h"

namespace gicsim::system {
namespace {

pcie::PortState state_of(Fault fault) {
  switch (fault) {
    case Fault::function_reset: return pcie::PortState::unconfigured;
    case Fault::silent_reset: return pcie::PortState::silent;
    default: return pcie::PortState::dead;
  }
}

pcie::Misanswer misanswer_of(Fault fault) {
  switch (fault) {
    case Fault::poisoned_completion: return pcie::Misanswer::poisoned;
    case Fault::aborted_completion: return pcie::Misanswer::aborted;
    default: return pcie::Misanswer::lost;
  }
}

}  // namespace

Faults::Faults(Kernel& kernel, std::vector<std::unique_ptr<Node>>& nodes, const schema::SystemSpec& spec)
    : kernel_(kernel), nodes_(nodes), spec_(spec) {
  for (const schema::FaultSpec& fault : spec.faults) {
    const Node& node = *nodes[fault.node];
    One& one = ones_.emplace_back(*this, fault, *node.plug(fault.device),
                                  std::string(node.name()) + "." + fault.device + ": " + std::string(to_name(fault.fault)));
    if (is_misanswer(fault.fault)) {
      one.plug.port->script(misanswer_of(fault.fault), fault.nth);
      one.what += " " + std::to_string(fault.nth);
    } else {
      kernel.tick<&One::on_due>(fault.at, &one);
      one.what += " at " + text::write(fault.at);
    }
  }
}

/// Why the port above answers for the device, if it does.
const char* Faults::One::closed_for() const {
  if (spec.fault == Fault::surprise_down) return "the link is down";
  const bool contains = spec.fault == Fault::fatal && plug.port->params().dpc == pcie::Ability::on;
  return contains ? "the port has contained an error (DPC)" : nullptr;
}

void Faults::One::on_due() {
  happened = true;
  Kernel& kernel = all.kernel_;
  const paths::RecoveryParams& recovery = all.spec_.recovery;
  nic::Nic* const nic = all.nodes_[spec.node]->nic_named(spec.device);
  if (spec.fault == Fault::port_down) {  // its cable does that (Flaps)
    all.usable_at_ = std::max(all.usable_at_, kernel.now() + recovery.reinit);
    return;
  }
  if (nic) nic->lose_all(what);
  if (const char* why = closed_for()) plug.above->close(plug.number, why);
  plug.port->set(state_of(spec.fault));
  all.usable_at_ = std::max(all.usable_at_, kernel.now() + recovery.reinit);
  kernel.tick<&One::on_usable>(kernel.now() + recovery.reinit, this);
  if (nic) kernel.at<&One::on_detected>(kernel.now() + recovery.detect, this);
}

/// The driver's CPU writes the CQEs that the NIC can't.
void Faults::One::on_detected() {
  Node& node = *all.nodes_[spec.node];
  const Node::Plug* host = node.plug("host");
  if (!host) host = node.plug("host" + std::to_string(all.spec_.host_socket));
  MemoryPort& cpu = *host->port->memory.operator->();
  for (const auto& [slot, cqe] : node.nic_named(spec.device)->flushed_by_driver()) {
    Transfer& write = cpu.make();
    write.kind = Transfer::Kind::write;
    write.stage = Stage::cqe_write;
    write.ordered = true;
    write.address = slot;
    write.length = cqe_size;
    write.content = cqe;
    cpu.submit(write);
  }
}

void Faults::One::on_usable() {
  if (closed_for()) plug.above->close(plug.number, nullptr);
  plug.port->set(pcie::PortState::up);
}

std::vector<std::string> Faults::happened() const {
  std::vector<std::string> lines;
  for (const One& one : ones_)
    if (one.happened || (is_misanswer(one.spec.fault) && one.plug.port->answered() >= one.spec.nth)) lines.push_back(one.what);
  return lines;
}

std::vector<std::string> Faults::missed() const {
  const std::vector<std::string> seen = happened();
  std::vector<std::string> lines;
  for (const One& one : ones_)
    if (std::find(seen.begin(), seen.end(), one.what) == seen.end()) lines.push_back(one.what);
  return lines;
}

}  // namespace gicsim::system
