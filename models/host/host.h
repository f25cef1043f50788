// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/describe.h"
#include "models/base/kernel.h"
#include "models/base/spread.h"
#include "models/host/doorbell_gate.h"
#include "models/host/load.h"
#include "models/host/params.h"
#include "models/mechanisms/cells.h"
#include "models/mechanisms/commit_queue.h"
#include "models/mechanisms/serialiser.h"
#include "models/mechanisms/set_cache.h"
#include "models/mechanisms/server.h"
#include "models/protocol/transfer.h"

namespace gicsim::host {

struct HostStats {
  Count dma_writes = 0, dma_reads = 0, dma_atomics = 0, interrupts = 0, requests = 0, mmio_stores = 0, mmio_loads = 0, cores = 0;
  Bytes dma_written, dma_read, copied;
  Picoseconds core_busy{}, preempted{}, ring_time{}, commit_time{};
  Count away = 0;
  Count llc_hits = 0, llc_misses = 0;
  Picoseconds commit_wait{};
};
template <class V>
constexpr void describe(V&& v, HostStats& s) {
  v("dma_writes", s.dma_writes, "transfers that devices wrote to memory");
  v("dma_reads", s.dma_reads, "read requests of devices");
  v("dma_atomics", s.dma_atomics, "AtomicOps of devices");
  v("interrupts", s.interrupts, "MSI-X writes");
  v("requests", s.requests, "pieces of work that cores did");
  v("mmio_stores", s.mmio_stores, "stores of cores into device windows");
  v("mmio_loads", s.mmio_loads, "loads of cores from device windows");
  v("cores", s.cores, "cores that programs run on");
  v("dma_written", s.dma_written, "bytes written by devices");
  v("dma_read", s.dma_read, "bytes read by devices");
  v("copied", s.copied, "bytes that cores copied in memory");
  v("core_busy", s.core_busy, "time cores worked, polling apart");
  v("preempted", s.preempted, "time that work waited while others had its core");
  v("away", s.away, "wake-ups that found their core away");
  v("ring_time", s.ring_time, "time that requests took up slots of rings, summed");
  v("commit_time", s.commit_time, "strictly ordered inbound writes not yet visible, as time that their window was full");
  v("llc_hits", s.llc_hits, "lines that device reads and page walks found in the last-level cache");
  v("llc_misses", s.llc_misses, "lines that they didn't");
  v("commit_wait", s.commit_wait, "time that device reads waited for writes before them, summed");
}
static_assert(fully_described<HostStats>());

/// Host memory behind the root complex. Its CPU threads are programs on a Core.
/// Its last-level cache, if it is told to have one, is a set cache of lines: a device's write puts its lines in, a
/// device's read leaves it as it is (DDIO); page walks put theirs in, as cores do.
/// Not modelled: what cores put in (a cold core's misses are a cost a message), write-backs' bandwidth.
class Host final : public sc_core::sc_module, private Target {
 public:
  sc_core::sc_port<MemoryPort> port{"port"};
  sc_core::sc_export<Target> target{"target"};

  Host(sc_core::sc_module_name name, Kernel& kernel, const HostParams& params, Address base, Address size);

  Kernel& kernel() { return kernel_; }
  const HostParams& params() const { return params_; }
  const HostStats& stats() const { return stats_; }
  Cells<Content>& cells() { return cells_; }
  bool owns(Address at) const { return at - base_ < size_; }
  /// A core has just touched these bytes: the cache has what fits.
  void warm(Address base, Bytes length);
  /// One line for a page walk that asks at `now`. @return when it is there
  Picoseconds walk_read(Address at, Picoseconds now);
  /// Turns sources of spread on, for the cores that are made after.
  void vary(const Spread& spread) {
    spread_ = spread;
    inbound_.vary(spread, std::string(name()) + ".inbound");
  }
  /// The same for a load.
  void load(const CpuLoad& load) { load_ = load; }
  /// Has a gate before all doorbells from now on.
  void guard(const GateParams& params);
  DoorbellGate* gate() const { return gate_.get(); }
  /// A slot of a request ring was taken for so long.
  void count_ring(Picoseconds held) { stats_.ring_time += held; }

  /// What takes turns here, cores and lines that they share: each is in this list while it lives.
  struct Served {
    std::string who;
    const ServerStats* stats;
  };
  const std::vector<Served>& served() const { return served_; }
  void enlist(std::string who, const ServerStats& stats) { served_.push_back({std::move(who), &stats}); }
  void strike(const ServerStats& stats) {
    std::erase_if(served_, [&](const Served& s) { return s.stats == &stats; });
  }

 private:
  friend class Core;
  void end_of_elaboration() override { port_ = port.operator->(); }
  void on_write(Transfer& transfer, Picoseconds now) override;
  Picoseconds accept(const Transfer& transfer, Bytes length, Picoseconds now) override;
  Picoseconds on_read(const Transfer& transfer, Bytes length, Picoseconds now) override;
  Picoseconds fetch(Address at, Bytes length, Picoseconds now);
  void sample(Transfer& transfer, Picoseconds now) override;
  std::optional<Picoseconds> on_atomic(const Transfer& transfer, Picoseconds now) override;
  void execute(Transfer& transfer, Picoseconds now) override;

  Kernel& kernel_;
  const HostParams& params_;
  Address base_, size_;
  MemoryPort* port_ = nullptr;
  Serialiser memory_;
  Cells<Content> cells_;
  std::unique_ptr<SetCache> llc_;
  std::unique_ptr<DoorbellGate> gate_;
  Picoseconds answered_{};  ///< when the last read's data are there
  Spread spread_;
  CommitQueue inbound_;
  Picoseconds committed_{};  ///< when the write that was taken last is visible
  CpuLoad load_;
  HostStats stats_;
  std::vector<Served> served_;
};

}  // namespace gicsim::host
