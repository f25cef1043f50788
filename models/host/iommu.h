// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <systemc>
#include <vector>

#include "models/host/host.h"
#include "models/host/iommu_params.h"
#include "models/protocol/tlp.h"

namespace gicsim::host {

struct IommuStats {
  Count requests = 0, hits = 0, walks = 0, accesses = 0, translations = 0, translated = 0, faults = 0;
  Picoseconds walk_time{}, walk_wait{};
  Count invalidations = 0;
  Picoseconds invalidation_time{};
};
template <class V>
constexpr void describe(V&& v, IommuStats& s) {
  v("requests", s.requests, "untranslated requests of devices");
  v("hits", s.hits, "of these, found in the IO-TLB");
  v("walks", s.walks, "page walks made");
  v("accesses", s.accesses, "memory accesses of page walks");
  v("translations", s.translations, "ATS translation requests answered");
  v("translated", s.translated, "requests that came translated and passed");
  v("faults", s.faults, "requests to addresses that aren't mapped");
  v("walk_time", s.walk_time, "time that walkers were busy, summed");
  v("walk_wait", s.walk_wait, "time that requests waited for a walker, summed");
  v("invalidations", s.invalidations, "ATS invalidation requests sent to devices");
  v("invalidation_time", s.invalidation_time, "time until devices answered them, summed");
}
static_assert(fully_described<IommuStats>());

/// The IOMMU of a root complex: stands between the root ports and its switch and translates each request of a device.
/// A page that isn't in the IO-TLB is walked, one memory access after the other; so many walks at a time. Requests
/// of one device keep their order where PCIe asks for it: nothing passes a write. Reads may pass each other.
/// What isn't mapped ends: a read with a completion "unsupported request", a write unseen.
/// Not modelled: context entries, interrupt remapping, page requests, what the operating system does to map and unmap.
/// Source: PCIe Base 5.0, 10 (ATS) and 2.4.1 (order).
class Iommu final : public sc_core::sc_module {
 public:
  sc_core::sc_vector<sc_core::sc_export<TlpSink>> in{"in"};  ///< a port of the root complex each
  sc_core::sc_vector<sc_core::sc_port<TlpSink>> out{"out"};  ///< the first, memory's, also for its own answers

  Iommu(sc_core::sc_module_name name, Kernel& kernel, const IommuParams& params, Host& host, TransferPool& pool,
        int ports = 1);

  const IommuStats& stats() const { return stats_; }
  const IommuParams& params() const { return params_; }
  /// Memory that devices may reach: nothing but what was mapped, in every device's page tables alike.
  void map(Address base, Address size) { mapped_.push_back({base, size}); }
  /// The operating system has just written these mappings: their tables are in the last-level cache.
  void warm_tables(Address base, Bytes length);
  /// The entries of these pages go, and each device that has asked for translations is asked to drop its own.
  void invalidate(Address base, Bytes length);

  struct Fault {
    std::string who;
    TlpKind kind = TlpKind::read;
    RequesterId requester = 0;
    Address address = 0;
    Picoseconds at{};
  };
  const std::vector<Fault>& faults() const { return faults_; }
  /// @throws ModelError when a request is still inside
  void check_books() const;

 private:
  struct Range {
    Address base, size;
  };
  struct Port final : TlpSink {
    Iommu* owner = nullptr;
    TlpSink* root = nullptr;
    void arrive(const Tlp& tlp) override { owner->arrive(*this, tlp); }
  };
  struct Waiting {
    Port* from;
    Tlp tlp;
    Picoseconds at;
    std::uint64_t order;
    bool operator>(const Waiting& o) const { return at != o.at ? at > o.at : order > o.order; }
  };
  struct Walked {
    SetCache::Key page;
    Picoseconds at;
    bool operator>(const Walked& o) const { return at > o.at; }
  };
  template <class T>
  using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;

  void end_of_elaboration() override;
  void arrive(Port& from, const Tlp& tlp);
  bool mapped(Address at) const;
  SetCache::Key page_of(Address at, RequesterId who) const;
  Picoseconds translate(const Tlp& tlp, Picoseconds now);
  Address entry_of(Address at, Count level, Count dimension) const;
  int page_bits() const;
  Count levels(Count of) const;
  Picoseconds walk(Address at, RequesterId who, SetCache::Key page, Picoseconds now);
  void pass(Port& from, const Tlp& tlp, Picoseconds at);
  void go(Port& from, const Tlp& tlp);
  void answer(const Tlp& completion) { ports_.front().root->arrive(completion); }
  void fault(const Tlp& tlp);
  void on_ready();
  void on_walked();
  // invalidation.cpp
  void remap_in_turn();
  void on_remap();
  void on_invalidated(const Tlp& answer);

  Kernel& kernel_;
  const IommuParams& params_;
  Host& host_;
  TransferPool& pool_;
  std::deque<Port> ports_;
  SetCache tlb_, upper_;
  std::vector<Picoseconds> walkers_;           ///< when each is free
  std::map<SetCache::Key, Picoseconds> under_way_;  ///< pages that are being walked, and until when
  Earliest<Walked> walked_;
  Earliest<Waiting> waiting_;
  std::vector<Picoseconds> writes_passed_;     ///< by requester: when its last write goes on
  std::vector<Range> mapped_;
  std::uint64_t order_ = 0;
  std::set<RequesterId> holders_;              ///< devices that have asked for translations
  Count invalidating_ = 0;                     ///< invalidation requests without their answer
  Address last_walked_ = 0;
  bool remapping_ = false;
  std::vector<Fault> faults_;
  IommuStats stats_;
};

}  // namespace gicsim::host
