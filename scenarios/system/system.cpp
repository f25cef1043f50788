// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/system/system.h"

#include <string>

#include "models/base/errors.h"
#include "models/protocol/interrupt.h"

namespace gicsim::system {

System::System(const schema::SystemSpec& spec, Kernel::Steps steps)
    : spec_(spec), kernel_("kernel", steps), shared_{kernel_, tlps_, packets_, {}} {
  PortNumber port = 0;
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    nodes_.push_back(std::make_unique<Node>(("node" + std::to_string(i)).c_str(), shared_, spec, i, port));
    port = static_cast<PortNumber>(port + nodes_.back()->nics());
  }
  build_fabric();
  posters_.resize(nodes_.size());
  for (const auto& node : nodes_) poster_names_.push_back(std::string(node->name()) + ".posters");
  faults_ = std::make_unique<Faults>(kernel_, nodes_, spec_);
  for (const auto& node : nodes_) {
    node->vary({spec.spread, static_cast<std::uint64_t>(spec.seed)});
    node->load(spec.cpu_load);
  }
}

link::Wire& System::new_wire(const std::string& name, const link::WireParams& params) {
  link::Wire& wire = *wires_.emplace_back(std::make_unique<link::Wire>(
      name.c_str(), kernel_, params, shared_.next_lane++, packets_, static_cast<std::uint64_t>(spec_.seed)));
  for (const schema::DropSpec& drop : spec_.drops)
    if (drop.wire == name) wire.script(drop.drop);
  return wire;
}

void System::attach(nic::Nic& nic, link::Switch& at, const std::string& who, const link::WireParams& params) {
  link::Wire& up = new_wire(who + "_link_up", params);
  link::Wire& down = new_wire(who + "_link_down", params);
  nic.wire_out.bind(up.in);
  up.out.bind(at.in);
  const int port = at.next_port();
  at.route(nic.number(), port);
  at.out[static_cast<std::size_t>(port)].bind(down.in);
  down.out.bind(nic.wire_in);
  nic.fed_by(*down.in.operator->());
}

/// One direction of a cable between two NICs, without a switch.
void System::join(std::size_t from, std::size_t to) {
  link::Wire& wire =
      new_wire("node" + std::to_string(from) + "_nic0_link_up", spec_.nodes[from].pairs[0].nic_link);
  nodes_[from]->nic(0).wire_out.bind(wire.in);
  wire.out.bind(nodes_[to]->nic(0).wire_in);
  nodes_[to]->nic(0).fed_by(*wire.in.operator->());
}

/// A chain of switches: node 0 at its head, all others at its tail.
void System::build_fabric() {
  if (!has_nics(spec_)) return;
  const std::size_t count = spec_.fabric_switches.size();
  if (count == 0) return join(0, 1), join(1, 0);
  const auto home = [&](std::size_t node) { return node == 0 ? std::size_t{0} : count - 1; };
  for (std::size_t s = 0; s < count; ++s) {
    int ports = (s > 0) + (s + 1 < count);
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (home(n) == s) ports += static_cast<int>(nodes_[n]->nics());
    switches_.push_back(std::make_unique<link::Switch>(("fabric_switch" + std::to_string(s)).c_str(), kernel_,
                                                       spec_.fabric_switches[s], ports));
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (std::size_t p = 0; p < nodes_[n]->nics(); ++p)
      attach(nodes_[n]->nic(p), *switches_[home(n)],
             "node" + std::to_string(n) + "_nic" + std::to_string(p), spec_.nodes[n].pairs[p].nic_link);
  for (std::size_t s = 0; s + 1 < count; ++s) {
    link::Switch &left = *switches_[s], &right = *switches_[s + 1];
    const std::string who = "fabric_link" + std::to_string(s);
    link::Wire& forth = new_wire(who + "_forth", spec_.fabric_links[s]);
    link::Wire& back = new_wire(who + "_back", spec_.fabric_links[s]);
    const int to_right = left.next_port();
    left.out[static_cast<std::size_t>(to_right)].bind(forth.in);
    forth.out.bind(right.in);
    const int to_left = right.next_port();
    right.out[static_cast<std::size_t>(to_left)].bind(back.in);
    back.out.bind(left.in);
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      for (std::size_t p = 0; p < nodes_[n]->nics(); ++p) {
        const PortNumber number = nodes_[n]->nic(p).number();
        if (home(n) <= s) right.route(number, to_left);
        else left.route(number, to_right);
      }
  }
}

Queue System::make_queue(std::size_t node, schema::Flow flow, Place place, std::uint32_t depth) {
  nic::Nic& nic = nodes_[node]->nic(flow.nic);
  Queue queue;
  queue.nic = &nic;
  queue.depth = depth;
  nic::QueuePairConfig config;
  config.depth = depth;
  config.relaxed_data = spec_.relaxed_ordering != RelaxedOrdering::off;
  config.relaxed_flags = spec_.relaxed_ordering == RelaxedOrdering::all;
  config.out_of_order = spec_.placement == Placement::out_of_order;
  queue.qpn = nic.make_queue_pair(config);
  const Address memory = place == Place::gpu ? nodes_[node]->gpu(flow.gpu).base() : AddressMap::dram;
  const Address offset = (Address{1} << 38) + (flow.nic * 4096 + queue.qpn) * (Address{1} << 22);
  const Address area = memory + offset;
  queue.ring = area;
  queue.record = area + (Address{1} << 21);
  queue.completion = queue.record + 4096;
  queue.receive_completion = queue.completion + 2048;
  queue.state = nodes_[node]->gpu(flow.gpu).base() + offset + (Address{1} << 21) + 8192;  // no device reads it
  queue.doorbell = nic.doorbell_address();
  if (spec_.cq == Cq::ring) {
    queue.cq_entries = static_cast<std::uint32_t>(spec_.cq_depth);
    queue.completion = area + (Address{3} << 20);
  }
  if (spec_.record_memory != RecordMemory::queues)
    queue.record = (spec_.record_memory == RecordMemory::gpu ? nodes_[node]->gpu(flow.gpu).base() : AddressMap::dram) + offset +
                   (Address{1} << 21);
  queue.consumer = queue.record + 64;
  queue.arm = nic.arm_address();
  const Address number = flow.nic * 4096 + queue.qpn;
  queue.vector = interrupt_base + number % (interrupt_size / 16) * 16;
  nic.place(queue.qpn, queue.ring, queue.completion, queue.receive_completion);
  nic.place(queue.qpn,
            {queue.cq_entries, queue.consumer, spec_.cq_overrun == CqOverrun::ignore,
             AddressMap::dram + (Address{3} << 36) + number * 64, queue.vector},
            queue.record);
  made_.push_back({node, queue});
  if (spec_.cq_memory) prepare_cq(node, queue);
  return queue;
}

std::pair<Queue, Queue> System::connect(std::size_t m, schema::Flow a, std::size_t n, schema::Flow b, Place place,
                                        std::uint32_t depth) {
  Queue here = make_queue(m, a, place, depth), there = make_queue(n, b, place, depth);
  here.nic->connect(here.qpn, there.nic->number(), there.qpn, &there.nic->params());
  there.nic->connect(there.qpn, here.nic->number(), here.qpn, &here.nic->params());
  return {here, there};
}

void System::check_books() const {
  for (const auto& node : nodes_) node->check_books();
  for (const auto& wire : wires_) wire->check_books();
  Bytes sent, received, discarded, lost;
  visit_stats([&](const char*, const auto& stats) {
    using S = std::remove_cvref_t<decltype(stats)>;
    if constexpr (std::is_same_v<S, nic::NicStats>)
      sent += stats.payload_sent, received += stats.payload_received, discarded += stats.payload_discarded;
    else if constexpr (std::is_same_v<S, link::WireStats>)
      lost += stats.payload_lost;
  });
  if (sent != received + discarded + lost)
    throw ModelError("system", kernel_.now(),
                     std::to_string(sent.count()) + " B of payload sent, " + std::to_string(received.count()) +
                         " B received, " + std::to_string(discarded.count()) + " B discarded, " +
                         std::to_string(lost.count()) + " B lost");
  if (shared_.transfers.out() != 0)
    throw ModelError("system", kernel_.now(), std::to_string(shared_.transfers.out()) + " transfers not ended");
}

std::vector<std::string> System::unfinished() const {
  std::vector<std::string> lines;
  for (const auto& node : nodes_) node->unfinished(lines);
  unannounced(lines);
  return lines;
}

std::vector<nic::Failure> System::failures() {
  std::vector<nic::Failure> all;
  if (!has_nics(spec_)) return all;
  for (const auto& node : nodes_)
    for (std::size_t p = 0; p < node->nics(); ++p)
      for (const nic::Failure& failure : node->nic(p).failures()) all.push_back(failure);
  return all;
}

std::vector<dma::Engine::Failure> System::dma_failures() {
  std::vector<dma::Engine::Failure> all;
  for (const auto& node : nodes_)
    for (std::size_t d = 0; d < node->dmas(); ++d)
      for (const dma::Engine::Failure& failure : node->dma(d).failures()) all.push_back(failure);
  return all;
}

std::vector<host::Iommu::Fault> System::iommu_faults() {
  std::vector<host::Iommu::Fault> all;
  for (const auto& node : nodes_)
    if (node->iommu())
      for (const host::Iommu::Fault& fault : node->iommu()->faults()) all.push_back(fault);
  return all;
}

std::vector<nic::StaleFetch> System::stale_fetches() {
  std::vector<nic::StaleFetch> all;
  if (!has_nics(spec_)) return all;
  for (const auto& node : nodes_)
    for (std::size_t p = 0; p < node->nics(); ++p)
      for (const nic::StaleFetch& fetch : node->nic(p).stale_fetches()) all.push_back(fetch);
  return all;
}

}  // namespace gicsim::system
