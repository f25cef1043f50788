// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/make.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <optional>

#include "scenarios/paths/bar_probe.h"
#include "scenarios/paths/barrier_member.h"
#include "scenarios/paths/copy_both_ways.h"
#include "scenarios/paths/cpu_doorbell.h"
#include "scenarios/paths/cpu_post.h"
#include "scenarios/paths/cpu_proxy.h"
#include "scenarios/paths/dma_probe.h"
#include "scenarios/paths/first_use.h"
#include "scenarios/paths/gpu_direct.h"
#include "scenarios/paths/gpu_probe.h"
#include "scenarios/paths/gpu_warp.h"
#include "scenarios/paths/host_staged.h"
#include "scenarios/paths/probe.h"
#include "scenarios/paths/stream_triggered.h"

namespace gicsim::paths {
namespace {

constexpr std::size_t near_node = 0, far_node = 1;

/// GPU threads choose where their queues lie, CPU threads have them at hand.
system::Place place(const schema::Scenario& s) {
  return builds_on_gpu(s.path) && s.queues == Queues::gpu ? system::Place::gpu : system::Place::host;
}

}  // namespace

/// What posts and serves on one node besides the ends themselves.
struct Connections::Parts {
  std::optional<Proxy> proxy;
  std::optional<Ringer> ringer;
  std::size_t rings = 0;               ///< of a proxy that serves many lanes
  std::deque<RequestRing> unserved;    ///< of ends that only receive
  std::deque<SendQueue> queues;
  std::deque<PostingWarp> warps;
  std::deque<Bell> bells;
};

Connections::Connections(system::System& system, const schema::Scenario& scenario)
    : system_(system), scenario_(scenario), parts_(std::make_unique<Parts[]>(std::max<std::size_t>(2, system.nodes()))),
      threads_(std::max<std::size_t>(2, system.nodes())) {
  if (schema::streams(scenario) && is_gpu_probe(scenario.pattern)) {
    for (Count warp = 0; warp * schema::warp_lanes < scenario.threads; ++warp) {
      auto near = std::make_unique<GpuWarp>(system, scenario, static_cast<std::size_t>(warp));
      ends_.push_back({std::move(near), std::make_unique<Answerer>(system, scenario)});
    }
    return;
  }
  if (is_gpu_probe(scenario.pattern)) {
    ends_.push_back({std::make_unique<GpuProbe>(system, scenario), std::make_unique<Answerer>(system, scenario)});
    return;
  }
  if (is_bar_probe(scenario.pattern)) {
    ends_.push_back({std::make_unique<BarWriter>(system, scenario), std::make_unique<BarReader>(system, scenario)});
    return;
  }
  if (schema::both_ways(scenario)) {
    ends_.push_back({std::make_unique<CopyBothWays>(system, scenario), std::make_unique<Nobody>(system)});
    return;
  }
  if (is_dma(scenario.pattern)) {
    ends_.push_back({std::make_unique<DmaProbe>(system, scenario), std::make_unique<Nobody>(system)});
    return;
  }
  if (is_probe(scenario.pattern)) {
    auto caller = std::make_unique<RuntimeCaller>(system, scenario);
    auto observer = std::make_unique<Observer>(system, scenario, *caller);
    ends_.push_back({std::move(caller), std::move(observer)});
    return;
  }
  if (scenario.pattern == Pattern::barrier) {
    connect_barrier();
    return;
  }
  for (const schema::Lane& lane : scenario.lanes)
    for (const std::size_t node : {lane.from, lane.to}) {
      Parts& parts = parts_[node];
      if (scenario.path == Path::cpu_proxy && !parts.proxy) parts.proxy.emplace(system, scenario, node);
      if (scenario.path == Path::cpu_doorbell && !parts.ringer) parts.ringer.emplace(system, scenario, node);
    }
  register_memory();
  if (builds_on_gpu(scenario.path)) connect_gpus();
  else if (scenario.path == Path::cpu_proxy && scenario.lanes.size() > 1) connect_proxies_by_lane();
  else if (scenario.path == Path::cpu_proxy) connect_proxies();
  else connect_cpus();
  if (scenario.role == Role::send) stand_for_many(far_node);
  if (scenario.role == Role::receive) stand_for_many(near_node);
}

/// What the posters send and receive, as one region a buffer area, in GPU and in host memory.
void Connections::register_memory() {
  const auto n = static_cast<std::size_t>(schema::posters(scenario_)) * std::max(scenario_.routes.size(), scenario_.lanes.size());
  const Bytes bytes = schema::longest(scenario_);
  const Bytes all(static_cast<std::int64_t>(places::buffer_size(bytes) * n));
  for (std::size_t node = 0; node < system_.nodes(); ++node)
    for (const schema::Flow& flow : scenario_.routes)
      for (const Address base : {system::AddressMap::dram, system_.node(node).gpu(flow.gpu).base()}) {
        nic::Contexts& known = system_.node(node).nic(flow.nic).contexts();
        known.registered(places::source(base, 0, bytes), all);
        known.registered(places::buffer(base, 0, bytes), all);
      }
}

void Connections::stand_for_many(std::size_t node) {
  for (const schema::Flow& flow : scenario_.routes) system_.node(node).nic(flow.nic).contexts().never_miss();
}

/// Leaves the NICs' caches as rounds of visits by all threads leave them: a run needn't last for a round.
void Connections::visit(const std::vector<std::vector<SendQueue*>>& near, const std::vector<std::vector<SendQueue*>>& far) {
  constexpr int rounds = 3;  // random replacement settles
  using Roles = nic::Contexts::Role;
  if (near.front().size() == 1) return;
  const auto touch = [&](const SendQueue& queue, bool sends, bool receives) {
    nic::Contexts& known = queue.queue.nic->contexts();
    if (known.all_contexts()) return;
    if (sends) known.visited(queue.queue.qpn, Roles::requester);
    if (receives) known.visited(queue.queue.qpn, Roles::responder);
  };
  const bool both = scenario_.role == Role::both;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < near.front().size(); ++i)
      for (std::size_t thread = 0; thread < near.size(); ++thread) {
        touch(*near[thread][i], true, both);
        touch(*far[thread][i], both, true);
      }
}

/// A queue pair each. A node's threads count on over the lanes that it sends or receives on: their buffers lie apart.
void Connections::connect_cpus() {
  for (const schema::Lane& lane : scenario_.lanes)
    for (Count i = 0; i < schema::posters(scenario_); ++i) {
      const auto queues = connect(lane);
      const auto join = [&]<class End>() {
        const std::size_t here = threads_[lane.from]++, there = threads_[lane.to]++;
        add(std::make_unique<End>(system_, scenario_, lane.from, lane.flow.gpu, here, queues.first),
            std::make_unique<End>(system_, scenario_, lane.to, lane.to_flow().gpu, there, queues.second));
      };
      switch (scenario_.path) {
        case Path::cpu_post: join.template operator()<CpuPost>(); break;
        case Path::host_staged: join.template operator()<HostStaged>(); break;
        case Path::stream_triggered: join.template operator()<StreamTriggered>(); break;
        case Path::cpu_proxy:
        case Path::gpu_direct:
        case Path::cpu_doorbell:
        case Path::none: break;
      }
    }
}

std::pair<system::Queue, system::Queue> Connections::connect(const schema::Lane& lane, const SendQueue* near,
                                                              const SendQueue* far) {
  const auto queues = system_.connect(lane.from, lane.flow, lane.to, lane.to_flow(), place(scenario_),
                                      static_cast<std::uint32_t>(scenario_.depth), lane.service_level,
                                      {near ? &near->queue : nullptr, far ? &far->queue : nullptr});
  posting_.resize(scenario_.lanes.size());
  posting_[static_cast<std::size_t>(&lane - scenario_.lanes.data())].push_back(queues.first);
  return queues;
}

namespace {

/// Which queue pairs, or rings, a thread posts to: dealt out in order, so that neighbours share one, or a
/// thread has several. A probe under load comes first and has one behind the load's, or shares the
/// load's first.
struct Deal {
  Deal(const schema::Scenario& s, Count what)
      : probes(s.load > 0), threads(static_cast<std::size_t>(probes ? s.load : s.threads)),
        dealt(static_cast<std::size_t>(what)), shared(s.probe == ProbeQueue::shared) {}

  bool probes;
  std::size_t threads, dealt;
  bool shared;

  std::size_t count() const { return dealt + (probes && !shared); }
  std::vector<std::size_t> of(std::size_t thread) const {
    if (probes && thread == 0) return {shared ? 0 : dealt};
    const std::size_t number = thread - probes, each = std::max<std::size_t>(1, dealt / threads);
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < each; ++i) own.push_back(number * dealt / threads + i);
    return own;
  }
};

}  // namespace

/// A queue pair holds all that its rings hold; a reserved ring has one of its own.
void Connections::connect_proxies() {
  const Deal deal(scenario_, scenario_.rings);
  const auto depth = std::bit_ceil(static_cast<std::uint32_t>(scenario_.depth * schema::rings_a_queue(scenario_)));
  Proxy &near = *parts_[near_node].proxy, &far = *parts_[far_node].proxy;
  for (std::size_t i = 0; i < static_cast<std::size_t>(scenario_.qps) + deal.count() - deal.dealt; ++i) {
    const schema::Flow flow = scenario_.routes[0];
    const auto [here, there] = system_.connect(near_node, flow, far_node, flow, system::Place::host, depth);
    near.add_queue(here);
    far.add_queue(there);
  }
  for (std::size_t i = 0; i < deal.count(); ++i) {
    const Address counter = (Address{1} << 37) + i * Address{4096};
    near.add_ring(system_.node(near_node).gpu(0).base() + counter);
    far.add_ring(system_.node(far_node).gpu(0).base() + counter);
  }
  const auto posters = static_cast<std::size_t>(schema::posters(scenario_));
  std::vector<int> users(deal.count());
  for (std::size_t thread = 0; thread < posters; ++thread) ++users[deal.of(thread).front()];
  for (std::size_t thread = 0; thread < posters; ++thread) {
    const std::size_t ring = deal.of(thread).front();
    near.ring(ring).shared = far.ring(ring).shared = users[ring] > 1;
    add(std::make_unique<CpuProxy>(system_, scenario_, near_node, 0, thread, near.ring(ring)),
        std::make_unique<CpuProxy>(system_, scenario_, far_node, 0, thread, far.ring(ring)));
  }
  near.start();
  far.start();
}

/// A ring and a queue pair of its sender's proxy each; at the other end nobody posts.
void Connections::connect_proxies_by_lane() {
  const auto depth = std::bit_ceil(static_cast<std::uint32_t>(scenario_.depth));
  for (const schema::Lane& lane : scenario_.lanes) {
    Parts &near = parts_[lane.from], &far = parts_[lane.to];
    const auto [here, there] =
        system_.connect(lane.from, lane.flow, lane.to, lane.to_flow(), system::Place::host, depth, lane.service_level);
    near.proxy->add_queue(here);
    const Address counter = (Address{1} << 37) + near.rings * Address{4096};
    near.proxy->add_ring(system_.node(lane.from).gpu(lane.flow.gpu).base() + counter);
    add(std::make_unique<CpuProxy>(system_, scenario_, lane.from, lane.flow.gpu, threads_[lane.from]++,
                                   near.proxy->ring(near.rings++)),
        std::make_unique<CpuProxy>(system_, scenario_, lane.to, lane.to_flow().gpu, threads_[lane.to]++,
                                   far.unserved.emplace_back()));
  }
  for (std::size_t node = 0; node < system_.nodes(); ++node)
    if (parts_[node].proxy) parts_[node].proxy->start();
}

/// A queue pair between any two nodes of which one tells the other.
void Connections::connect_barrier() {
  const std::size_t nodes = system_.nodes();
  const schema::Flow flow = scenario_.routes[0];
  std::map<std::pair<std::size_t, std::size_t>, system::Queue> made;
  const auto queue = [&](std::size_t from, std::size_t to) {
    if (const auto found = made.find({from, to}); found != made.end()) return found->second;
    const auto [here, there] =
        system_.connect(from, flow, to, flow, place(scenario_), static_cast<std::uint32_t>(scenario_.depth));
    made[{to, from}] = there;
    return made[{from, to}] = here;
  };
  for (std::size_t node = 0; node < nodes; ++node) {
    std::vector<system::Queue> queues;
    const std::vector<std::size_t> peers = BarrierMember::peers(scenario_.barrier, node, nodes);
    for (const std::size_t peer : peers) queues.push_back(queue(node, peer));
    ends_.push_back({std::make_unique<BarrierMember>(system_, scenario_, node, peers, std::move(queues)),
                     std::make_unique<Nobody>(system_)});
  }
}

void Connections::connect_gpus() {
  for (const schema::Lane& lane : scenario_.lanes) connect_gpus(lane);
}

void Connections::connect_gpus(const schema::Lane& lane) {
  const Deal deal(scenario_, scenario_.qps);
  Parts &from = parts_[lane.from], &to = parts_[lane.to];
  std::vector<SendQueue*> made[2];  // of either end, which may be of one node
  std::vector<int> users(deal.count());
  const auto posters = static_cast<std::size_t>(schema::posters(scenario_));
  for (std::size_t thread = 0; thread < posters; ++thread)
    for (const std::size_t queue : deal.of(thread)) ++users[queue];
  const std::size_t a_thread = std::max<std::size_t>(1, users.size() / posters);
  for (std::size_t number = 0; number < users.size(); ++number) {
    const int sharers = users[number];
    const std::size_t ring = scenario_.shared_cq == SharedCq::off         ? number
                             : schema::threads_share_cq(scenario_) ? 0
                                                                   : number / a_thread * a_thread;
    SendQueue* const near_cq = ring != number ? made[0][ring] : nullptr;
    SendQueue* const far_cq = ring != number ? made[1][ring] : nullptr;
    const auto [here, there] = connect(lane, near_cq, far_cq);
    const Sharing sharing = sharers > 1 ? scenario_.sharing : Sharing::exclusive;
    from.queues.push_back({.queue = here, .sharing = sharing});
    SendQueue& near = from.queues.back();
    to.queues.push_back({.queue = there, .sharing = sharing});
    SendQueue& far = to.queues.back();
    if (scenario_.shared_cq != SharedCq::off) {
      near.cq = near_cq ? near_cq : &near, far.cq = far_cq ? far_cq : &far;
      near.cq->completing.push_back(&near), far.cq->completing.push_back(&far);
    }
    near.renew = [this, &lane, &near, &far] {
      const auto [own, other] = connect(lane);
      near.start_over(own), far.start_over(other);
    };
    made[0].push_back(&near), made[1].push_back(&far);
    if (from.ringer) from.ringer->add(near);
    if (to.ringer) to.ringer->add(far);
  }
  const auto lanes = static_cast<std::size_t>(scenario_.batch);
  const std::size_t near_number = std::exchange(threads_[lane.from], threads_[lane.from] + posters);
  const std::size_t far_number = std::exchange(threads_[lane.to], threads_[lane.to] + posters);
  std::vector<std::vector<SendQueue*>> all[2];
  for (std::size_t thread = 0; thread < posters; ++thread) {
    const auto end = [&](std::size_t side, std::size_t node, std::size_t gpu, std::size_t number) {
      Parts& parts = parts_[node];
      const bool warps = scenario_.sharing == Sharing::warp;
      std::vector<SendQueue*> queues;
      for (const std::size_t queue : deal.of(thread)) queues.push_back(made[side][queue]);
      share_bell(parts, thread, queues);
      all[side].push_back(queues);
      if (warps && thread % lanes == 0) parts.warps.push_back({gpu::Rendezvous(system_.kernel(), lanes)});
      return std::make_unique<GpuDirect>(system_, scenario_, node, gpu, number, std::move(queues),
                                         warps ? &parts.warps.back() : nullptr);
    };
    add(end(0, lane.from, lane.flow.gpu, near_number + thread),
        end(1, lane.to, lane.to_flow().gpu, far_number + thread));
  }
  visit(all[0], all[1]);
}

/// Neighbours are of one process.
void Connections::share_bell(Parts& parts, std::size_t thread, const std::vector<SendQueue*>& queues) {
  if (scenario_.doorbell_register == Register::queue || parts.ringer) return;
  const auto process = thread * static_cast<std::size_t>(scenario_.processes) / static_cast<std::size_t>(schema::posters(scenario_));
  if (process >= parts.bells.size()) parts.bells.push_back({.turn = queues.front()->queue.state + 12288});
  for (SendQueue* queue : queues) queue->bell = &parts.bells.back();
}

template <class End>
void Connections::add(std::unique_ptr<End> near, std::unique_ptr<End> far) {
  near->connect(far->buffer());
  far->connect(near->buffer());
  ends_.push_back({std::move(near), std::move(far)});
  if (scenario_.lazy_init == LazyInit::on)
    ends_.back().near = std::make_unique<FirstUse>(std::move(ends_.back().near), scenario_.system.setup);
}

Connections::~Connections() = default;

}  // namespace gicsim::paths
