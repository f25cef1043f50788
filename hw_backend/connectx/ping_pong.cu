// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "hw_backend/connectx/end.cuh"
#include "hw_backend/connectx/experiments.h"

namespace gicsim::hw {
namespace {

using connectx::GpuEnd;
using connectx::Tier;
using verbs::FarEnd;

/// Both ends count on from where they are: each value is awaited, so that a lost or a doubled one ends in an error.
Samples round_trips(GpuEnd& end, FarEnd& far, const posting::PingPongPlan& plan,
                    const gpu::DeviceArray<std::uint32_t>& cycles) {
  const posting::Post& post = plan.post;
  far.answer(post.bytes, post.payload == Payload::inlined, plan.iterations,
             "ordering=" + std::to_string(static_cast<int>(post.ordering)));
  {
    const gpu::Stream stream;
    posting::launch_ping_pong(plan, end.queue(0), cycles.data(), end.stuck(), stream);
    stream.synchronize();
  }
  end.check();
  far.done();
  std::vector<std::uint32_t> taken(plan.iterations);
  GICSIM_CUDA(cudaMemcpy(taken.data(), cycles.data(), taken.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
  Samples samples;
  for (const std::uint32_t c : taken) samples.push_back(c / end.ghz());
  return samples;
}

}  // namespace

void ConnectxPingPong::run(Session& session) {
  const std::uint32_t n = session.options.quick ? 200 : 2000;
  connectx::with_tiers(
      session, key, Pattern::ping_pong, {1, 1024, 64, 0}, [&](const Tier& tier, GpuEnd& end, FarEnd& far) {
        const gpu::OnDevice on(end.gpu());
        const gpu::DeviceArray<std::uint32_t> cycles(n);
        for (const Payload payload : {Payload::inlined, Payload::read}) {
          posting::PingPongPlan plan;
          plan.post = {tier.ordering(), payload, posting::Opcode::write, 8};
          plan.iterations = n;
          const Figure f = figure_of(end, session.options, tier, Pattern::ping_pong, Quantity::rtt, plan.post);
          session.measure(f, [&] { return round_trips(end, far, plan, cycles); });
        }
      });
}

}  // namespace gicsim::hw
