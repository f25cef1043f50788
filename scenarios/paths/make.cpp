// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/make.h"

#include <optional>

#include "scenarios/paths/cpu_doorbell.h"
#include "scenarios/paths/cpu_post.h"
#include "scenarios/paths/cpu_proxy.h"
#include "scenarios/paths/first_use.h"
#include "scenarios/paths/gpu_direct.h"
#include "scenarios/paths/host_staged.h"
#include "scenarios/paths/probe.h"
#include "scenarios/paths/stream_triggered.h"

namespace gicsim::paths {
namespace {

constexpr std::size_t near_node = 0, far_node = 1;

/// GPU threads choose where their queues lie, CPU threads have them at hand.
system::Place place(const schema::Scenario& s) {
  const bool gpu = s.path == Path::gpu_direct || s.path == Path::cpu_doorbell;
  return gpu && s.queues == Queues::gpu ? system::Place::gpu : system::Place::host;
}

}  // namespace

/// CPU threads that serve a whole node.
struct Connections::Workers {
  std::optional<ProxyWorker> proxies[2];
  std::optional<Ringer> ringers[2];
};

Connections::Connections(system::System& system, const schema::Scenario& scenario)
    : workers_(std::make_unique<Workers>()) {
  if (is_probe(scenario.pattern)) {
    auto caller = std::make_unique<RuntimeCaller>(system, scenario);
    auto observer = std::make_unique<Observer>(system, scenario, *caller);
    ends_.push_back({std::move(caller), std::move(observer)});
    return;
  }
  for (const std::size_t node : {near_node, far_node}) {
    if (scenario.path == Path::cpu_proxy) workers_->proxies[node].emplace(system, scenario, node);
    if (scenario.path == Path::cpu_doorbell) workers_->ringers[node].emplace(system, scenario, node);
  }
  for (std::size_t thread = 0; thread < static_cast<std::size_t>(scenario.threads); ++thread) {
    const auto depth = static_cast<std::uint32_t>(scenario.depth);
    const auto queues = system.connect(near_node, 0, far_node, 0, place(scenario), depth);
    const auto join = [&]<class End>(auto... workers) {
      auto near = std::make_unique<End>(system, scenario, near_node, 0, thread, queues.first, *workers[near_node]...);
      auto far = std::make_unique<End>(system, scenario, far_node, 0, thread, queues.second, *workers[far_node]...);
      near->connect(far->buffer());
      far->connect(near->buffer());
      ends_.push_back({std::move(near), std::move(far)});
    };
    switch (scenario.path) {
      case Path::gpu_direct: join.template operator()<GpuDirect>(); break;
      case Path::cpu_proxy: join.template operator()<CpuProxy>(workers_->proxies); break;
      case Path::cpu_post: join.template operator()<CpuPost>(); break;
      case Path::cpu_doorbell: join.template operator()<CpuDoorbell>(workers_->ringers); break;
      case Path::host_staged: join.template operator()<HostStaged>(); break;
      case Path::stream_triggered: join.template operator()<StreamTriggered>(); break;
      case Path::none: break;
    }
    if (scenario.lazy_init == LazyInit::off) continue;
    ends_.back().near = std::make_unique<FirstUse>(std::move(ends_.back().near), scenario.system.setup);
  }
}

Connections::~Connections() = default;

}  // namespace gicsim::paths
