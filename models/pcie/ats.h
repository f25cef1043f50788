// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <systemc>
#include <vector>

#include "models/base/kernel.h"
#include "models/mechanisms/set_cache.h"
#include "models/pcie/ats_params.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

struct AtsStats {
  Count hits = 0, misses = 0, requests = 0, invalidations = 0;
  Picoseconds waited{};
};
template <class V>
constexpr void describe(V&& v, AtsStats& s) {
  v("hits", s.hits, "transfers whose pages were all known");
  v("misses", s.misses, "transfers that had to wait for a translation");
  v("requests", s.requests, "translation requests sent");
  v("invalidations", s.invalidations, "invalidation requests served");
  v("waited", s.waited, "time that transfers waited for translations, summed");
}
static_assert(fully_described<AtsStats>());

/// Whoever asks a device to forget translations.
class Invalidator {
 public:
  virtual void on_invalidated() = 0;

 protected:
  ~Invalidator() = default;
};

/// The address translation cache between a device and its port. Transfers go on in the order that they came in, each
/// once all of its pages are known, with the AT field "translated"; what is missing is asked for at once. A translation
/// that is refused leaves its transfer untranslated: whoever answers will say so.
/// Not modelled: page requests, translations for many pages in one request.
/// Source: PCIe Base 5.0, 10
class Ats final : public sc_core::sc_module, public MessageSink, private MemoryPort, private Initiator, private Invalidator {
 public:
  sc_core::sc_export<MemoryPort> memory{"memory"};  ///< the device's side
  sc_core::sc_port<MemoryPort> port{"port"};

  Ats(sc_core::sc_module_name name, Kernel& kernel, const AtsParams& params);
  const AtsStats& stats() const { return stats_; }

  /// Where answers to messages go.
  void answers_by(MessagePort& port) { messages_ = &port; }
  /// An invalidation request that came as one: of its transfer's address and length.
  void on_message(const Tlp& message) override;
  /// An invalidation request: these pages are forgotten; answered once no transfer that used them is outstanding.
  void invalidate(Address base, Bytes length, Invalidator& who);
  /// @throws ModelError when a transfer is still inside
  void check_books() const;

 private:
  struct Waiting {
    Transfer* transfer;
    Picoseconds since;
    Count missing;  ///< of its pages
  };
  /// What a translated transfer's initiator was, until it has ended.
  struct Out {
    Initiator* initiator;
    Address begin, end;
  };
  struct Invalidation {
    Address begin, end;
    Invalidator* who;
    Count outstanding;
  };

  void end_of_elaboration() override { port_ = port.operator->(); }
  Transfer& make() override { return port_->make(); }
  void submit(Transfer& transfer) override;
  void on_transferred(Transfer& transfer) override;
  void on_invalidated() override;
  void want(Address page, Waiting& waiting);
  void ask();
  void pump();
  void forward(Transfer& transfer);
  Address first(const Transfer& t) const { return t.address / page(); }
  Address last(const Transfer& t) const {
    return (t.address + static_cast<Address>(std::max<std::int64_t>(t.length.count(), 1)) - 1) / page();
  }
  Address page() const { return static_cast<Address>(params_.page.count()); }

  Kernel& kernel_;
  const AtsParams& params_;
  MemoryPort* port_ = nullptr;
  SetCache cache_;
  std::deque<Waiting> waiting_;
  std::deque<Address> to_ask_;                          ///< pages
  std::map<Address, std::vector<Waiting*>> wanted_;     ///< by page: asked for, or about to be
  std::set<Address> refused_;                           ///< pages without a translation
  std::map<Transfer*, Out> out_;
  std::deque<Invalidation> invalidations_;
  MessagePort* messages_ = nullptr;
  std::deque<Tlp> asked_;  ///< requests that came as messages, without their answer
  Count outstanding_ = 0;
  AtsStats stats_;
};

}  // namespace gicsim::pcie
