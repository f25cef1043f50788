// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/workloads/barrier.h"
#include "scenarios/workloads/one_outstanding.h"
#include "scenarios/workloads/ping_pong.h"
#include "scenarios/workloads/put_bw.h"

namespace gicsim::workloads {

std::unique_ptr<Workload> make_workload(std::vector<Pair> pairs, const schema::Scenario& scenario) {
  if (schema::streams(scenario)) return std::make_unique<PutBw>(std::move(pairs), scenario);
  switch (scenario.pattern) {
    case Pattern::put:
    case Pattern::get:
    case Pattern::atomic:
    case Pattern::put_signal:
    case Pattern::quiet:
    case Pattern::launch:
    case Pattern::copy_engine:
    case Pattern::host_load:
    case Pattern::host_store:
    case Pattern::fence:
    case Pattern::host_atomic:
    case Pattern::doorbell_echo:
    case Pattern::dma_read:
    case Pattern::dma_write_read:
    case Pattern::bar_write: return std::make_unique<OneOutstanding>(std::move(pairs), scenario);
    case Pattern::barrier: return std::make_unique<BarrierRounds>(std::move(pairs), scenario);
    case Pattern::ping_pong:
    case Pattern::bar_ping_pong: return std::make_unique<PingPong>(std::move(pairs), scenario);
    case Pattern::put_bw:
    case Pattern::message_rate: return std::make_unique<PutBw>(std::move(pairs), scenario);
    default: break;
  }
  return nullptr;
}

}  // namespace gicsim::workloads
