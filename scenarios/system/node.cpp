// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/system/node.h"

#include <algorithm>
#include <string>

#include "models/link/wire.h"

namespace gicsim::system {
namespace {

using schema::Stand;

constexpr RequesterId gpu_id(std::size_t i) { return static_cast<RequesterId>(1 + 2 * i); }
constexpr RequesterId nic_id(std::size_t i) { return static_cast<RequesterId>(2 + 2 * i); }
constexpr RequesterId dma_id(std::size_t i) { return static_cast<RequesterId>(64 + i); }
/// Sockets come after the 16 pairs, apart from the one that paths use.
constexpr RequesterId host_id(std::size_t i) { return static_cast<RequesterId>(i == 0 ? 0 : 32 + i); }

/// Neither from a core, nor to or from its memory.
bool between_devices(const Tlp& tlp) {
  const bool memory = tlp.address < AddressMap::window ||
                      (tlp.address >= AddressMap::other_dram(0) && tlp.address < AddressMap::nic(0));
  const bool device = (tlp.requester != 0 && tlp.requester <= nic_id(15)) || tlp.requester >= dma_id(0);
  return !memory && device;
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
  const std::vector<schema::Plug> plugs = schema::plugs(system, number);
  const auto children = [&](Stand stand, std::size_t n) {
    return static_cast<int>(std::count_if(plugs.begin(), plugs.end(), [&](const schema::Plug& plug) {
      return plug.under == stand && plug.under_number == n;
    }));
  };
  atomics_done_.listen([this](const AtomicDone& done) { atomics_.on(done); });
  sockets_.resize(static_cast<std::size_t>(system.sockets));
  for (std::size_t s = 0; s < sockets_.size(); ++s) build_socket(shared, spec, s, children(Stand::root, s));
  build_socket_links(shared, spec.upi);
  for (std::size_t s = 0, other = 0; s < sockets_.size(); ++s) {
    const bool own = s == host_socket_;
    route(s, 0, own ? AddressMap::dram : AddressMap::other_dram(other), AddressMap::window,
          host_id(own ? 0 : 1 + other));
    if (!own) ++other;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(system.gpus); ++i) build_gpu(shared, spec.pairs[i], i);
  for (std::size_t i = 0; i < static_cast<std::size_t>(system.nics); ++i)
    build_nic(shared, spec.pairs[i], i, static_cast<PortNumber>(first_port + i));
  for (std::size_t i = 0; i < static_cast<std::size_t>(system.dmas); ++i) build_dma(shared, spec.dmas[i], i);
  for (const schema::Plug& plug : plugs) {
    if (plug.stand != Stand::pcie_switch && plug.stand != Stand::bridge) continue;
    const bool bridge = plug.stand == Stand::bridge;
    const Picoseconds& latency = bridge ? spec.bridges[plug.number].latency : spec.switches[plug.number].params.latency;
    branches_.push_back({make<pcie::Switch>((bridge ? "bridge" : "switch") + std::to_string(plug.number),
                                            shared.kernel, latency, 1 + children(plug.stand, plug.number)),
                         plug});
    branches_.back().at->arbitrates(bridge ? spec.bridges[plug.number].arbitration
                                           : spec.switches[plug.number].params.arbitration);
    if (bridge) branches_.back().at->is_root(between_devices, spec.bridges[plug.number]);
  }
  std::vector<int> ports;
  for (const schema::Plug& plug : plugs) {
    ports.push_back(plug_in(shared, spec, plug));
    if (plug.stand == Stand::pcie_switch || plug.stand == Stand::bridge)
      branch(plug.stand, plug.number).to_it = ports.back();
  }
  for (std::size_t i = 0; i < plugs.size(); ++i) route(plugs[i], ports[i]);
  agree(shared, spec);
}

void Node::agree(Shared& shared, const schema::NodeSpec& spec) {
  Count bits = spec.host_port.tag_bits;
  for (std::size_t i = 0; i < gpus_.size(); ++i) bits = std::min(bits, spec.pairs[i].gpu_port.tag_bits);
  for (std::size_t i = 0; i < nics_.size(); ++i) bits = std::min(bits, spec.pairs[i].nic_port.tag_bits);
  for (const schema::DmaSpec& dma : spec.dmas) bits = std::min(bits, dma.port.tag_bits);
  for (const Plug& plug : plugs_) plug.port->limit_tags(bits);
  unclaimed_ = std::make_unique<pcie::Unclaimed>(std::string(name()) + ".unclaimed", shared.transfers);
  for (Socket& socket : sockets_) socket.root->refuse_by(*unclaimed_);
  for (Branch& one : branches_) one.at->refuse_by(*unclaimed_);
}

nic::Nic* Node::nic_named(const std::string& who) {
  for (std::size_t i = 0; i < nics_.size(); ++i)
    if (who == "nic" + std::to_string(i)) return nics_[i].nic.get();
  return nullptr;
}

const Node::Plug* Node::plug(const std::string& who) const {
  const auto found = std::find_if(plugs_.begin(), plugs_.end(), [&](const Plug& plug) { return plug.who == who; });
  return found == plugs_.end() ? nullptr : &*found;
}

/// Its root complex: port 0 to memory, then the other sockets, then devices.
void Node::build_socket(Shared& shared, const schema::NodeSpec& spec, std::size_t s, int children) {
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
  if (spec.host.doorbell_gate && own) socket.host->guard(spec.gate);
  const int ports = 1 + static_cast<int>(sockets_.size() - 1) + children;
  socket.root = make<pcie::Switch>("root" + number, shared.kernel, spec.root.latency, ports);
  socket.root->is_root(between_devices, spec.root);
  socket.root->arbitrates(spec.root.arbitration);
  attach_conduit(shared, "host" + number, *socket.host_port, *socket.root, nullptr);
  socket.to.assign(sockets_.size(), -1);
  if (spec.iommu.mode == host::IommuMode::off) return;
  socket.iommu = make<host::Iommu>("iommu" + number, shared.kernel, spec.iommu, *socket.host, shared.transfers, ports);
  for (std::size_t port = 0; port < static_cast<std::size_t>(ports); ++port)
    socket.iommu->out[port].bind(socket.root->in[port]);
  const Address reach = std::min(AddressMap::window, static_cast<Address>(spec.iommu.aperture.count()));
  socket.iommu->map(AddressMap::dram, reach);
  for (std::size_t other = 0; other + 1 < sockets_.size(); ++other) socket.iommu->map(AddressMap::other_dram(other), reach);
  socket.iommu->map(AddressMap::gpu(0), 16 * AddressMap::window);
  socket.iommu->map(AddressMap::nic(0), AddressMap::dma(16) - AddressMap::nic(0));
}

sc_core::sc_export<TlpSink>& Node::entry(pcie::Switch& to, int port) {
  const auto at = static_cast<std::size_t>(port);
  for (Socket& socket : sockets_)
    if (socket.root.get() == &to && socket.iommu) return socket.iommu->in[at];
  return to.in[at];
}

void Node::build_socket_links(Shared& shared, const pcie::SocketLinkParams& params) {
  for (std::size_t from = 0; from < sockets_.size(); ++from)
    for (std::size_t to = 0; to < sockets_.size(); ++to) {
      if (from == to) continue;
      pcie::Switch& root = *sockets_[from].root;
      const int port = sockets_[from].to[to] = root.next_port();
      root.leads_across(port);
      socket_links_.push_back(make<pcie::SocketLink>("upi" + std::to_string(from) + "to" + std::to_string(to),
                                                     shared.kernel, params, between_devices, shared.next_lane++,
                                                     shared.tlps));
      root.out[static_cast<std::size_t>(port)].bind(socket_links_.back()->in);
    }
  // A port takes what comes from the socket that it leads to.
  for (std::size_t from = 0, link = 0; from < sockets_.size(); ++from)
    for (std::size_t to = 0; to < sockets_.size(); ++to)
      if (from != to)
        socket_links_[link++]->out.bind(sockets_[to].root->in[static_cast<std::size_t>(sockets_[to].to[from])]);
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
  for (GpuSet& one : gpus_) one.gpu->vary(spread);
  for (Branch& one : branches_) one.at->vary(spread);
  for (NicSet& one : nics_) one.nic->vary(spread);
  for (const auto& link : links_) link->vary(spread);
}

void Node::load(const host::CpuLoad& load) {
  for (Socket& socket : sockets_) socket.host->load(load);
}

pcie::Link& Node::new_link(Shared& shared, const std::string& name, const pcie::LinkParams& params, pcie::Far far) {
  links_.push_back(make<pcie::Link>(name, shared.kernel, params, shared.next_lane++, shared.tlps, far));
  return *links_.back();
}

pcie::Conduit& Node::new_conduit(Shared& shared, const std::string& name, const pcie::CoherentParams* params) {
  conduits_.push_back(make<pcie::Conduit>(name, shared.kernel, params, shared.next_lane++, shared.tlps));
  return *conduits_.back();
}

int Node::attach_link(Shared& shared, const std::string& who, pcie::Endpoint& device, pcie::Switch& to,
                      const pcie::LinkParams& params) {
  pcie::Link& up = new_link(shared, who + "_pcie_up", params);
  pcie::Link& down = new_link(shared, who + "_pcie_down", params, pcie::Far::endpoint);
  up.acknowledged_by(down);
  down.acknowledged_by(up);
  down.arbitrate(to.arbitration());
  device.out.bind(up.in);
  const int port = to.next_port();
  up.out.bind(entry(to, port));
  to.out[static_cast<std::size_t>(port)].bind(down.in);
  down.out.bind(device.in);
  plugs_.push_back({who, &device, &to, port});
  return port;
}

int Node::attach_switch(Shared& shared, const std::string& who, pcie::Switch& below, pcie::Switch& above,
                        const pcie::LinkParams& params) {
  pcie::Link& up = new_link(shared, who + "_pcie_up", params);
  pcie::Link& down = new_link(shared, who + "_pcie_down", params);
  up.acknowledged_by(down);
  down.acknowledged_by(up);
  up.arbitrate(below.arbitration());
  down.arbitrate(above.arbitration());
  return join(below, above, up, down);
}

template <class Way>
int Node::join(pcie::Switch& below, pcie::Switch& above, Way& up, Way& down) {
  const auto upstream = static_cast<std::size_t>(below.next_port());
  below.route_upstream(static_cast<int>(upstream));
  below.out[upstream].bind(up.in);
  down.out.bind(below.in[upstream]);
  const int port = above.next_port();
  up.out.bind(entry(above, port));
  above.out[static_cast<std::size_t>(port)].bind(down.in);
  return port;
}

int Node::attach_conduit(Shared& shared, const std::string& who, pcie::Endpoint& device, pcie::Switch& to,
                         const pcie::CoherentParams* params) {
  const std::string kind = params ? "_c2c" : "_memory";
  pcie::Conduit& up = new_conduit(shared, who + kind + "_up", params);
  pcie::Conduit& down = new_conduit(shared, who + kind + "_down", params);
  device.out.bind(up.in);
  const int port = to.next_port();
  up.out.bind(to.in[static_cast<std::size_t>(port)]);
  to.out[static_cast<std::size_t>(port)].bind(down.in);
  down.out.bind(device.in);
  plugs_.push_back({who, &device, &to, port});
  return port;
}

int Node::attach_bridge(Shared& shared, const std::string& who, pcie::Switch& below, pcie::Switch& root) {
  pcie::Conduit& up = new_conduit(shared, who + "_up", nullptr);
  pcie::Conduit& down = new_conduit(shared, who + "_down", nullptr);
  const int port = join(below, root, up, down);
  below.leads_across(below.upstream());
  return port;
}

void Node::build_gpu(Shared& shared, const schema::PairSpec& spec, std::size_t i) {
  const std::string number = std::to_string(i);
  GpuSet set;
  set.gpu = make<gpu::Gpu>("gpu" + number, shared.kernel, spec.gpu, AddressMap::gpu(i), AddressMap::window,
                           spec.mmu);
  const std::string name = set.gpu->name();
  set.to_host = std::make_unique<gpu::CopyEngine>(name + ".copy_d2h", shared.kernel, *set.gpu, spec.copy_engine);
  set.from_host = std::make_unique<gpu::CopyEngine>(name + ".copy_h2d", shared.kernel, *set.gpu, spec.copy_engine);
  set.multiprocessors = std::make_unique<gpu::Multiprocessors>(name + ".sms", shared.kernel, spec.sm);
  set.port = make<pcie::Endpoint>("gpu" + number + "_port", shared.kernel, spec.gpu_port, gpu_id(i), shared.transfers);
  set.port->device.bind(set.gpu->target);
  set.gpu->port.bind(set.port->memory);
  gpus_.push_back(std::move(set));
}

void Node::build_nic(Shared& shared, const schema::PairSpec& spec, std::size_t i, PortNumber port) {
  const std::string number = std::to_string(i);
  NicSet set;
  set.nic = make<nic::Nic>("nic" + number, shared.kernel, spec.nic, port, link::overhead(spec.nic_link.protocol),
                           AddressMap::nic(i), spec.nic_transport);
  set.nic->equip(spec.nic_fetch, spec.nic_contexts, AddressMap::tables(i));
  set.nic->set(spec.nic_queues);
  set.nic->tell(atomics_done_);
  set.port = make<pcie::Endpoint>("nic" + number + "_port", shared.kernel, spec.nic_port, nic_id(i), shared.transfers);
  set.port->device.bind(set.nic->target);
  if (spec.nic_ats.ats == pcie::AtsMode::on) {
    set.ats = make<pcie::Ats>("nic" + number + "_ats", shared.kernel, spec.nic_ats);
    set.nic->port.bind(set.ats->memory);
    set.ats->port.bind(set.port->memory);
    set.port->takes_messages(*set.ats);
    set.ats->answers_by(*set.port);
  } else {
    set.nic->port.bind(set.port->memory);
  }
  nics_.push_back(std::move(set));
}

void Node::build_dma(Shared& shared, const schema::DmaSpec& spec, std::size_t i) {
  const std::string number = std::to_string(i);
  DmaSet set;
  set.engine = make<dma::Engine>("dma" + number, shared.kernel, spec.params);
  set.ats = make<pcie::Ats>("dma" + number + "_ats", shared.kernel, spec.ats);
  set.port = make<pcie::Endpoint>("dma" + number + "_port", shared.kernel, spec.port, dma_id(i), shared.transfers);
  set.port->device.bind(set.engine->target);
  set.engine->port.bind(set.ats->memory);
  set.ats->port.bind(set.port->memory);
  set.port->takes_messages(*set.ats);
  set.ats->answers_by(*set.port);
  dmas_.push_back(std::move(set));
}

Node::Branch& Node::branch(Stand stand, std::size_t number) {
  return *std::find_if(branches_.begin(), branches_.end(), [&](const Branch& one) {
    return one.plug.stand == stand && one.plug.number == number;
  });
}

pcie::Switch& Node::at(Stand stand, std::size_t number) {
  return stand == Stand::root ? *sockets_[number].root : *branch(stand, number).at;
}

int Node::plug_in(Shared& shared, const schema::NodeSpec& spec, const schema::Plug& plug) {
  const std::string number = std::to_string(plug.number);
  pcie::Switch& above = at(plug.under, plug.under_number);
  const auto down = [&](int port, const pcie::SlotParams& slot) {
    above.leads_down(port, slot);
    return port;
  };
  switch (plug.stand) {
    case Stand::gpu: {
      const schema::PairSpec& pair = spec.pairs[plug.number];
      pcie::Endpoint& port = *gpus_[plug.number].port;
      if (system_.attach == schema::Attach::coherent)
        return attach_conduit(shared, "gpu" + number, port, above, &pair.gpu_c2c);
      return down(attach_link(shared, "gpu" + number, port, above, pair.gpu_pcie), pair.gpu_slot);
    }
    case Stand::nic: {
      const schema::PairSpec& pair = spec.pairs[plug.number];
      return down(attach_link(shared, "nic" + number, *nics_[plug.number].port, above, pair.nic_pcie), pair.nic_slot);
    }
    case Stand::dma: {
      const schema::DmaSpec& own = spec.dmas[plug.number];
      return down(attach_link(shared, "dma" + number, *dmas_[plug.number].port, above, own.pcie), own.slot);
    }
    case Stand::pcie_switch: {
      const schema::SwitchSpec& own = spec.switches[plug.number];
      pcie::Switch& below = *branch(plug.stand, plug.number).at;
      return down(attach_switch(shared, "switch" + number, below, above, own.pcie), own.slot);
    }
    case Stand::bridge: {
      const int port = attach_bridge(shared, "bridge" + number, *branch(plug.stand, plug.number).at, above);
      above.leads_across(port);
      return port;
    }
    case Stand::root: break;
  }
  return -1;
}

/// The window and the requester of a device; of a switch nothing, its devices have theirs.
void Node::route(const schema::Plug& plug, int port) {
  const std::size_t i = plug.number;
  switch (plug.stand) {
    case Stand::gpu: return route(plug, port, AddressMap::gpu(i), AddressMap::window, gpu_id(i));
    case Stand::nic: return route(plug, port, AddressMap::nic(i), AddressMap::nic_window, nic_id(i));
    case Stand::dma: return route(plug, port, AddressMap::dma(i), AddressMap::nic_window, dma_id(i));
    case Stand::root:
    case Stand::bridge:
    case Stand::pcie_switch: return;
  }
}

void Node::route(const schema::Plug& plug, int port, Address base, Address size, RequesterId id) {
  Stand under = plug.under;
  std::size_t number = plug.under_number;
  for (; under != Stand::root;) {
    Branch& here = branch(under, number);
    here.at->route_address(base, size, port), here.at->route_requester(id, port);
    under = here.plug.under, number = here.plug.under_number;
    port = here.to_it;
  }
  route(number, port, base, size, id);
}

void Node::check_books() const {
  for (const Socket& socket : sockets_) {
    socket.host_port->check_books();
    if (socket.iommu) socket.iommu->check_books();
  }
  for (const GpuSet& one : gpus_) one.port->check_books();
  for (const NicSet& one : nics_) {
    one.port->check_books(), one.nic->check_books();
    if (one.ats) one.ats->check_books();
  }
  for (const DmaSet& one : dmas_) one.port->check_books(), one.engine->check_books(), one.ats->check_books();
  for (const auto& link : links_) link->check_books();
  for (const auto& link : socket_links_) link->check_books();
}

void Node::unfinished(std::vector<std::string>& lines) const {
  for (const NicSet& one : nics_) one.nic->unfinished(lines);
}

}  // namespace gicsim::system
