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
  std::deque<SendQueue> queues;
  std::deque<PostingWarp> warps;
};

Connections::Connections(system::System& system, const schema::Scenario& scenario)
    : system_(system), scenario_(scenario), parts_(std::make_unique<Parts[]>(2)) {
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
  for (const std::size_t node : {near_node, far_node}) {
    if (scenario.path == Path::cpu_proxy) parts_[node].proxy.emplace(system, scenario, node);
    if (scenario.path == Path::cpu_doorbell) parts_[node].ringer.emplace(system, scenario, node);
  }
  if (builds_on_gpu(scenario.path)) connect_gpus();
  else if (scenario.path == Path::cpu_proxy) connect_proxies();
  else connect_cpus();
}

/// A queue pair each. Threads count on over the flows: their buffers lie apart.
void Connections::connect_cpus() {
  std::size_t thread = 0;
  for (const schema::Flow& flow : scenario_.routes)
    for (Count i = 0; i < schema::posters(scenario_); ++i, ++thread) {
      const auto queues =
          system_.connect(near_node, flow, far_node, flow, place(scenario_), static_cast<std::uint32_t>(scenario_.depth));
      const auto join = [&]<class End>() {
        add(std::make_unique<End>(system_, scenario_, near_node, flow.gpu, thread, queues.first),
            std::make_unique<End>(system_, scenario_, far_node, flow.gpu, thread, queues.second));
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
  for (std::size_t flow = 0; flow < scenario_.routes.size(); ++flow) connect_gpus(flow);
}

void Connections::connect_gpus(std::size_t number) {
  const Deal deal(scenario_, scenario_.qps);
  const schema::Flow flow = scenario_.routes[number];
  const std::size_t first = parts_[near_node].queues.size();
  std::vector<int> users(deal.count());
  const auto posters = static_cast<std::size_t>(schema::posters(scenario_));
  for (std::size_t thread = 0; thread < posters; ++thread)
    for (const std::size_t queue : deal.of(thread)) ++users[queue];
  for (const int sharers : users) {
    const auto [here, there] =
        system_.connect(near_node, flow, far_node, flow, place(scenario_), static_cast<std::uint32_t>(scenario_.depth));
    const Sharing sharing = sharers > 1 ? scenario_.sharing : Sharing::exclusive;
    parts_[near_node].queues.push_back({.queue = here, .sharing = sharing});
    parts_[far_node].queues.push_back({.queue = there, .sharing = sharing});
    SendQueue &near = parts_[near_node].queues.back(), &far = parts_[far_node].queues.back();
    near.renew = [this, flow, &near, &far] {
      const auto [own, other] =
          system_.connect(near_node, flow, far_node, flow, place(scenario_), static_cast<std::uint32_t>(scenario_.depth));
      near.start_over(own), far.start_over(other);
    };
    for (const std::size_t node : {near_node, far_node})
      if (parts_[node].ringer) parts_[node].ringer->add(parts_[node].queues.back());
  }
  const auto lanes = static_cast<std::size_t>(scenario_.batch);
  for (std::size_t thread = 0; thread < posters; ++thread) {
    const auto end = [&](std::size_t node) {
      Parts& parts = parts_[node];
      const bool warps = scenario_.sharing == Sharing::warp;
      std::vector<SendQueue*> queues;
      for (const std::size_t queue : deal.of(thread)) queues.push_back(&parts.queues[first + queue]);
      if (warps && thread % lanes == 0) parts.warps.push_back({gpu::Rendezvous(system_.kernel(), lanes)});
      return std::make_unique<GpuDirect>(system_, scenario_, node, flow.gpu, number * posters + thread, std::move(queues),
                                         warps ? &parts.warps.back() : nullptr);
    };
    add(end(near_node), end(far_node));
  }
}

template <class End>
void Connections::add(std::unique_ptr<End> near, std::unique_ptr<End> far) {
  const bool one = scenario_.words == Words::one;  // of whoever was first
  if (!one || ends_.empty()) word_ = far->buffer();
  near->connect(one ? word_ : far->buffer());
  far->connect(near->buffer());
  ends_.push_back({std::move(near), std::move(far)});
  if (scenario_.lazy_init == LazyInit::on)
    ends_.back().near = std::make_unique<FirstUse>(std::move(ends_.back().near), scenario_.system.setup);
}

Connections::~Connections() = default;

}  // namespace gicsim::paths
