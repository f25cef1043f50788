// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "models/gpu/gpu.h"
#include "models/host/host.h"
#include "models/nic/nic.h"
#include "models/pcie/conduit.h"
#include "models/pcie/endpoint.h"
#include "models/pcie/link.h"
#include "models/pcie/switch.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::system {

/// The address space of a node: DRAM below, then a window a GPU, then a window a NIC.
struct AddressMap {
  static constexpr Address dram = 0;
  static constexpr Address window = Address{1} << 42;
  static constexpr Address gpu(std::size_t i) { return (1 + i) * window; }
  static constexpr Address nic(std::size_t i) { return (Address{1} << 47) + i * (Address{1} << 32); }
  static constexpr Address nic_window = Address{1} << 25;
};

/// What every module of a system shares.
struct Shared {
  Kernel& kernel;
  Probe<TlpSent>& tlps;
  Probe<PacketSent>& packets;
  TransferPool transfers;
  Kernel::Lane next_lane = 1;
};

/// One server: a host, its root complex, and GPU-NIC pairs wired as the system says.
class Node final : public sc_core::sc_module {
 public:
  Node(sc_core::sc_module_name name, Shared& shared, const schema::NodeSpec& spec, schema::Attach attach,
       PortNumber first_port);

  gpu::Gpu& gpu(std::size_t i) { return *pairs_[i].gpu; }
  nic::Nic& nic(std::size_t i) { return *pairs_[i].nic; }
  host::Host& host() { return *host_; }
  std::size_t pairs() const { return pairs_.size(); }

  /// Calls visit(name, stats) for every module, every core and what cores share.
  template <class Visit>
  void visit_stats(Visit&& visit) const;
  void check_books() const;
  void unfinished(std::vector<std::string>& lines) const;

 private:
  struct Pair {
    std::unique_ptr<gpu::Gpu> gpu;
    std::unique_ptr<pcie::Endpoint> gpu_port;
    std::unique_ptr<pcie::Switch> pcie_switch;
    std::unique_ptr<nic::Nic> nic;
    std::unique_ptr<pcie::Endpoint> nic_port;
  };

  void build_pair(Shared& shared, const schema::PairSpec& spec, schema::Attach attach, std::size_t i,
                  PortNumber port);
  /// Both directions between an endpoint and a switch. @return the switch's port towards it
  int attach_link(Shared& shared, const std::string& who, pcie::Endpoint& device, pcie::Switch& to,
                  const pcie::LinkParams& params);
  int attach_conduit(Shared& shared, const std::string& who, pcie::Endpoint& device, pcie::Switch& to,
                     const pcie::CoherentParams* params);
  pcie::Link& new_link(Shared& shared, const std::string& name, const pcie::LinkParams& params);
  pcie::Conduit& new_conduit(Shared& shared, const std::string& name, const pcie::CoherentParams* params);

  std::unique_ptr<host::Host> host_;
  std::unique_ptr<pcie::Endpoint> host_port_;
  std::unique_ptr<pcie::Switch> root_;
  std::vector<Pair> pairs_;
  std::vector<std::unique_ptr<pcie::Link>> links_;
  std::vector<std::unique_ptr<pcie::Conduit>> conduits_;
};

template <class Visit>
void Node::visit_stats(Visit&& visit) const {
  visit(host_->name(), host_->stats());
  for (const host::Host::Served& one : host_->served()) visit(one.who.c_str(), *one.stats);
  visit(host_port_->name(), host_port_->stats());
  visit(root_->name(), root_->stats());
  for (const Pair& pair : pairs_) {
    visit(pair.gpu->name(), pair.gpu->stats());
    visit(pair.gpu_port->name(), pair.gpu_port->stats());
    if (pair.pcie_switch) visit(pair.pcie_switch->name(), pair.pcie_switch->stats());
    visit(pair.nic->name(), pair.nic->stats());
    visit(pair.nic_port->name(), pair.nic_port->stats());
  }
  for (const auto& link : links_) visit(link->name(), link->stats());
  for (const auto& conduit : conduits_) visit(conduit->name(), conduit->stats());
}

}  // namespace gicsim::system
