// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/host.h"

#include <algorithm>

#include "models/protocol/interrupt.h"
#include "models/protocol/sample.h"

namespace gicsim::host {

namespace {

constexpr Bytes line = 64_B;
SetCache::Key first_line(Address at) { return at / 64; }
SetCache::Key last_line(Address at, Bytes length) {
  return (at + static_cast<Address>(std::max<std::int64_t>(length.count(), 1)) - 1) / 64;
}

}  // namespace

Host::Host(sc_core::sc_module_name name, Kernel& kernel, const HostParams& params, Address base, Address size)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      base_(base),
      size_(size),
      memory_(params.dram_rate),
      inbound_({params.write_commit, params.write_commit_relaxed, params.write_window, params.relaxed_write}) {
  target.bind(*this);
  if (params.llc == Llc::on)
    llc_ = std::make_unique<SetCache>(std::string(this->name()) + ".llc",
                                      params.llc_size / (line * params.llc_ways) * params.llc_ways, params.llc_ways,
                                      params.llc_replacement);
}

void Host::on_write(Transfer& transfer, Picoseconds now) {
  if (is_interrupt(transfer.address)) {
    ++stats_.interrupts;
    if (transfer.content.index() != 0) cells_.write(transfer.address, transfer.content, now);
    return;
  }
  ++stats_.dma_writes;
  stats_.dma_written += transfer.length;
  if (gate_ && gate_->takes(transfer.address)) return gate_->arrive(transfer, true, *port_);
  const Picoseconds visible = transfer.arrived.length > 0_B ? committed_ : now;
  if (transfer.content.index() != 0) cells_.write(transfer.address, transfer.content, visible);
  if (transfer.ledger && visible > now) transfer.ledger->close(transfer.stage, name(), visible);
  if (!llc_) return;
  for (auto l = first_line(transfer.address); l <= last_line(transfer.address, transfer.length); ++l)
    llc_->insert(l, static_cast<std::size_t>(params_.ddio_ways));
}

Picoseconds Host::accept(const Transfer& transfer, Bytes length, Picoseconds now) {
  const CommitQueue::Taken taken = take_write(inbound_, transfer, length, now);
  committed_ = taken.visible;
  stats_.commit_time = inbound_.full();
  return taken.at;
}

Picoseconds Host::on_read(const Transfer& transfer, Bytes length, Picoseconds now) {
  ++stats_.dma_reads;
  stats_.dma_read += length;
  const Picoseconds start = std::max(now, inbound_.drained());
  stats_.commit_wait += start - now;
  const Address at = transfer.address + static_cast<Address>(transfer.served.count());
  transfer.served += length;
  return answered_ = std::max(answered_, fetch(at, length, start));  // the port answers in order
}

/// Lines that the cache has come at once, the others over the memory's bandwidth.
Picoseconds Host::fetch(Address at, Bytes length, Picoseconds now) {
  if (!llc_) return memory_.send(now, length).end + params_.dram_read;
  Count missing = 0, found = 0;
  for (auto l = first_line(at); l <= last_line(at, length); ++l) ++(llc_->contains(l) ? found : missing);
  stats_.llc_hits += found;
  stats_.llc_misses += missing;
  if (missing == 0) return now + params_.llc_read;
  return memory_.send(now, line * missing).end + params_.dram_read;
}

void Host::guard(const GateParams& params) {
  gate_ = std::make_unique<DoorbellGate>(kernel_, std::string(name()) + ".gate", params_, params);
  enlist(gate_->name(), gate_->busy());
}

void Host::warm(Address base, Bytes length) {
  if (!llc_) return;
  const Bytes kept = std::min(length, params_.llc_size * 2);  // what came before is gone again
  for (auto l = last_line(base, length) - pieces(kept, line) + 1; l <= last_line(base, length); ++l) llc_->insert(l);
}

Picoseconds Host::walk_read(Address at, Picoseconds now) {
  const bool found = llc_ && llc_->contains(first_line(at));
  ++(found ? stats_.llc_hits : stats_.llc_misses);
  if (llc_) llc_->insert(first_line(at));
  return now + (found ? params_.llc_read : params_.dram_read);
}

void Host::sample(Transfer& transfer, Picoseconds now) { sample_cells(cells_, transfer, now); }

std::optional<Picoseconds> Host::on_atomic(const Transfer& transfer, Picoseconds now) {
  return on_read(transfer, transfer.length, now);
}

void Host::execute(Transfer& transfer, Picoseconds now) {
  ++stats_.dma_atomics;
  execute_on(cells_, transfer, now);
}

}  // namespace gicsim::host
