// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/system/system.h"

#include <algorithm>
#include <bit>
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
  register_memory();
  control_congestion();
  posters_.resize(nodes_.size());
  for (const auto& node : nodes_) poster_names_.push_back(std::string(node->name()) + ".posters");
  faults_ = std::make_unique<Faults>(kernel_, nodes_, spec_);
  flaps_ = std::make_unique<Flaps>(kernel_, spec_, nodes_, wires_);
  for (const auto& node : nodes_) {
    node->vary({spec.spread, static_cast<std::uint64_t>(spec.seed)});
    node->load(spec.cpu_load);
  }
}

link::Wire& System::new_wire(const std::string& name, const schema::Cable& cable) {
  const auto seed = static_cast<std::uint64_t>(spec_.seed);
  link::Wire& wire = *wires_.emplace_back(
      std::make_unique<link::Wire>(name.c_str(), kernel_, cable, shared_.next_lane++, packets_, seed));
  wire.disturb(cable.errors, seed);
  for (const schema::DropSpec& drop : spec_.drops)
    if (drop.wire == name) wire.script(drop.drop);
  return wire;
}

void System::control_congestion() {
  if (!spec_.dcqcn_on && !spec_.ib_cc_on) return;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (std::size_t p = 0; p < nodes_[n]->nics(); ++p)
      nodes_[n]->nic(p).control(spec_.dcqcn_on ? &spec_.dcqcn : nullptr, spec_.ib_cc_on ? &spec_.ib_cc : nullptr,
                                spec_.nodes[n].pairs[p].nic_link.rate);
}

namespace {

constexpr Address many_size = Address{1} << 34;  ///< of a NIC's areas that lie close together

/// A queue pair's area: its ring, and 2 MiB behind its beginning its words. Beyond 4,096 of a NIC they lie closer together,
/// which short rings allow.
Address place_of(std::size_t nic, std::uint32_t qpn, std::uint32_t depth) {
  constexpr Address few = Address{1} << 38, many = Address{1} << 39;
  if (qpn < schema::roomy_queue_pairs) return few + (nic * schema::roomy_queue_pairs + qpn) * (Address{1} << 22);
  const Address size = std::max(std::bit_ceil(Address{depth} * 64), Address{1} << 15);
  if ((qpn + 1) * 2 * size > many_size)
    throw ModelError("system", Picoseconds{}, "no room for the queues of queue pair " + std::to_string(qpn));
  return many + nic * many_size + qpn * 2 * size;
}

/// The Q_Key of datagrams, the access key of DC targets: one for all.
constexpr std::uint32_t shared_key = 0x11111111;

/// Where in it the words begin.
Address words_at(std::uint32_t qpn, std::uint32_t depth) {
  return qpn < schema::roomy_queue_pairs ? Address{1} << 21 : std::max(std::bit_ceil(Address{depth} * 64), Address{1} << 15);
}

}  // namespace

/// Of each node all memory that programs have there, as one region, and its NICs' own.
void System::register_memory() {
  if (!has_nics(spec_)) return;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (std::size_t p = 0; p < nodes_[n]->nics(); ++p) {
      nic::Nic& nic = nodes_[n]->nic(p);
      const bool closed = spec_.wrong == Wrong::access && n > 0;
      memory_key_ = nic.register_memory({.end = AddressMap::nic(0), .access = {true, !closed, !closed, !closed}});
      const Bytes own = spec_.nodes[n].pairs[p].nic_transport.device_memory;
      device_key_ = nic.register_memory(
          {.begin = nic.own_memory(), .end = nic.own_memory() + static_cast<Address>(own.count())});
    }
}

Queue System::make_queue(std::size_t node, schema::Flow flow, Place place, std::uint32_t depth,
                         std::uint8_t service_level, const Queue* cq) {
  nic::Nic& nic = nodes_[node]->nic(flow.nic);
  Queue queue;
  queue.nic = &nic;
  queue.depth = depth;
  nic::QueuePairConfig config;
  config.depth = depth;
  config.relaxed_data = spec_.relaxed_ordering != RelaxedOrdering::off;
  config.relaxed_flags = spec_.relaxed_ordering == RelaxedOrdering::all;
  config.out_of_order = spec_.placement == Placement::out_of_order;
  config.domain = spec_.wrong == Wrong::pd && node > 0 ? 1 : 0;
  config.service = static_cast<Service>(spec_.transport);  // of the same names
  config.key = config.service == Service::rc ? 0 : shared_key;
  config.receive_depth = std::min<std::uint32_t>(depth, 8'192);
  config.service_level = service_level;
  config.reorders = config.out_of_order && spec_.fabric.routing == link::Routing::adaptive;
  const Address memory = place == Place::gpu ? nodes_[node]->gpu(flow.gpu).base() : AddressMap::dram;
  const auto qpn = static_cast<std::uint32_t>(nic.queue_pairs() + 1);  // that it will have
  const Address offset = place_of(flow.nic, qpn, depth);
  const Address area = memory + offset;
  if (spec_.sends) queue.receive_ring = config.receive_queue = area + (Address{5} << 19);  // half a MiB behind the words
  queue.receive_depth = config.receive_depth;
  if (qpn >= schema::roomy_queue_pairs && (spec_.sends || spec_.cq == Cq::ring || spec_.record_memory != RecordMemory::queues))
    throw ModelError("system", Picoseconds{}, "no room for the receive or completion ring of queue pair " + std::to_string(qpn));
  queue.qpn = nic.make_queue_pair(config);
  queue.ring = area;
  queue.record = area + words_at(queue.qpn, depth);
  queue.completion = queue.record + 4096;
  queue.receive_completion = queue.completion + 2048;
  queue.state = nodes_[node]->gpu(flow.gpu).base() + offset + words_at(queue.qpn, depth) + 8192;  // no device reads it
  queue.doorbell = nic.doorbell_address();
  if (host::DoorbellGate* gate = nodes_[node]->host().gate()) queue.doorbell = gate->stand_before(flow.nic, queue.doorbell);
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
  if (cq) queue.completion = cq->completion, queue.consumer = cq->consumer;
  nic.place(queue.qpn, queue.ring, queue.completion, queue.receive_completion);
  nic.place(queue.qpn,
            {queue.cq_entries, queue.consumer, spec_.cq_overrun == CqOverrun::ignore,
             AddressMap::dram + (Address{3} << 36) + number * 64, queue.vector, cq ? cq->qpn : 0},
            queue.record);
  made_.push_back({node, queue});
  if (spec_.cq_memory && !cq) prepare_cq(node, queue);
  return queue;
}

std::pair<Queue, Queue> System::connect(std::size_t m, schema::Flow a, std::size_t n, schema::Flow b, Place place,
                                        std::uint32_t depth, std::uint8_t service_level,
                                        std::pair<const Queue*, const Queue*> cqs) {
  Queue here = make_queue(m, a, place, depth, service_level, cqs.first),
        there = make_queue(n, b, place, depth, service_level, cqs.second);
  here.nic->connect(here.qpn, there.nic->number(), there.qpn, &there.nic->params());
  there.nic->connect(there.qpn, here.nic->number(), here.qpn, &here.nic->params());
  if (spec_.wrong == Wrong::state) {
    there.nic->modify(there.qpn, nic::QueueState::reset);
    there.nic->modify(there.qpn, nic::QueueState::init);
  }
  for (const auto& [own, other] : {std::pair{&here, &there}, std::pair{&there, &here}}) {
    own->lkey = own->rkey = memory_key_;
    own->device_rkey = device_key_;
    own->far_device = other->nic->own_memory();
    own->far = {other->nic->number(), other->qpn, spec_.transport == Transport::rc ? 0 : shared_key};
  }
  return {here, there};
}

Queue System::loop_back(std::size_t node, schema::Flow flow, Place place, std::uint32_t depth) {
  Queue queue = make_queue(node, flow, place, depth, 0, nullptr);
  queue.nic->connect(queue.qpn, queue.nic->number(), queue.qpn, &queue.nic->params());
  queue.lkey = queue.rkey = memory_key_;
  queue.far = {queue.nic->number(), queue.qpn, 0};
  return queue;
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
    else if constexpr (std::is_same_v<S, link::SwitchStats>)
      lost += stats.payload_dropped;
  });
  for (const auto& at : switches_)
    if (at->payload_inside() != Bytes{} || at->held() != Bytes{})
      throw ModelError(at->name(), kernel_.now(), std::to_string(at->held().count()) + " B still inside");
  for (const auto& end : ends_)
    if (const Count n = end->inside(); n != 0)
      throw ModelError(end->name(), kernel_.now(), std::to_string(n) + " packets still inside");
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

std::vector<std::string> System::refused() const {
  std::vector<std::string> lines;
  if (!has_nics(spec_)) return lines;
  for (const auto& node : nodes_)
    for (std::size_t p = 0; p < node->nics(); ++p) node->nic(p).refused(lines);
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
