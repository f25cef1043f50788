// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/dma_probe.h"

#include <utility>

namespace gicsim::paths {
namespace {

using system::AddressMap;

dma::Addresses addresses(const schema::Scenario& s, const std::string& name) {
  const auto order = s.access == Access::random ? dma::Addresses::Order::random : dma::Addresses::Order::sequential;
  return {AddressMap::dram, s.window, s.bytes, order, static_cast<std::uint64_t>(s.seed), name};
}

}  // namespace

DmaProbe::DmaProbe(system::System& system, const schema::Scenario& scenario)
    : scenario_(scenario),
      engine_(system.node(0).dma(0)),
      who_(engine_.name()),
      reads_(addresses(scenario, who_ + ".reads")),
      writes_(addresses(scenario, who_ + ".writes")) {
  if (scenario.cache == Cache::warm) system.node(0).host().warm(AddressMap::dram, scenario.window);
  if (host::Iommu* iommu = system.node(0).iommu()) iommu->warm_tables(AddressMap::dram, scenario.window);
}

void DmaProbe::submit(dma::Kind kind, Message& message, Ledger* ledger) {
  dma::Addresses& from = kind == dma::Kind::write ? writes_ : reads_;
  engine_.submit({.kind = kind,
                  .visible = kind == dma::Kind::write,
                  .address = from.next(),
                  .length = scenario_.bytes,
                  .ledger = ledger,
                  .client = this,
                  .cookie = &message});
  ++open_[&message];
}

Task DmaProbe::post(Operation, Message& message, bool) {
  Ledger* ledger = &message.completion;
  switch (scenario_.pattern) {
    case Pattern::dma_write_read: submit(dma::Kind::write_read, message, ledger); break;
    case Pattern::dma_write_bw: submit(dma::Kind::write, message, ledger); break;
    case Pattern::dma_rw_bw:
      submit(dma::Kind::write, message, nullptr);
      submit(dma::Kind::read, message, ledger);
      break;
    default: submit(dma::Kind::read, message, ledger);
  }
  co_return;
}

void DmaProbe::on_done(dma::Job& job) {
  const auto found = open_.find(static_cast<const Message*>(job.cookie));
  if (--found->second > 0) return;
  open_.erase(found);
  if (wanted_ != job.cookie) return;
  wanted_ = nullptr;
  kernel().resume(kernel().now(), program_);
}

Task DmaProbe::wait(Message& message) { co_await Done(*this, message); }

void DmaProbe::Done::await_suspend(Task::Handle program) {
  probe.wanted_ = &message;
  probe.program_ = program;
  if (program.promise().program) program.promise().program->obstacle = this;
}

void DmaProbe::Done::await_resume() const {
  if (probe.program_ && probe.program_.promise().program) probe.program_.promise().program->obstacle = nullptr;
  probe.program_ = {};
}

/// More than the engine keeps under way, so that it always finds the next one.
bool DmaProbe::has_room(Bytes, Count n) const {
  return static_cast<Count>(open_.size()) + n <= 2 * engine_.params().outstanding;
}

}  // namespace gicsim::paths
