// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "hw_backend/connectx/end.cuh"
#include "hw_backend/connectx/experiments.h"

namespace gicsim::hw {
namespace {

using connectx::GpuEnd;
using connectx::Tier;
using posting::StreamTimes;
using verbs::FarEnd;

/// All threads' messages by the time of the slowest. The last put of each carries its count, which must have arrived.
Samples rate(GpuEnd& end, FarEnd& far, const posting::StreamPlan& plan, const gpu::DeviceArray<StreamTimes>& times) {
  {
    const gpu::Stream stream;
    posting::launch_stream(plan, end.on_gpu(), times.data(), end.stuck(), stream);
    stream.synchronize();
  }
  end.check();
  for (std::uint32_t t = 0; t < plan.threads; ++t)
    if (const std::uint64_t last = far.word(t); last != end.posted(t))
      throw HardwareError("thread " + std::to_string(t) + " posted " + std::to_string(end.posted(t)) +
                          " puts; the far side has the one of " + std::to_string(last));
  std::vector<StreamTimes> taken(plan.threads);
  GICSIM_CUDA(cudaMemcpy(taken.data(), times.data(), taken.size() * sizeof(StreamTimes), cudaMemcpyDeviceToHost));
  double messages = 0, slowest = 0;
  for (const StreamTimes& t : taken) {
    messages += t.posted;
    slowest = std::max(slowest, static_cast<double>(t.cycles));
  }
  return {messages / (slowest / end.ghz()) * 1000};
}

}  // namespace

void ConnectxMessageRate::run(Session& session) {
  const bool quick = session.options.quick;
  const std::vector<std::uint32_t> threads =
      quick ? std::vector<std::uint32_t>{1, 8} : std::vector<std::uint32_t>{1, 2, 4, 8, 16, 32, 64};
  const unsigned most = threads.back();
  connectx::with_tiers(
      session, key, Pattern::message_rate, {most, 1024, most * 8, 0}, [&](const Tier& tier, GpuEnd& end, FarEnd& far) {
        const gpu::OnDevice on(end.gpu());
        const gpu::DeviceArray<StreamTimes> times(most);
        for (const std::uint32_t n : threads)
          for (const std::uint32_t batch : {1U, 4U, 16U, 64U}) {
            posting::StreamPlan plan;
            plan.post = {tier.ordering(), Payload::inlined, posting::Opcode::write, 8};
            plan.threads = n;
            plan.sms = n;
            plan.batch = batch;
            plan.each = quick ? 4096 : 65536;
            Figure f = figure_of(end, session.options, tier, Pattern::message_rate, Quantity::message_rate, plan.post);
            f.where.insert(f.where.begin() + 4, {{"threads", std::int64_t{n}},
                                                 {"sms", std::int64_t{n}},
                                                 {"qps", std::int64_t{n}},
                                                 {"batch", std::int64_t{batch}}});
            session.measure(f, [&] { return rate(end, far, plan, times); });
          }
      });
}

}  // namespace gicsim::hw
