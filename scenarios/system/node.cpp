// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/system/node.h"


#include <string>

#include "models/link/wire.h"

namespace gicsim::system {
namespace {

constexpr RequesterId host_id = 0;
constexpr RequesterId gpu_id(std::size_t i) { return static_cast<RequesterId>(1 + 2 * i); }
constexpr RequesterId nic_id(std::size_t i) { return static_cast<RequesterId>(2 + 2 * i); }

template <class Module, class... Args>
std::unique_ptr<Module> make(const std::string& name, Args&&... args) {
  return std::make_unique<Module>(name.c_str(), std::forward<Args>(args)...);
}

}  // namespace

Node::Node(sc_core::sc_module_name name, Shared& shared, const schema::NodeSpec& spec, schema::Attach attach,
           PortNumber first_port)
    : sc_module(name) {
  host_ = make<host::Host>("host", shared.kernel, spec.host, AddressMap::dram, AddressMap::window);
  host_port_ = make<pcie::Endpoint>("host_port", shared.kernel, spec.host_port, host_id, shared.transfers);
  host_port_->device.bind(host_->target);
  host_->port.bind(host_port_->memory);
  const auto pairs = static_cast<int>(spec.pairs.size());
  const int root_ports = 1 + (attach == schema::Attach::coherent ? 2 * pairs : pairs);
  root_ = make<pcie::Switch>("root", shared.kernel, spec.root.latency, root_ports);
  const int memory = attach_conduit(shared, "host", *host_port_, *root_, nullptr);
  root_->route_address(AddressMap::dram, AddressMap::window, memory);
  root_->route_requester(host_id, memory);
  for (std::size_t i = 0; i < spec.pairs.size(); ++i)
    build_pair(shared, spec.pairs[i], attach, i, static_cast<PortNumber>(first_port + i));
}

void Node::vary(const Spread& spread) {
  host_->vary(spread);
  root_->vary(spread);
  for (Pair& pair : pairs_) {
    pair.gpu->vary(spread);
    if (pair.pcie_switch) pair.pcie_switch->vary(spread);
    pair.nic->vary(spread);
  }
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
  device.out.bind(up.in);
  up.out.bind(to.in);
  const int port = to.next_port();
  to.out[static_cast<std::size_t>(port)].bind(down.in);
  down.out.bind(device.in);
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

void Node::build_pair(Shared& shared, const schema::PairSpec& spec, schema::Attach attach, std::size_t i,
                      PortNumber port_number) {
  const std::string number = std::to_string(i);
  const Address gpu_base = AddressMap::gpu(i), nic_base = AddressMap::nic(i);
  Pair pair;
  pair.gpu = make<gpu::Gpu>("gpu" + number, shared.kernel, spec.gpu, gpu_base, AddressMap::window);
  pair.gpu_port =
      make<pcie::Endpoint>("gpu" + number + "_port", shared.kernel, spec.gpu_port, gpu_id(i), shared.transfers);
  pair.gpu_port->device.bind(pair.gpu->target);
  pair.gpu->port.bind(pair.gpu_port->memory);
  pair.nic = make<nic::Nic>("nic" + number, shared.kernel, spec.nic, port_number,
                            link::overhead(spec.nic_link.protocol), nic_base);
  pair.nic_port =
      make<pcie::Endpoint>("nic" + number + "_port", shared.kernel, spec.nic_port, nic_id(i), shared.transfers);
  pair.nic_port->device.bind(pair.nic->target);
  pair.nic->port.bind(pair.nic_port->memory);

  const auto route = [](pcie::Switch& at, Address base, Address size, RequesterId id, int port) {
    at.route_address(base, size, port);
    at.route_requester(id, port);
  };
  if (attach == schema::Attach::coherent) {
    const int to_gpu = attach_conduit(shared, "gpu" + number, *pair.gpu_port, *root_, &spec.gpu_c2c);
    const int to_nic = attach_link(shared, "nic" + number, *pair.nic_port, *root_, spec.nic_pcie);
    route(*root_, gpu_base, AddressMap::window, gpu_id(i), to_gpu);
    route(*root_, nic_base, AddressMap::nic_window, nic_id(i), to_nic);
  } else {
    pair.pcie_switch = make<pcie::Switch>("switch" + number, shared.kernel, spec.pcie_switch.latency, 3);
    pcie::Switch& at = *pair.pcie_switch;
    const int to_gpu = attach_link(shared, "gpu" + number, *pair.gpu_port, at, spec.gpu_pcie);
    const int to_nic = attach_link(shared, "nic" + number, *pair.nic_port, at, spec.nic_pcie);
    route(at, gpu_base, AddressMap::window, gpu_id(i), to_gpu);
    route(at, nic_base, AddressMap::nic_window, nic_id(i), to_nic);
    pcie::Link& up = new_link(shared, "switch" + number + "_pcie_up", spec.switch_pcie);
    pcie::Link& down = new_link(shared, "switch" + number + "_pcie_down", spec.switch_pcie);
    const int upstream = at.next_port();
    at.route_upstream(upstream);
    at.out[static_cast<std::size_t>(upstream)].bind(up.in);
    up.out.bind(root_->in);
    const int port = root_->next_port();
    root_->out[static_cast<std::size_t>(port)].bind(down.in);
    down.out.bind(at.in);
    route(*root_, gpu_base, AddressMap::window, gpu_id(i), port);
    route(*root_, nic_base, AddressMap::nic_window, nic_id(i), port);
  }
  pairs_.push_back(std::move(pair));
}

void Node::check_books() const {
  host_port_->check_books();
  for (const Pair& pair : pairs_) {
    pair.gpu_port->check_books();
    pair.nic_port->check_books();
    pair.nic->check_books();
  }
  for (const auto& link : links_) link->check_books();
}

void Node::unfinished(std::vector<std::string>& lines) const {
  for (const Pair& pair : pairs_) pair.nic->unfinished(lines);
}

}  // namespace gicsim::system
