// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/base/kernel.h"
#include "models/mechanisms/set_cache.h"
#include "models/nic/context_params.h"
#include "models/protocol/transfer.h"

namespace gicsim::nic {

/// What a NIC knows of its queue pairs and of registered memory. The tables lie in host memory; what isn't cached is read
/// from there, through the NIC's own port. Two kinds of fetches have slots of their own: those that doorbells tell of ahead,
/// and those that the receive pipeline needs in order of arrival. Connecting a queue pair and registering memory go through
/// the NIC and leave their entries in the caches, as far as there is room.
/// Not modelled: writing changed contexts back; an acknowledgement whose requester context has gone.
class Contexts final : private Initiator {
 public:
  enum class Role { requester, responder };
  enum class Way { ahead, in_order };
  using Keys = std::vector<SetCache::Key>;

  Contexts(const std::string& name, Kernel& kernel, const ContextParams& params, Address tables);

  void read_through(MemoryPort& port) { port_ = &port; }
  /// This NIC stands for many, none of which ever lacks anything.
  void never_miss() { always_ = true; }
  /// As a queue pair's last visit, or its connection, left it.
  void visited(std::uint32_t qpn, Role role);
  void connected(std::uint32_t qpn);
  /// What a DC target knows of one initiator, by the queue pair that stands for it there.
  void accepted(std::uint32_t qpn);
  void registered(Address base, Bytes length);

  /// Lines of the tables that are needed for one role of a queue pair; for memory that is registered.
  void add(Keys& keys, std::uint32_t qpn, Role role) const;
  void add(Keys& keys, Address address, Bytes length) const;
  /// Whether all are cached; they count as used then.
  bool cached(const Keys& keys);
  /// Fetches those that aren't, one table after the other, then calls told().
  void fetch(Way way, const Keys& keys, std::function<void()> told);

  /// Nothing that could be asked for would miss.
  bool all_contexts() const { return always_ || contexts_held_ <= params_.lines; }
  bool all_memory() const { return always_ || (keys_held_ <= params_.keys && translations_held_ <= params_.translations); }

  ContextStats& stats() { return stats_; }
  const ContextStats& stats() const { return stats_; }
  Count under_way() const { return under_way_[0] + under_way_[1] + static_cast<Count>(waiting_[0].size() + waiting_[1].size()); }

 private:
  struct Fetch {
    Keys missing;
    Way way;
    std::function<void()> told;
    std::size_t read = 0;  ///< of the lines, those that are here
    Picoseconds begun{};
  };

  void on_transferred(Transfer& transfer) override;
  void start(Way way);
  void read_on(Fetch& fetch);
  SetCache& cache_of(SetCache::Key key);
  void insert(SetCache::Key key);
  Address address_of(SetCache::Key key) const;

  Kernel& kernel_;
  const ContextParams& params_;
  Address tables_;
  MemoryPort* port_ = nullptr;
  bool always_ = false;
  SetCache contexts_, keys_, translations_;
  std::map<Address, Bytes> regions_;  ///< registered, by their beginning
  Count contexts_held_ = 0, keys_held_ = 0, translations_held_ = 0;  ///< entries of the tables
  std::deque<Fetch> waiting_[2];
  std::map<Fetch*, std::unique_ptr<Fetch>> running_;
  Count under_way_[2] = {0, 0};
  ContextStats stats_;
};

}  // namespace gicsim::nic
