// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "scenarios/schema/detail/checks.h"

namespace gicsim::schema::detail {

bool uses_verbs(Path path);
bool uses_runtime(const Scenario& scenario);

/// The scenario's keys against each other and against its machine. In the order of its parts: each relies on
/// what the ones before have settled.
class Checker {
 public:
  Checker(Scenario& scenario, const Keys& keys, Mistakes& mistakes)
      : s_(scenario), keys_(keys), mistakes_(mistakes) {}

  void probe();
  void gpu_probe();
  void dma();
  /// Whether the path has what the pattern asks for.
  void pattern();
  void payload();
  /// Data in GPU memory are polled for by a GPU thread, unless the one who polls has to answer.
  void receiver();
  void work();
  /// What the receiver may rely on.
  void ordering();
  /// Queues, how they are polled, and what is wrong with that.
  void queues();
  void barrier();
  /// What runs meanwhile, and whether the machine has room for it.
  void loads();
  void word_load();
  void blocks();
  void pushes();
  /// Who rings what and when, and how often a thread goes to another queue pair.
  void doorbells();
  /// Queue pairs, doorbell pages and keys that all processes of a node take of a NIC.
  void resources();
  /// What has to be registered with a NIC, and whether the GPU's window shows it.
  void windows();
  /// What queue pairs speak, and what a program does wrong.
  void transport();
  /// What the machine is told of the scenario: chance and script of its losses.
  void losses();
  /// And what fails, and whether its poster can do something about it.
  void faults();
  /// Flow control and congestion control against the link layer.
  void congestion();
  /// Which nodes send to which.
  void traffic();
  void unused();

 private:
  bool given(std::string_view key) const { return keys_.find(key) != keys_.end(); }
  bool is_default(std::string_view key) const;
  void wrong(std::string_view key, const std::string& what);
  /// A NIC touches GPU memory.
  bool shows_gpu_memory() const;
  bool machine() const { return !s_.system.nodes.empty(); }
  Bytes inline_max() const { return machine() && has_nics(s_.system) ? s_.system.nodes[0].pairs[0].nic.inline_max : Bytes{}; }
  /// What keeps this path's poster from putting a payload into the WQE; empty: nothing.
  std::string never_inline() const;
  /// Entries of the send queue that one operation takes; a proxy posts WQEs of one.
  Count units_of_a_wqe() const;
  void slips();
  /// Threads that the queue pairs are dealt out to: a probe under load has its own way.
  Count sharers() const { return s_.load > 0 ? s_.load : s_.threads; }
  /// Threads and queue pairs: each its own, several a thread, or neighbours that share one.
  void sharing();
  void load();
  /// Threads share rings, rings are dealt out to workers, and each worker has queue pairs of its own.
  void proxies();

  Scenario& s_;
  const Keys& keys_;
  Mistakes& mistakes_;
};

}  // namespace gicsim::schema::detail
