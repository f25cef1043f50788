// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/gpu.h"

#include <algorithm>
#include <bit>
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

/// The L2's lines are looked up for walks alone: what else a thread loads was stored or written just before.
Picoseconds Gpu::walked(Address address) {
  constexpr Count line = 128, ways = 16;
  const Picoseconds hit = params_.l2_load / params_.clock;
  const Count sets = params_.l2_size.count() / (line * ways);
  if (sets == 0) return hit;
  if (!l2_) l2_ = std::make_unique<SetCache>(std::string(name()) + ".l2", sets * ways, ways, Replacement::random);
  const SetCache::Key key = std::rotr(address / line * 0x9e37'79b9'7f4a'7c15, 32);  // spreads strides over sets
  if (l2_->look_up(key)) return hit;
  l2_->insert(key);
  return params_.hbm_load;
}

}  // namespace gicsim::gpu
