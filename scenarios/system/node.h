// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "models/base/probe.h"
#include "models/dma/engine.h"
#include "models/gpu/copy_engine.h"
#include "models/gpu/multiprocessors.h"
#include "models/gpu/gpu.h"
#include "models/host/host.h"
#include "models/host/iommu.h"
#include "models/nic/nic.h"
#include "models/pcie/ats.h"
#include "models/pcie/conduit.h"
#include "models/pcie/endpoint.h"
#include "models/pcie/link.h"
#include "models/pcie/socket_link.h"
#include "models/pcie/switch.h"
#include "models/pcie/unclaimed.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/atomics.h"
#include "scenarios/system/levels.h"

namespace gicsim::system {

/// The address space of a node: below the DRAM of the socket that paths use, then a window a GPU,
/// then the DRAM of other sockets, then a window a NIC.
struct AddressMap {
  static constexpr Address dram = 0;
  static constexpr Address window = Address{1} << 42;
  static constexpr Address gpu(std::size_t i) { return (1 + i) * window; }
  static constexpr Address other_dram(std::size_t i) { return (17 + i) * window; }
  static constexpr Address nic(std::size_t i) { return (Address{1} << 47) + i * (Address{1} << 32); }
  /// Tables of a NIC in host memory, behind the queues.
  static constexpr Address tables(std::size_t nic) { return dram + (Address{7} << 37) + nic * (Address{1} << 33); }
  static constexpr Address nic_window = Address{1} << 25;
  static constexpr Address dma(std::size_t i) { return nic(0) + (64 + i) * (Address{1} << 32); }
};

/// What every module of a system shares.
struct Shared {
  Kernel& kernel;
  Probe<TlpSent>& tlps;
  Probe<PacketSent>& packets;
  TransferPool transfers;
  Kernel::Lane next_lane = 1;
};

/// One server: sockets with host memory and root complex, a link between any two of them, and the
/// PCIe tree of switches, GPUs and NICs that the system says.
class Node final : public sc_core::sc_module {
 public:
  Node(sc_core::sc_module_name name, Shared& shared, const schema::SystemSpec& system, std::size_t number,
       PortNumber first_port);

  gpu::Gpu& gpu(std::size_t i) { return *gpus_[i].gpu; }
  gpu::CopyEngine& copy_engine(std::size_t i, Direction direction) {
    return direction == Direction::d2h ? *gpus_[i].to_host : *gpus_[i].from_host;
  }
  gpu::Multiprocessors& multiprocessors(std::size_t i) { return *gpus_[i].multiprocessors; }
  std::size_t gpus() const { return gpus_.size(); }
  nic::Nic& nic(std::size_t i) { return *nics_[i].nic; }
  dma::Engine& dma(std::size_t i) { return *dmas_[i].engine; }
  /// The socket that paths use.
  host::Host& host() { return *sockets_[host_socket_].host; }
  std::size_t nics() const { return nics_.size(); }
  /// "nic0"; null when it is something else's name.
  nic::Nic* nic_named(const std::string& who);

  /// A device's port, "gpu0", "nic0" or "host", and the port of switch or root complex that it is plugged into.
  struct Plug {
    std::string who;
    pcie::Endpoint* port;
    pcie::Switch* above;
    int number;
  };
  const Plug* plug(const std::string& who) const;
  std::size_t dmas() const { return dmas_.size(); }
  /// Of the socket that paths use; null: off.
  host::Iommu* iommu() { return sockets_[host_socket_].iommu.get(); }

  /// Where its processors and NICs tell of atomics on its memory, and who looks at that.
  const Probe<AtomicDone>& atomics_done() const { return atomics_done_; }
  const Atomics& atomics() const { return atomics_; }
  /// Turns sources of spread on, in every device.
  void vary(const Spread& spread);
  /// Of its cores that are made after.
  void load(const host::CpuLoad& load);

  /// Calls visit(name, stats) for every module, every core and what cores share.
  template <class Visit>
  void visit_stats(Visit&& visit) const;
  /// What can be read of links, ports and queue pairs at any time.
  void levels(Levels& levels) const;
  void check_books() const;
  void unfinished(std::vector<std::string>& lines) const;

 private:
  struct Socket {
    std::unique_ptr<host::Host> host;
    std::unique_ptr<pcie::Endpoint> host_port;
    std::unique_ptr<pcie::Switch> root;
    std::unique_ptr<host::Iommu> iommu;  ///< null: off
    std::vector<int> to;  ///< ports towards other sockets; -1: itself
  };
  struct GpuSet {
    std::unique_ptr<gpu::Gpu> gpu;
    std::unique_ptr<gpu::CopyEngine> to_host, from_host;
    std::unique_ptr<gpu::Multiprocessors> multiprocessors;
    std::unique_ptr<pcie::Endpoint> port;
  };
  struct NicSet {
    std::unique_ptr<nic::Nic> nic;
    std::unique_ptr<pcie::Ats> ats;  ///< null: off
    std::unique_ptr<pcie::Endpoint> port;
  };
  struct DmaSet {
    std::unique_ptr<dma::Engine> engine;
    std::unique_ptr<pcie::Ats> ats;
    std::unique_ptr<pcie::Endpoint> port;
  };
  /// A switch or a host bridge.
  struct Branch {
    std::unique_ptr<pcie::Switch> at;
    schema::Plug plug;
    int to_it = -1;  ///< the port above that leads to it
  };

  /// Where links from below enter a switch, or a root complex through its IOMMU.
  sc_core::sc_export<TlpSink>& entry(pcie::Switch& to, int port);
  void build_socket(Shared& shared, const schema::NodeSpec& spec, std::size_t s, int children);
  void build_socket_links(Shared& shared, const pcie::SocketLinkParams& params);
  void build_gpu(Shared& shared, const schema::PairSpec& spec, std::size_t i);
  void build_nic(Shared& shared, const schema::PairSpec& spec, std::size_t i, PortNumber port);
  void build_dma(Shared& shared, const schema::DmaSpec& spec, std::size_t i);
  /// Links what is plugged in to what it is plugged into. @return the port there that leads to it
  int plug_in(Shared& shared, const schema::NodeSpec& spec, const schema::Plug& plug);
  Branch& branch(schema::Stand stand, std::size_t number);
  pcie::Switch& at(schema::Stand stand, std::size_t number);
  void route(const schema::Plug& plug, int port);
  /// Of something plugged in somewhere, by `port` of what it is plugged into, all the way from the roots.
  void route(const schema::Plug& plug, int port, Address base, Address size, RequesterId id);
  /// A window and a requester are behind `port` of one root, and across a socket link for the others.
  void route(std::size_t socket, int port, Address base, Address size, RequesterId id);
  /// Both directions between an endpoint and a switch. @return the switch's port towards it
  int attach_link(Shared& shared, const std::string& who, pcie::Endpoint& device, pcie::Switch& to,
                  const pcie::LinkParams& params);
  /// Both directions between a switch and one above it. @return the upper's port towards it
  int attach_switch(Shared& shared, const std::string& who, pcie::Switch& below, pcie::Switch& above,
                    const pcie::LinkParams& params);
  /// The same for a host bridge, which is part of its root complex.
  int attach_bridge(Shared& shared, const std::string& who, pcie::Switch& below, pcie::Switch& root);
  template <class Way>
  int join(pcie::Switch& below, pcie::Switch& above, Way& up, Way& down);
  int attach_conduit(Shared& shared, const std::string& who, pcie::Endpoint& device, pcie::Switch& to,
                     const pcie::CoherentParams* params);
  pcie::Link& new_link(Shared& shared, const std::string& name, const pcie::LinkParams& params,
                       pcie::Far far = pcie::Far::forwards);
  pcie::Conduit& new_conduit(Shared& shared, const std::string& name, const pcie::CoherentParams* params);

  /// Its ports' tags are as many as the shortest tag field of all ports allows; its switches refuse what nobody claims.
  void agree(Shared& shared, const schema::NodeSpec& spec);

  const schema::SystemSpec& system_;
  std::size_t host_socket_;
  std::vector<Socket> sockets_;
  std::vector<GpuSet> gpus_;
  std::vector<NicSet> nics_;
  std::vector<DmaSet> dmas_;
  std::vector<Branch> branches_;
  std::vector<std::unique_ptr<pcie::Link>> links_;
  std::vector<std::unique_ptr<pcie::Conduit>> conduits_;
  std::vector<std::unique_ptr<pcie::SocketLink>> socket_links_;
  std::unique_ptr<pcie::Unclaimed> unclaimed_;
  std::vector<Plug> plugs_;
  Probe<AtomicDone> atomics_done_;
  Atomics atomics_;
};

template <class Visit>
void Node::visit_stats(Visit&& visit) const {
  for (const Socket& socket : sockets_) {
    visit(socket.host->name(), socket.host->stats());
    if (const host::DoorbellGate* gate = socket.host->gate()) visit(gate->name().c_str(), gate->stats());
    for (const host::Host::Served& one : socket.host->served()) visit(one.who.c_str(), *one.stats);
    visit(socket.host_port->name(), socket.host_port->stats());
    visit(socket.root->name(), socket.root->stats());
    if (socket.iommu) visit(socket.iommu->name(), socket.iommu->stats());
  }
  for (const GpuSet& one : gpus_) {
    visit(one.gpu->name(), one.gpu->stats());
    visit(one.gpu->mmu().name().c_str(), one.gpu->mmu().stats());
    visit(one.to_host->name().c_str(), one.to_host->stats());
    visit(one.from_host->name().c_str(), one.from_host->stats());
    if (one.multiprocessors->stats().blocks > 0)
      visit(one.multiprocessors->name().c_str(), one.multiprocessors->stats());
    visit(one.port->name(), one.port->stats());
  }
  for (const Branch& one : branches_) visit(one.at->name(), one.at->stats());
  for (const NicSet& one : nics_) {
    visit(one.nic->name(), one.nic->stats());
    visit((std::string(one.nic->name()) + ".fetch").c_str(), one.nic->fetch_stats());
    visit((std::string(one.nic->name()) + ".contexts").c_str(), one.nic->contexts().stats());
    if (one.nic->cq_stats().any()) visit(one.nic->cq_name().c_str(), one.nic->cq_stats());
    if (one.ats) visit(one.ats->name(), one.ats->stats());
    visit(one.port->name(), one.port->stats());
  }
  for (const DmaSet& one : dmas_) {
    visit(one.engine->name(), one.engine->stats());
    visit(one.ats->name(), one.ats->stats());
    visit(one.port->name(), one.port->stats());
  }
  for (const auto& link : links_) visit(link->name(), link->stats());
  for (const auto& conduit : conduits_) visit(conduit->name(), conduit->stats());
  for (const auto& link : socket_links_) visit(link->name(), link->stats());
  visit(unclaimed_->name(), unclaimed_->stats());
}

}  // namespace gicsim::system
