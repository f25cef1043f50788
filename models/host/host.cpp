// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/host.h"

#include "models/protocol/interrupt.h"
#include "models/protocol/sample.h"

namespace gicsim::host {

Host::Host(sc_core::sc_module_name name, Kernel& kernel, const HostParams& params, Address base, Address size)
    : sc_module(name), kernel_(kernel), params_(params), base_(base), size_(size), memory_(params.dram_rate) {
  target.bind(*this);
}

void Host::on_write(Transfer& transfer, Picoseconds now) {
  if (is_interrupt(transfer.address)) {
    ++stats_.interrupts;
    return;
  }
  ++stats_.dma_writes;
  stats_.dma_written += transfer.length;
  if (transfer.content.index() != 0) cells_.write(transfer.address, transfer.content, now);
}

Picoseconds Host::on_read(const Transfer&, Bytes length, Picoseconds now) {
  ++stats_.dma_reads;
  stats_.dma_read += length;
  return memory_.send(now, length).end + params_.dram_read;
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
