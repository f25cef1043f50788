// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "models/gpu/copy_engine.h"
#include "models/gpu/gpu.h"
#include "models/host/host.h"
#include "models/nic/nic.h"
#include "models/pcie/conduit.h"
#include "models/pcie/endpoint.h"
#include "models/pcie/link.h"
#include "models/pcie/socket_link.h"
#include "models/pcie/switch.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::system {

/// The address space of a node: below the DRAM of the socket that paths use, then a window a GPU,
/// then the DRAM of other sockets, then a window a NIC.
struct AddressMap {
  static constexpr Address dram = 0;
  static constexpr Address window = Address{1} << 42;
  static constexpr Address gpu(std::size_t i) { return (1 + i) * window; }
  static constexpr Address other_dram(std::size_t i) { return (17 + i) * window; }
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

/// One server: sockets with host memory and root complex, a link between any two of them, and
/// GPU-NIC pairs wired as the system says.
class Node final : public sc_core::sc_module {
 public:
  Node(sc_core::sc_module_name name, Shared& shared, const schema::SystemSpec& system, std::size_t number,
       PortNumber first_port);

  gpu::Gpu& gpu(std::size_t i) { return *pairs_[i].gpu; }
  gpu::CopyEngine& copy_engine(std::size_t i, Direction direction) {
    return direction == Direction::d2h ? *pairs_[i].to_host : *pairs_[i].from_host;
  }
  nic::Nic& nic(std::size_t i) { return *pairs_[i].nic; }
  /// The socket that paths use.
  host::Host& host() { return *sockets_[host_socket_].host; }
  std::size_t pairs() const { return pairs_.size(); }

  /// Turns sources of spread on, in every device.
  void vary(const Spread& spread);
  /// Of its cores that are made after.
  void load(const host::CpuLoad& load);

  /// Calls visit(name, stats) for every module, every core and what cores share.
  template <class Visit>
  void visit_stats(Visit&& visit) const;
  void check_books() const;
  void unfinished(std::vector<std::string>& lines) const;

 private:
  struct Socket {
    std::unique_ptr<host::Host> host;
    std::unique_ptr<pcie::Endpoint> host_port;
    std::unique_ptr<pcie::Switch> root;
    std::vector<int> to;  ///< ports towards other sockets; -1: itself
  };
  struct Pair {
    std::unique_ptr<gpu::Gpu> gpu;
    std::unique_ptr<gpu::CopyEngine> to_host, from_host;
    std::unique_ptr<pcie::Endpoint> gpu_port;
    std::unique_ptr<pcie::Switch> pcie_switch;
    std::unique_ptr<nic::Nic> nic;  ///< null, as its port, where the system has none
    std::unique_ptr<pcie::Endpoint> nic_port;
  };

  void build_socket(Shared& shared, const schema::NodeSpec& spec, std::size_t s, int devices);
  void build_socket_links(Shared& shared, const pcie::SocketLinkParams& params);
  void build_pair(Shared& shared, const schema::PairSpec& spec, std::size_t i, PortNumber port);
  /// A window and a requester are behind `port` of one root, and across a socket link for the others.
  void route(std::size_t socket, int port, Address base, Address size, RequesterId id);
  /// Both directions between an endpoint and a switch. @return the switch's port towards it
  int attach_link(Shared& shared, const std::string& who, pcie::Endpoint& device, pcie::Switch& to,
                  const pcie::LinkParams& params);
  /// Both directions between a switch and a root complex. @return the root's port towards it
  int attach_switch(Shared& shared, const std::string& who, pcie::Switch& below, pcie::Switch& root,
                    const pcie::LinkParams& params);
  int attach_conduit(Shared& shared, const std::string& who, pcie::Endpoint& device, pcie::Switch& to,
                     const pcie::CoherentParams* params);
  pcie::Link& new_link(Shared& shared, const std::string& name, const pcie::LinkParams& params);
  pcie::Conduit& new_conduit(Shared& shared, const std::string& name, const pcie::CoherentParams* params);

  const schema::SystemSpec& system_;
  std::size_t host_socket_;
  std::vector<Socket> sockets_;
  std::vector<Pair> pairs_;
  std::vector<std::unique_ptr<pcie::Link>> links_;
  std::vector<std::unique_ptr<pcie::Conduit>> conduits_;
  std::vector<std::unique_ptr<pcie::SocketLink>> socket_links_;
};

template <class Visit>
void Node::visit_stats(Visit&& visit) const {
  for (const Socket& socket : sockets_) {
    visit(socket.host->name(), socket.host->stats());
    for (const host::Host::Served& one : socket.host->served()) visit(one.who.c_str(), *one.stats);
    visit(socket.host_port->name(), socket.host_port->stats());
    visit(socket.root->name(), socket.root->stats());
  }
  for (const Pair& pair : pairs_) {
    visit(pair.gpu->name(), pair.gpu->stats());
    visit(pair.to_host->name().c_str(), pair.to_host->stats());
    visit(pair.from_host->name().c_str(), pair.from_host->stats());
    visit(pair.gpu_port->name(), pair.gpu_port->stats());
    if (pair.pcie_switch) visit(pair.pcie_switch->name(), pair.pcie_switch->stats());
    if (!pair.nic) continue;
    visit(pair.nic->name(), pair.nic->stats());
    visit(pair.nic_port->name(), pair.nic_port->stats());
  }
  for (const auto& link : links_) visit(link->name(), link->stats());
  for (const auto& conduit : conduits_) visit(conduit->name(), conduit->stats());
  for (const auto& link : socket_links_) visit(link->name(), link->stats());
}

}  // namespace gicsim::system
