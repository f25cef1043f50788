// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/gpu.h"

#include <algorithm>
#include <string>

#include "models/protocol/sample.h"

namespace gicsim::gpu {

Gpu::Gpu(sc_core::sc_module_name name, Kernel& kernel, const GpuParams& params, Address base, Address size,
         const MmuParams& mmu)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      base_(base),
      size_(size),
      memory_(params.memory_rate),
      mmu_(std::string(this->name()) + ".mmu", mmu),
      inbound_({params.write_commit, params.write_commit_relaxed, params.write_window}),
      window_reads_(params.bar_read_rate) {
  target.bind(*this);
}

void Gpu::vary(const Spread& spread) {
  spread_ = spread;
  reads_ = Crossing(params_.clock, spread, std::string(name()) + ".reads");
  inbound_.vary(spread, std::string(name()) + ".inbound");
}

/// A watched line is a write's last: visible when its last TLP is.
void Gpu::on_write(Transfer& transfer, Picoseconds now) {
  ++stats_.dma_writes;
  stats_.dma_written += transfer.length;
  const Picoseconds visible = transfer.arrived.length > 0_B ? committed_ : now;
  if (transfer.content.index() != 0) cells_.write(transfer.address, transfer.content, visible, true);
  if (transfer.ledger && visible > now) transfer.ledger->close(transfer.stage, name(), visible);
}

Picoseconds Gpu::accept(const Transfer& transfer, Bytes length, Picoseconds now) {
  const CommitQueue::Taken taken = take_write(inbound_, transfer, length, now);
  committed_ = taken.visible;
  stats_.commit_time = inbound_.full();
  return taken.at;
}

Picoseconds Gpu::on_read(const Transfer&, Bytes length, Picoseconds now) {
  ++stats_.dma_reads;
  stats_.dma_read += length;
  const Picoseconds read = std::max(memory_.send(now, length).end, window_reads_.send(now, length).end);
  return std::max(reads_(now, read + params_.read_latency), inbound_.drained());
}

void Gpu::sample(Transfer& transfer, Picoseconds now) {
  sample_cells(cells_, transfer, now);
  for (std::uint32_t line = 0; line < transfer.lines; ++line)
    cells_.share(transfer.address + line * Address{64});
}

/// The L2 executes it: the time of a read.
std::optional<Picoseconds> Gpu::on_atomic(const Transfer& transfer, Picoseconds now) {
  return on_read(transfer, transfer.length, now);
}

void Gpu::execute(Transfer& transfer, Picoseconds now) {
  ++stats_.dma_atomics;
  execute_on(cells_, transfer, now, true);
}

}  // namespace gicsim::gpu
