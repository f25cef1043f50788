// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/system/node.h"

#include <string>

#include "models/link/wire.h"

namespace gicsim::system {
namespace {

constexpr RequesterId gpu_id(std::size_t i) { return static_cast<RequesterId>(1 + 2 * i); }
constexpr RequesterId nic_id(std::size_t i) { return static_cast<RequesterId>(2 + 2 * i); }
/// Sockets come after the 16 pairs, apart from the one that paths use.
constexpr RequesterId host_id(std::size_t i) { return static_cast<RequesterId>(i == 0 ? 0 : 32 + i); }

/// Neither from a core, nor to or from its memory.
bool between_devices(const Tlp& tlp) {
  const bool memory = tlp.address < AddressMap::window ||
                      (tlp.address >= AddressMap::other_dram(0) && tlp.address < AddressMap::nic(0));
  return !memory && tlp.requester != 0 && tlp.requester <= nic_id(15);
}

template <class Module, class... Args>
std::unique_ptr<Module> make(const std::string& name, Args&&... args) {
  return std::make_unique<Module>(name.c_str(), std::forward<Args>(args)...);
}

}  // namespace

Node::Node(sc_core::sc_module_name name, Shared& shared, const schema::SystemSpec& system, std::size_t number,
           PortNumber first_port)
    : sc_module(name), system_(system), host_socket_(static_cast<std::size_t>(system.host_socket)) {
  const schema::NodeSpec& spec = system.nodes[number];
  std::vector<int> devices(static_cast<std::size_t>(system.sockets));
  for (const schema::PairSpec& pair : spec.pairs) {
    ++devices[static_cast<std::size_t>(gpu_socket(system, pair))];
    if (system.attach == schema::Attach::coherent || system.attach == schema::Attach::root_port)
      ++devices[static_cast<std::size_t>(nic_socket(system, pair))];
  }
  sockets_.resize(devices.size());
  for (std::size_t s = 0; s < sockets_.size(); ++s) build_socket(shared, spec, s, devices[s]);
  build_socket_links(shared, spec.upi);
  for (std::size_t s = 0, other = 0; s < sockets_.size(); ++s) {
    const bool own = s == host_socket_;
    route(s, 0, own ? AddressMap::dram : AddressMap::other_dram(other), AddressMap::window,
          host_id(own ? 0 : 1 + other));
    if (!own) ++other;
  }
  for (std::size_t i = 0; i < spec.pairs.size(); ++i)
    build_pair(shared, spec.pairs[i], i, static_cast<PortNumber>(first_port + i));
}

/// Its root complex: port 0 to memory, then the other sockets, then devices.
void Node::build_socket(Shared& shared, const schema::NodeSpec& spec, std::size_t s, int devices) {
  const std::string number = sockets_.size() > 1 ? std::to_string(s) : "";
  const std::size_t before = s > host_socket_ ? s - 1 : s;  // of those that paths don't use
  const bool own = s == host_socket_;
  Socket& socket = sockets_[s];
  socket.host = make<host::Host>("host" + number, shared.kernel, spec.host,
                                 own ? AddressMap::dram : AddressMap::other_dram(before), AddressMap::window);
  socket.host_port = make<pcie::Endpoint>("host" + number + "_port", shared.kernel, spec.host_port,
                                          host_id(own ? 0 : 1 + before), shared.transfers);
  socket.host_port->device.bind(socket.host->target);
  socket.host->port.bind(socket.host_port->memory);
  const int ports = 1 + static_cast<int>(sockets_.size() - 1) + devices;
  socket.root = make<pcie::Switch>("root" + number, shared.kernel, spec.root.latency, ports);
  attach_conduit(shared, "host" + number, *socket.host_port, *socket.root, nullptr);
  socket.to.assign(sockets_.size(), -1);
}

void Node::build_socket_links(Shared& shared, const pcie::SocketLinkParams& params) {
  for (std::size_t from = 0; from < sockets_.size(); ++from)
    for (std::size_t to = 0; to < sockets_.size(); ++to) {
      if (from == to) continue;
      pcie::Switch& root = *sockets_[from].root;
      const int port = sockets_[from].to[to] = root.next_port();
      socket_links_.push_back(make<pcie::SocketLink>("upi" + std::to_string(from) + "to" + std::to_string(to),
                                                     shared.kernel, params, between_devices, shared.next_lane++,
                                                     shared.tlps));
      root.out[static_cast<std::size_t>(port)].bind(socket_links_.back()->in);
      socket_links_.back()->out.bind(sockets_[to].root->in);
    }
}

void Node::route(std::size_t socket, int port, Address base, Address size, RequesterId id) {
  for (std::size_t s = 0; s < sockets_.size(); ++s) {
    const int at = s == socket ? port : sockets_[s].to[socket];
    sockets_[s].root->route_address(base, size, at);
    sockets_[s].root->route_requester(id, at);
  }
}

void Node::vary(const Spread& spread) {
  for (Socket& socket : sockets_) {
    socket.host->vary(spread);
    socket.root->vary(spread);
  }
  for (Pair& pair : pairs_) {
    pair.gpu->vary(spread);
    if (pair.pcie_switch) pair.pcie_switch->vary(spread);
    if (pair.nic) pair.nic->vary(spread);
  }
}

void Node::load(const host::CpuLoad& load) {
  for (Socket& socket : sockets_) socket.host->load(load);
}

pcie::Link& Node::new_link(Shared& shared, const std::string& name, const pcie::LinkParams& params) {
  links_.push_back(make<pcie::Link>(name, shared.kernel, params, shared.next_lane++, shared.tlps));
  return *links_.back();
}

pcie::Conduit& Node::new_conduit(Shared& shared, const std::string& name, const pcie::CoherentParams* params) {
  conduits_.push_back(make<pcie::Conduit>(name, shared.kernel, params, shared.next_lane++, shared.tlps));
  return *conduits_.back();
}

int Node::attach_link(Shared& shared, const std::string& who, pcie::Endpoint& device, pcie::Switch& to,
                      const pcie::LinkParams& params) {
  pcie::Link& up = new_link(shared, who + "_pcie_up", params);
  pcie::Link& down = new_link(shared, who + "_pcie_down", params);
  up.acknowledged_by(down);
  down.acknowledged_by(up);
  device.out.bind(up.in);
  up.out.bind(to.in);
  const int port = to.next_port();
  to.out[static_cast<std::size_t>(port)].bind(down.in);
  down.out.bind(device.in);
  return port;
}

int Node::attach_switch(Shared& shared, const std::string& who, pcie::Switch& below, pcie::Switch& root,
                        const pcie::LinkParams& params) {
  pcie::Link& up = new_link(shared, who + "_pcie_up", params);
  pcie::Link& down = new_link(shared, who + "_pcie_down", params);
  up.acknowledged_by(down);
  down.acknowledged_by(up);
  const int upstream = below.next_port();
  below.route_upstream(upstream);
  below.out[static_cast<std::size_t>(upstream)].bind(up.in);
  up.out.bind(root.in);
  const int port = root.next_port();
  root.out[static_cast<std::size_t>(port)].bind(down.in);
  down.out.bind(below.in);
  return port;
}

int Node::attach_conduit(Shared& shared, const std::string& who, pcie::Endpoint& device, pcie::Switch& to,
                         const pcie::CoherentParams* params) {
  const std::string kind = params ? "_c2c" : "_memory";
  pcie::Conduit& up = new_conduit(shared, who + kind + "_up", params);
  pcie::Conduit& down = new_conduit(shared, who + kind + "_down", params);
  device.out.bind(up.in);
  up.out.bind(to.in);
  const int port = to.next_port();
  to.out[static_cast<std::size_t>(port)].bind(down.in);
  down.out.bind(device.in);
  return port;
}

void Node::build_pair(Shared& shared, const schema::PairSpec& spec, std::size_t i, PortNumber port_number) {
  const std::string number = std::to_string(i);
  const Address gpu_base = AddressMap::gpu(i), nic_base = AddressMap::nic(i);
  Pair pair;
  pair.gpu = make<gpu::Gpu>("gpu" + number, shared.kernel, spec.gpu, gpu_base, AddressMap::window);
  const std::string gpu_name = pair.gpu->name();
  pair.to_host = std::make_unique<gpu::CopyEngine>(gpu_name + ".copy_d2h", shared.kernel, *pair.gpu, spec.copy_engine);
  pair.from_host =
      std::make_unique<gpu::CopyEngine>(gpu_name + ".copy_h2d", shared.kernel, *pair.gpu, spec.copy_engine);
  pair.gpu_port =
      make<pcie::Endpoint>("gpu" + number + "_port", shared.kernel, spec.gpu_port, gpu_id(i), shared.transfers);
  pair.gpu_port->device.bind(pair.gpu->target);
  pair.gpu->port.bind(pair.gpu_port->memory);
  if (has_nics(system_)) {
    pair.nic = make<nic::Nic>("nic" + number, shared.kernel, spec.nic, port_number,
                              link::overhead(spec.nic_link.protocol), nic_base);
    pair.nic_port =
        make<pcie::Endpoint>("nic" + number + "_port", shared.kernel, spec.nic_port, nic_id(i), shared.transfers);
    pair.nic_port->device.bind(pair.nic->target);
    pair.nic->port.bind(pair.nic_port->memory);
  }

  const auto gpu_at = static_cast<std::size_t>(gpu_socket(system_, spec));
  const auto nic_at = static_cast<std::size_t>(nic_socket(system_, spec));
  pcie::Switch &gpu_root = *sockets_[gpu_at].root, &nic_root = *sockets_[nic_at].root;
  const auto route_both = [&](int to_gpu, int to_nic) {
    route(gpu_at, to_gpu, gpu_base, AddressMap::window, gpu_id(i));
    route(nic_at, to_nic, nic_base, AddressMap::nic_window, nic_id(i));
  };
  switch (system_.attach) {
    case schema::Attach::coherent: {
      const int to_gpu = attach_conduit(shared, "gpu" + number, *pair.gpu_port, gpu_root, &spec.gpu_c2c);
      route_both(to_gpu, attach_link(shared, "nic" + number, *pair.nic_port, nic_root, spec.nic_pcie));
      break;
    }
    case schema::Attach::root_port: {
      const int to_gpu = attach_link(shared, "gpu" + number, *pair.gpu_port, gpu_root, spec.gpu_pcie);
      route_both(to_gpu, attach_link(shared, "nic" + number, *pair.nic_port, nic_root, spec.nic_pcie));
      break;
    }
    case schema::Attach::no_nic: {
      const int to_gpu = attach_link(shared, "gpu" + number, *pair.gpu_port, gpu_root, spec.gpu_pcie);
      route(gpu_at, to_gpu, gpu_base, AddressMap::window, gpu_id(i));
      break;
    }
    case schema::Attach::pcie_switch: {
      pair.pcie_switch = make<pcie::Switch>("switch" + number, shared.kernel, spec.pcie_switch.latency, 3);
      pcie::Switch& at = *pair.pcie_switch;
      const int to_gpu = attach_link(shared, "gpu" + number, *pair.gpu_port, at, spec.gpu_pcie);
      const int to_nic = attach_link(shared, "nic" + number, *pair.nic_port, at, spec.nic_pcie);
      at.route_address(gpu_base, AddressMap::window, to_gpu), at.route_requester(gpu_id(i), to_gpu);
      at.route_address(nic_base, AddressMap::nic_window, to_nic), at.route_requester(nic_id(i), to_nic);
      const int port = attach_switch(shared, "switch" + number, at, gpu_root, spec.switch_pcie);
      route_both(port, port);
      break;
    }
  }
  pairs_.push_back(std::move(pair));
}

void Node::check_books() const {
  for (const Socket& socket : sockets_) socket.host_port->check_books();
  for (const Pair& pair : pairs_) {
    pair.gpu_port->check_books();
    if (!pair.nic) continue;
    pair.nic_port->check_books();
    pair.nic->check_books();
  }
  for (const auto& link : links_) link->check_books();
  for (const auto& link : socket_links_) link->check_books();
}

void Node::unfinished(std::vector<std::string>& lines) const {
  for (const Pair& pair : pairs_)
    if (pair.nic) pair.nic->unfinished(lines);
}

}  // namespace gicsim::system
