// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/paths/make.h"

#include <algorithm>
#include <bit>
#include <deque>

#include "scenarios/paths/cpu_proxy.h"
#include "scenarios/paths/gpu_direct.h"

namespace gicsim::paths {
namespace {

/// The send queues of one node and the warps that post to them together.
struct Posters {
  std::deque<SendQueue> queues;
  std::deque<PostingWarp> warps;
};

}  // namespace

struct Connections::Parts {
  std::unique_ptr<Proxy> near_proxy, far_proxy;
  Posters near, far;
};

Connections::Connections(system::System& system, const schema::Scenario& scenario)
    : parts_(std::make_unique<Parts>()) {
  const auto threads = static_cast<std::size_t>(scenario.threads);
  if (scenario.path == Path::cpu_proxy) connect_proxies(system, scenario, threads);
  else connect_gpus(system, scenario, threads);
}

/// Neighbouring threads share a ring where there are fewer rings. A queue pair holds all that its rings hold.
void Connections::connect_proxies(system::System& system, const schema::Scenario& scenario, std::size_t threads) {
  const auto rings = static_cast<std::size_t>(scenario.rings), qps = static_cast<std::size_t>(scenario.qps);
  const auto depth = std::bit_ceil(static_cast<std::uint32_t>(scenario.depth * schema::rings_a_queue(scenario)));
  Proxy& near = *(parts_->near_proxy = std::make_unique<Proxy>(system, scenario, 0));
  Proxy& far = *(parts_->far_proxy = std::make_unique<Proxy>(system, scenario, 1));
  for (std::size_t i = 0; i < qps; ++i) {
    const auto [here, there] = system.connect(0, 0, 1, 0, system::Place::host, depth);
    near.add_queue(here);
    far.add_queue(there);
  }
  for (std::size_t i = 0; i < rings; ++i) {
    const Address counter = (Address{1} << 37) + i * Address{4096};
    near.add_ring(system.node(0).gpu(0).base() + counter);
    far.add_ring(system.node(1).gpu(0).base() + counter);
  }
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const std::size_t ring = thread * rings / threads;
    add(std::make_unique<CpuProxy>(system, scenario, 0, 0, thread, near.ring(ring)),
        std::make_unique<CpuProxy>(system, scenario, 1, 0, thread, far.ring(ring)));
  }
  near.start();
  far.start();
}

/// Queues are dealt out in order: neighbouring threads share one, or a thread has several.
void Connections::connect_gpus(system::System& system, const schema::Scenario& scenario, std::size_t threads) {
  const auto qps = static_cast<std::size_t>(scenario.qps);
  const auto place = scenario.queues == Queues::host ? system::Place::host : system::Place::gpu;
  Posters &near = parts_->near, &far = parts_->far;
  for (std::size_t i = 0; i < qps; ++i) {
    const auto [here, there] = system.connect(0, 0, 1, 0, place, static_cast<std::uint32_t>(scenario.depth));
    near.queues.emplace_back().queue = here;
    far.queues.emplace_back().queue = there;
  }
  const auto lanes = static_cast<std::size_t>(scenario.batch);
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const std::size_t first = thread * qps / threads, each = std::max<std::size_t>(1, qps / threads);
    const bool warps = scenario.sharing == Sharing::warp;
    const auto end = [&](Posters& at, std::size_t node) {
      std::vector<SendQueue*> queues;
      for (std::size_t i = 0; i < each; ++i) queues.push_back(&at.queues[first + i]);
      if (warps && thread % lanes == 0) at.warps.push_back({gpu::Rendezvous(system.kernel(), lanes)});
      return std::make_unique<GpuDirect>(system, scenario, node, 0, thread, std::move(queues),
                                         warps ? &at.warps.back() : nullptr);
    };
    add(end(near, 0), end(far, 1));
  }
}

void Connections::add(std::unique_ptr<GpuEnd> near, std::unique_ptr<GpuEnd> far) {
  near->connect(far->buffer());
  far->connect(near->buffer());
  ends_.push_back({std::move(near), std::move(far)});
}

Connections::~Connections() = default;

}  // namespace gicsim::paths
