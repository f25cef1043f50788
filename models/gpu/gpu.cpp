// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/gpu.h"

#include <algorithm>
#include <string>

#include "models/protocol/sample.h"

namespace gicsim::gpu {

Gpu::Gpu(sc_core::sc_module_name name, Kernel& kernel, const GpuParams& params, Address base, Address size)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      base_(base),
      size_(size),
      memory_(params.memory_rate),
      window_reads_(params.bar_read_rate) {
  target.bind(*this);
}

void Gpu::vary(const Spread& spread) {
  spread_ = spread;
  reads_ = Crossing(params_.clock, spread, std::string(name()) + ".reads");
}

void Gpu::on_write(Transfer& transfer, Picoseconds now) {
  ++stats_.dma_writes;
  stats_.dma_written += transfer.length;
  if (transfer.content.index() != 0) cells_.write(transfer.address, transfer.content, now, true);
}

Picoseconds Gpu::on_read(const Transfer&, Bytes length, Picoseconds now) {
  ++stats_.dma_reads;
  stats_.dma_read += length;
  const Picoseconds read = std::max(memory_.send(now, length).end, window_reads_.send(now, length).end);
  return reads_(now, read + params_.read_latency);
}

void Gpu::sample(Transfer& transfer, Picoseconds now) {
  sample_cells(cells_, transfer, now);
  for (std::uint32_t line = 0; line < transfer.lines; ++line)
    cells_.share(transfer.address + line * Address{64});
}

}  // namespace gicsim::gpu
