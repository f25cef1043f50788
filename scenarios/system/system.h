// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/base/describe.h"
#include "models/base/kernel.h"
#include "models/link/switch.h"
#include "models/link/wire.h"
#include "scenarios/system/faults.h"
#include "scenarios/system/flaps.h"
#include "scenarios/system/node.h"

namespace gicsim::system {

/// A queue pair as its poster needs it: where things lie and what to ring.
struct Queue {
  nic::Nic* nic = nullptr;
  std::uint32_t qpn = 0;
  std::uint32_t depth = 0;     ///< units of 64 B
  Address ring = 0, record = 0, completion = 0, doorbell = 0;
  Address receive_completion = 0;  ///< CQE of a write with immediate
  Address receive_ring = 0;    ///< of `receive_depth` WQEs; 0: receives are only counted
  std::uint32_t receive_depth = 0;
  std::uint32_t lkey = 0, rkey = 0, device_rkey = 0;  ///< of own memory, of the far side's, of the far NIC's own
  Address far_device = 0;      ///< where the far NIC's own memory begins
  AddressVector far{};         ///< for datagrams
  std::uint32_t cq_entries = 1;  ///< more: a ring
  Address consumer = 0;        ///< its doorbell record
  Address arm = 0, vector = 0; ///< where a sleeper asks for an event, and which interrupt that is
  Address state = 0;           ///< the poster's own producer index, in its GPU's memory
};

/// "node0.nic0.qp1"
inline std::string name_of(const Queue& queue) {
  return std::string(queue.nic->name()) + ".qp" + std::to_string(queue.qpn);
}

/// What posters of a node went through that no device counts.
struct PosterStats {
  Count full = 0;
  Picoseconds full_time{};
  Count cqes_taken = 0, consumer_updates = 0, early_rings = 0, cq_taken_by_others = 0;
  bool any() const { return full + cqes_taken + early_rings > 0; }
  void stood(Picoseconds time) { ++full, full_time += time; }
};
template <class V>
constexpr void describe(V&& v, PosterStats& s) {
  v("full", s.full, "times that a poster stood before a full send queue");
  v("full_time", s.full_time, "time that they stood there, summed");
  v("cqes_taken", s.cqes_taken, "CQEs taken from rings");
  v("consumer_updates", s.consumer_updates, "consumer indices written back");
  v("early_rings", s.early_rings, "doorbells before their record");
  v("cq_taken_by_others", s.cq_taken_by_others, "times that another thread polled the ring that one wanted to");
}
static_assert(fully_described<PosterStats>());

/// Somebody took what no NIC had written for a CQE.
struct Misread {
  std::string what;
  Picoseconds at{};
};

/// Where a queue pair's ring, record and completion queue lie.
enum class Place { gpu, host };

/// A built machine: nodes, fabric and the kernel that times them. It refers to the spec, which
/// must outlive it; a ContextScope must be open around it.
class System {
 public:
  System(const schema::SystemSpec& spec, Kernel::Steps steps = Kernel::Steps::run_ahead);

  Kernel& kernel() { return kernel_; }
  Node& node(std::size_t i) { return *nodes_[i]; }
  std::size_t nodes() const { return nodes_.size(); }
  const schema::SystemSpec& spec() const { return spec_; }

  /// Connected queue pairs between a GPU with a NIC of node `m` and the like of node `n`.
  /// @param cqs  at either end a queue pair whose completion queue takes the new one's CQEs, too; null: each has its own
  std::pair<Queue, Queue> connect(std::size_t m, schema::Flow a, std::size_t n, schema::Flow b, Place place,
                                  std::uint32_t depth, std::uint8_t service_level = 0,
                                  std::pair<const Queue*, const Queue*> cqs = {});
  /// A queue pair that a NIC has with itself.
  Queue loop_back(std::size_t node, schema::Flow flow, Place place, std::uint32_t depth);

  Probe<TlpSent>& tlps() { return tlps_; }
  Probe<PacketSent>& packets() { return packets_; }
  template <class Visit>
  void visit_stats(Visit&& visit) const {
    for (const auto& node : nodes_) node->visit_stats(visit);
    for (const auto& wire : wires_) wire->visit_stats([&](const auto& stats) { visit(wire->name(), stats); });
    for (const auto& at : switches_) visit(at->name(), at->stats());
    for (const auto& end : ends_) visit(end->name(), end->stats());
    for (std::size_t n = 0; n < posters_.size(); ++n)
      if (posters_[n].any()) visit(poster_names_[n].c_str(), posters_[n]);
  }
  /// What can be read at any time, always in the same order.
  Levels levels() const;
  /// @throws ModelError that names the module whose books don't balance
  void check_books() const;
  std::vector<std::string> unfinished() const;
  /// Ports that wait for each other in a circle, in its order; none: nobody does.
  std::vector<std::string> deadlock() const;
  /// When the fabric marked a packet first, and when a port said first that it is full.
  std::optional<Picoseconds> first_mark() const;
  std::optional<Picoseconds> first_pause() const;
  std::vector<nic::StaleFetch> stale_fetches();
  PosterStats& posters(std::size_t node) { return posters_[node]; }
  void misread(Misread one) { misreads_.push_back(std::move(one)); }
  const std::vector<Misread>& misreads() const { return misreads_; }
  /// What drivers were told, in order of time.
  std::vector<nic::AsyncEvent> async_events();
  std::vector<nic::Failure> failures();
  /// Queue pairs that let no packets in.
  std::vector<std::string> refused() const;
  const Faults& faults() const { return *faults_; }
  const Flaps& flaps() const { return *flaps_; }
  /// Where links go down and come up again.
  Probe<PortEvent>& port_events() { return flaps_->events(); }
  /// A NIC's port: what goes out there, and what comes in.
  struct Port {
    nic::Nic* nic = nullptr;
    const link::Wire* out = nullptr;
    const link::Wire* in = nullptr;
    const link::Port* end = nullptr;  ///< null: flow control isn't modelled
  };
  const std::vector<Port>& ports() const { return ports_; }
  /// What DMA devices couldn't do, and what IOMMUs say of it.
  std::vector<dma::Engine::Failure> dma_failures();
  std::vector<host::Iommu::Fault> iommu_faults();

 private:
  Queue make_queue(std::size_t node, schema::Flow flow, Place place, std::uint32_t depth, std::uint8_t service_level,
                   const Queue* cq);
  link::Wire& new_wire(const std::string& name, const schema::Cable& cable);
  void prepare_cq(std::size_t node, const Queue& queue);
  Cells<Content>& cells_at(std::size_t node, Address address);
  void unannounced(std::vector<std::string>& lines) const;
  void control_congestion();
  // fabric.cpp
  void build_fabric();
  link::Port& new_port(const std::string& name, BitRate rate, int number);
  void register_memory();
  void join(std::size_t from, std::size_t to);
  std::pair<int, int> join(std::size_t number, link::Switch& a, link::Switch& b);
  void attach(nic::Nic& nic, link::Switch& at, const std::string& who, const schema::Cable& cable);

  const schema::SystemSpec& spec_;
  Probe<TlpSent> tlps_;
  Probe<PacketSent> packets_;
  Kernel kernel_;
  Shared shared_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<link::Switch>> switches_;
  std::vector<std::unique_ptr<link::Wire>> wires_;
  std::vector<std::unique_ptr<link::Port>> ends_;  ///< of cables, where flow control is modelled
  /// The switch at a cable's other end and its port there; null: a NIC.
  std::map<const link::Port*, std::pair<const link::Switch*, int>> far_ends_;
  std::vector<Port> ports_;
  std::unique_ptr<Faults> faults_;
  std::unique_ptr<Flaps> flaps_;
  std::uint32_t memory_key_ = 0, device_key_ = 0;  ///< the same at every NIC
  struct Made {
    std::size_t node;
    Queue queue;
  };
  std::vector<Made> made_;
  std::vector<PosterStats> posters_;
  std::vector<std::string> poster_names_;
  std::vector<Misread> misreads_;
};

}  // namespace gicsim::system
