// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/make.h"

#include "scenarios/paths/cpu_proxy.h"
#include "scenarios/paths/gpu_direct.h"

namespace gicsim::paths {

struct Connections::Workers {
  ProxyWorker near, far;
};

Connections::Connections(system::System& system, const schema::Scenario& scenario) {
  const bool proxy = scenario.path == Path::cpu_proxy;
  if (proxy)
    workers_ = std::make_unique<Workers>(ProxyWorker(system, scenario, 0), ProxyWorker(system, scenario, 1));
  const system::Place place =
      proxy || scenario.queues == Queues::host ? system::Place::host : system::Place::gpu;
  for (std::size_t thread = 0; thread < static_cast<std::size_t>(scenario.threads); ++thread) {
    const auto [here, there] = system.connect(0, 0, 1, 0, place, static_cast<std::uint32_t>(scenario.depth));
    std::unique_ptr<GpuEnd> near, far;
    if (proxy) {
      near = std::make_unique<CpuProxy>(system, scenario, 0, 0, thread, here, workers_->near);
      far = std::make_unique<CpuProxy>(system, scenario, 1, 0, thread, there, workers_->far);
    } else {
      near = std::make_unique<GpuDirect>(system, scenario, 0, 0, thread, here);
      far = std::make_unique<GpuDirect>(system, scenario, 1, 0, thread, there);
    }
    near->connect(far->buffer());
    far->connect(near->buffer());
    ends_.push_back({std::move(near), std::move(far)});
  }
}

Connections::~Connections() = default;

}  // namespace gicsim::paths
