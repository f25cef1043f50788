// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/beside.h"

#include <doctest/doctest.h>

namespace gicsim::gpu {
namespace {

Probability percent(std::int64_t n) { return Probability::steps(Probability::certain / 100 * n); }

TEST_CASE("beside: a thread's instructions take as much longer as its share of the slots is small, rounded up") {
  CHECK(shared(100_cycles, percent(100)) == 100_cycles);
  CHECK(shared(100_cycles, percent(25)) == 400_cycles);
  CHECK(shared(1_cycles, percent(60)) == 2_cycles);
}

TEST_CASE("beside: a kernel takes clock, memory bandwidth and the front end's time") {
  GpuParams gpu{};
  gpu.clock = 2_GHz;
  gpu.store_issue = 4_cycles;
  gpu.store_ack = 400_cycles;
  gpu.l2_load = 280_cycles;
  gpu.fence_gpu = 129ns;
  gpu.fence_system_sc = 511ns;
  gpu.memory_rate = 8000_Gbps;
  FrontEndParams front_end;
  CopyEngineParams copy_engine;
  const BesideParams kernel{.clock_left = percent(68),
                            .issue_left = percent(50),
                            .load = 20_cycles,
                            .fence_gpu = 11ns,
                            .fence_system = 89ns,
                            .memory_rate = 3000_Gbps,
                            .command = 100ns,
                            .kernel_start = 30ns,
                            .kernel_end = 20ns};
  beside(kernel, gpu, front_end, copy_engine);
  CHECK(gpu.clock == 1360_MHz);
  CHECK(gpu.store_issue == 8_cycles);
  CHECK(gpu.store_ack == 400_cycles);
  CHECK(gpu.l2_load == 300_cycles);
  CHECK(gpu.fence_gpu == 140ns);
  CHECK(gpu.fence_system_sc == 600ns);
  CHECK(gpu.memory_rate == 5000_Gbps);
  CHECK(front_end.kernel_start == 440ns + 130ns);
  CHECK(front_end.kernel_end == 1180ns + 20ns);
  CHECK(front_end.write == 60ns + 100ns);
  CHECK(copy_engine.start == 360ns + 100ns);
}

}  // namespace
}  // namespace gicsim::gpu
