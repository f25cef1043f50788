// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "models/base/describe.h"
#include "models/base/kernel.h"
#include "models/base/spread.h"
#include "models/gpu/mmu.h"
#include "models/gpu/params.h"
#include "models/mechanisms/cells.h"
#include "models/mechanisms/commit_queue.h"
#include "models/mechanisms/crossing.h"
#include "models/mechanisms/serialiser.h"
#include "models/mechanisms/server.h"
#include "models/mechanisms/set_cache.h"
#include "models/protocol/transfer.h"

namespace gicsim::gpu {

struct GpuStats {
  Count stores = 0, host_stores = 0, peer_stores = 0, fences = 0, atomics = 0, threads = 0, dma_writes = 0,
        dma_reads = 0, dma_atomics = 0;
  Bytes dma_written, dma_read;
  Picoseconds issue_busy{}, waiting{}, port_busy{}, turn_busy{}, commit_time{};
};
template <class V>
constexpr void describe(V&& v, GpuStats& s) {
  v("stores", s.stores, "stores of up to 16 B issued, to any aperture");
  v("host_stores", s.host_stores, "of these, to host memory");
  v("peer_stores", s.peer_stores, "of these, to another device's BAR");
  v("fences", s.fences, "fences executed");
  v("atomics", s.atomics, "atomics on own memory");
  v("threads", s.threads, "threads of the programs that ran");
  v("dma_writes", s.dma_writes, "transfers written by other devices");
  v("dma_reads", s.dma_reads, "read requests of other devices");
  v("dma_atomics", s.dma_atomics, "AtomicOps of other devices");
  v("dma_written", s.dma_written, "bytes written by other devices");
  v("dma_read", s.dma_read, "bytes read by other devices");
  v("issue_busy", s.issue_busy, "SM time spent on stores, fences and library code, all threads");
  v("port_busy", s.port_busy, "time that store ports were busy, all SMs");
  v("turn_busy", s.turn_busy, "time that shared send queues were in some thread's turn, all queues");
  v("waiting", s.waiting, "time threads polled, all threads");
  v("commit_time", s.commit_time, "strictly ordered inbound writes not yet visible, as time that their window was full");
}
static_assert(fully_described<GpuStats>());

/// A GPU as the path sees it: memory behind a port that others read and write, and the SMs' store
/// ports. Its threads are programs: gpu/thread.h. Not modelled: caches other than the L2 that
/// everything meets in and an L1 that a plain load may find a stale line in, what SMs do to each other.
class Gpu final : public sc_core::sc_module, private Target {
 public:
  sc_core::sc_port<MemoryPort> port{"port"};
  sc_core::sc_export<Target> target{"target"};

  static constexpr MmuParams no_mmu{};
  /// @param base,size  its window in the node's address space: HBM behind the BAR
  Gpu(sc_core::sc_module_name name, Kernel& kernel, const GpuParams& params, Address base, Address size,
      const MmuParams& mmu = no_mmu);

  bool owns(Address a) const { return a - base_ < size_; }
  Address base() const { return base_; }
  const GpuParams& params() const { return params_; }
  const GpuStats& stats() const { return stats_; }
  const Mmu& mmu() const { return mmu_; }
  Cells<Content>& cells() { return cells_; }
  /// Turns sources of spread on, for itself and for the threads that are made after.
  void vary(const Spread& spread);
  /// A thread held a shared queue for so long.
  void count_turn(Picoseconds held) { stats_.turn_busy += held; }

 private:
  friend class Thread;
  friend class Stream;
  friend class CopyEngine;
  /// The store that lanes of a warp have issued together last.
  struct WarpStores {
    Picoseconds stored_at{-1}, ack{};
  };
  /// How long a load of own memory takes that is one of a walk.
  Picoseconds walked(Address address);
  void end_of_elaboration() override { port_ = port.operator->(); }
  void on_write(Transfer& transfer, Picoseconds now) override;
  Picoseconds accept(const Transfer& transfer, Bytes length, Picoseconds now) override;
  Picoseconds on_read(const Transfer& transfer, Bytes length, Picoseconds now) override;
  void sample(Transfer& transfer, Picoseconds now) override;
  std::optional<Picoseconds> on_atomic(const Transfer& transfer, Picoseconds now) override;
  void execute(Transfer& transfer, Picoseconds now) override;

  Kernel& kernel_;
  const GpuParams& params_;
  Address base_, size_;
  MemoryPort* port_ = nullptr;
  Serialiser memory_;
  Mmu mmu_;
  std::vector<Server> store_ports_;      ///< of the SMs that have threads
  std::vector<WarpStores> warp_stores_;  ///< by warp
  Cells<Content> cells_;
  Spread spread_;
  Crossing reads_;  ///< into the memory's clock
  CommitQueue inbound_;
  std::unique_ptr<SetCache> l2_;  ///< lines that walks of loads have left there; null: no walk was made
  Serialiser window_reads_;  ///< of other devices
  Picoseconds committed_{};  ///< when the write that was taken last is visible
  GpuStats stats_;
};

}  // namespace gicsim::gpu
