// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/doorbell_gate.h"

#include <utility>

namespace gicsim::host {

DoorbellGate::DoorbellGate(Kernel& kernel, std::string name, const HostParams& host, const GateParams& params)
    : kernel_(kernel), name_(std::move(name)), host_(host), params_(params), passing_(name_) {}

Address DoorbellGate::stand_before(std::size_t nic, Address doorbell) {
  if (registers_.size() <= nic) registers_.resize(nic + 1);
  registers_[nic] = doorbell;
  return base + nic * page;
}

/// Of a WQE that is pushed in pieces, each is one.
void DoorbellGate::arrive(const Transfer& doorbell, bool by_device, MemoryPort& port) {
  const Address offset = doorbell.address - base;
  const Address at = offset / page < registers_.size() ? registers_[offset / page] : 0;
  if (at == 0 || (by_device && params_.admits == Admits::processors)) {
    ++stats_.refused;
    return;
  }
  ++stats_.passed;
  const Picoseconds clock_time =
      params_.check / (host_.state == CpuState::cold ? host_.clock_cold : host_.clock_warm);
  const Picoseconds here = kernel_.now() + params_.entry;
  const Slot slot = thread_.serve(here, clock_time);
  if (doorbell.ledger) doorbell.ledger->waited(slot.start - here);
  Passing passing{doorbell, &port};
  passing.doorbell.address = at + offset % page;
  passing_.push(std::move(passing), slot.end);
  kernel_.at<&DoorbellGate::on_checked>(slot.end, this);
}

void DoorbellGate::on_checked() {
  const Passing passing = *passing_.pop_due(kernel_.now());
  const Transfer& doorbell = passing.doorbell;
  if (doorbell.ledger) doorbell.ledger->close(Stage::doorbell_flight, name_.c_str(), kernel_.now());
  Transfer& write = passing.port->make();
  write.kind = Transfer::Kind::write;
  write.stage = Stage::doorbell_flight;
  write.address = doorbell.address;
  write.length = doorbell.length;
  write.content = doorbell.content;
  write.ledger = doorbell.ledger;
  passing.port->submit(write);
}

}  // namespace gicsim::host
