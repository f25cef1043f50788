// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/host.h"

#include <algorithm>

#include "models/protocol/interrupt.h"
#include "models/protocol/sample.h"

namespace gicsim::host {

Host::Host(sc_core::sc_module_name name, Kernel& kernel, const HostParams& params, Address base, Address size)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      base_(base),
      size_(size),
      memory_(params.dram_rate),
      inbound_({params.write_commit, params.write_commit_relaxed, params.write_window, params.relaxed_write}) {
  target.bind(*this);
}

void Host::on_write(Transfer& transfer, Picoseconds now) {
  if (is_interrupt(transfer.address)) {
    ++stats_.interrupts;
    return;
  }
  ++stats_.dma_writes;
  stats_.dma_written += transfer.length;
  const Picoseconds visible = transfer.arrived.length > 0_B ? committed_ : now;
  if (transfer.content.index() != 0) cells_.write(transfer.address, transfer.content, visible);
  if (transfer.ledger && visible > now) transfer.ledger->close(transfer.stage, name(), visible);
}

Picoseconds Host::accept(const Transfer& transfer, Bytes length, Picoseconds now) {
  Transfer::Arrival& arrived = transfer.arrived;
  const auto taken = inbound_.take(transfer.address + static_cast<Address>(arrived.length.count()), length,
                                   transfer.relaxed, now);
  arrived.length += length;
  arrived.visible = std::max(arrived.visible, taken.visible);
  committed_ = taken.visible;
  stats_.commit_time = inbound_.full();
  return taken.at;
}

Picoseconds Host::on_read(const Transfer&, Bytes length, Picoseconds now) {
  ++stats_.dma_reads;
  stats_.dma_read += length;
  return std::max(memory_.send(now, length).end + params_.dram_read, inbound_.drained());
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
