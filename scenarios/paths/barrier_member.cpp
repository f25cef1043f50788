// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/barrier_member.h"

#include "scenarios/paths/barrier_threads.h"
#include "scenarios/paths/places.h"

namespace gicsim::paths {

BarrierMember::BarrierMember(system::System& system, const schema::Scenario& scenario, std::size_t node,
                             std::vector<std::size_t> peers, std::vector<system::Queue> queues)
    : system_(system), scenario_(scenario), node_(node), nodes_(system.nodes()), peers_(std::move(peers)) {
  if (scenario.path == Path::cpu_post) {
    thread_ = std::make_unique<CpuBarrierThread>(system, scenario, node, std::move(queues));
    return;
  }
  for (const system::Queue& queue : queues) queues_.push_back({.queue = queue});
  std::vector<SendQueue*> own;
  for (SendQueue& queue : queues_) own.push_back(&queue);
  thread_ = std::make_unique<GpuBarrierThread>(system, scenario, node, std::move(own));
  if (scenario.barrier != Barrier::packet) return;
  std::vector<PortNumber> members;
  for (std::size_t n = 0; n < nodes_; ++n) members.push_back(system.node(n).nic(scenario.routes[0].nic).number());
  system.node(node).nic(scenario.routes[0].nic).barrier().join(std::move(members), word(node, 0));
}

std::vector<std::size_t> BarrierMember::peers(Barrier kind, std::size_t node, std::size_t nodes) {
  std::vector<std::size_t> all;
  if (kind == Barrier::packet) return {(node + 1) % nodes};
  if (kind == Barrier::flat && node > 0) return {0};
  if (kind == Barrier::flat)
    for (std::size_t n = 1; n < nodes; ++n) all.push_back(n);
  else
    for (std::size_t far = 1; far < nodes; far *= 2) all.push_back((node + far) % nodes);
  return all;
}

Address BarrierMember::base(std::size_t node) const {
  return scenario_.path == Path::cpu_post ? system::AddressMap::dram
                                          : system_.node(node).gpu(scenario_.routes[0].gpu).base();
}

Address BarrierMember::word(std::size_t node, std::size_t k) const { return places::word(base(node), k, 2); }

Task BarrierMember::post(Operation operation, Message& message, bool) {
  switch (scenario_.barrier) {
    case Barrier::flat: return flat(operation.value, message);
    case Barrier::dissemination: return disseminate(operation.value, message);
    case Barrier::packet: break;
  }
  return by_packet(operation.value, message);
}

Task BarrierMember::flat(std::uint64_t round, Message& message) {
  if (node_ > 0) {
    co_await thread_->tell(0, word(0, 0), message);
    co_await thread_->see(word(node_, 1), round, message);
    co_return;
  }
  co_await thread_->see(word(0, 0), round * (nodes_ - 1), message);
  for (std::size_t link = 0; link < peers_.size(); ++link)
    co_await thread_->tell(link, word(peers_[link], 1), message);
}

Task BarrierMember::disseminate(std::uint64_t round, Message& message) {
  for (std::size_t k = 0; k < peers_.size(); ++k) {
    co_await thread_->tell(k, word(peers_[k], k), message);
    co_await thread_->see(word(node_, k), round, message);
  }
}

Task BarrierMember::by_packet(std::uint64_t round, Message& message) {
  auto& thread = static_cast<GpuBarrierThread&>(*thread_);
  co_await thread.poke(system_.node(node_).nic(scenario_.routes[0].nic).barrier().address(), round, message);
  co_await thread_->see(word(node_, 0), round, message);
}

}  // namespace gicsim::paths
