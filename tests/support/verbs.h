// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "models/base/context.h"
#include "models/units/text.h"
#include "scenarios/schema/load.h"
#include "scenarios/system/system.h"
#include "tests/support/files.h"
#include "tests/support/script.h"

namespace gicsim {

using Sets = std::vector<schema::Override>;

/// Two NICs of a whole system, connected, and a driver without cost: it writes WQEs into the ring
/// and rings, at the NIC's door, when it is told to. Completions are noted as they become visible.
class Verbs {
 public:
  struct Completion {
    Cqe cqe;
    Picoseconds at;
  };

  explicit Verbs(const Sets& sets = {}, const char* system = "h200_cx7_ib",
                 std::uint32_t depth = 1024, std::size_t queues = 1)
      : scenario_(load(sets, system)), system_(scenario_.system) {
    for (std::size_t i = 0; i < queues; ++i) {
      auto [here, there] = system_.connect(0, {}, 1, {}, system::Place::gpu, depth);
      here_.push_back({here}), there_.push_back({there});
    }
    for (std::size_t i = 0; i < queues; ++i) {
      watch(0, here_[i].queue.completion, here_[i].completions);
      watch(1, there_[i].queue.receive_completion, there_[i].receives);
      watch(1, there_[i].queue.completion, there_[i].completions);
    }
  }
  ~Verbs() { system_.kernel().abandon(); }

  system::System& system() { return system_; }
  Kernel& kernel() { return system_.kernel(); }
  nic::Nic& nic(std::size_t node = 0) { return system_.node(node).nic(0); }
  const schema::Scenario& scenario() const { return scenario_; }

  /// An address of node 0's, or node 1's, GPU memory.
  Address near(Address offset) { return system_.node(0).gpu(0).base() + (Address{1} << 40) + offset; }
  Address far(Address offset) { return system_.node(1).gpu(0).base() + (Address{1} << 40) + offset; }
  void set(std::size_t node, Address at, std::uint64_t value) {
    system_.node(node).gpu(0).cells().write(at, value, kernel().now());
  }
  std::uint64_t get(std::size_t node, Address at) {
    const auto seen = system_.node(node).gpu(0).cells().read(at, kernel().now());
    const auto* number = seen.content ? std::get_if<std::uint64_t>(seen.content) : nullptr;
    return number ? *number : 0;
  }

  /// Into the ring of a queue pair, by which its WQE becomes visible at once. @return its index
  std::uint32_t post(Wqe wqe, std::size_t queue = 0, std::size_t node = 0) {
    End& end = (node == 0 ? here_ : there_)[queue];
    wqe.qpn = end.queue.qpn;
    wqe.index = end.producer;
    end.producer += nic::wqe_units(wqe.inlined, wqe.length);
    const Address slot = end.queue.ring + wqe.index % end.queue.depth * Address{64};
    system_.node(node).gpu(0).cells().write(slot, wqe, kernel().now());
    return wqe.index;
  }
  void ring(std::size_t queue = 0, std::size_t node = 0) {
    End& end = (node == 0 ? here_ : there_)[queue];
    Transfer& doorbell = rings_.emplace_back();
    doorbell.address = end.queue.doorbell;
    doorbell.content = std::uint64_t{end.queue.qpn} << 32 | end.producer;
    nic(node).target->on_write(doorbell, kernel().now());
  }
  void receives(Count n, std::size_t queue = 0) { nic(1).post_receives(there_[queue].queue.qpn, n); }

  /// Requester's CQEs of a queue pair; CQEs of its peer's receives.
  std::vector<Completion>& completions(std::size_t queue = 0) { return here_[queue].completions; }
  std::vector<Completion>& received(std::size_t queue = 0) { return there_[queue].receives; }
  std::vector<Completion>& far_completions(std::size_t queue = 0) { return there_[queue].completions; }

  std::int64_t lost() {
    std::int64_t all = 0;
    system_.visit_stats([&](const char*, const auto& stats) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(stats)>, link::WireStats>) all += stats.lost;
    });
    return all;
  }

 private:
  struct End {
    system::Queue queue;
    std::uint32_t producer = 0;
    std::vector<Completion> completions{}, receives{};
  };
  struct Watch final : Watcher {
    Verbs& verbs;
    std::size_t node;
    Address at;
    std::vector<Completion>& into;
    Watch(Verbs& v, std::size_t n, Address a, std::vector<Completion>& i) : verbs(v), node(n), at(a), into(i) {}
    void on_written(Picoseconds visible) override {
      const auto seen = cells().read(at, visible);
      into.push_back({std::get<Cqe>(*seen.content), visible});
      cells().watch(at, this);
    }
    Cells<Content>& cells() { return verbs.system_.node(node).gpu(0).cells(); }
  };

  static schema::Scenario load(const Sets& sets, const char* system) {
    const Folder folder;
    return schema::load_scenario(
        folder.write("t.yaml", "system: " + std::string(system) + "\npattern: put\npath: gpu_direct\n"), sets,
        source_root());
  }
  void watch(std::size_t node, Address at, std::vector<Completion>& into) {
    Watch& watch = watches_.emplace_back(*this, node, at, into);
    watch.cells().watch(at, &watch);
  }

  schema::Scenario scenario_;
  ContextScope context_;
  system::System system_;
  std::vector<End> here_, there_;
  std::deque<Watch> watches_;
  std::deque<Transfer> rings_;
};

}  // namespace gicsim
