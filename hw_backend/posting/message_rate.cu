// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw_backend/posting/experiments.h"
#include "hw_backend/posting/point.cuh"

namespace gicsim::hw::posting {
namespace {

constexpr std::uint32_t threads_most = 1024;

class Streams {
 public:
  Streams(Session& session, const Bench& bench) : session_(session), bench_(bench), times_(threads_most) {}

  void measure(StreamPlan plan, Nic nic, Queues queues) {
    const std::uint32_t count = plan.sharing == Sharing::exclusive ? plan.threads : 1;
    const Rings::Plan where = bench_.rings(nic, queues, count, count > 64 && nic != Nic::none ? 256 : 1024);
    plan.wait = nic != Nic::none;
    if (plan.wait) {
      plan.each = 1U << 30;
      plan.window = static_cast<std::uint64_t>((session_.options.quick ? 500e3 : 2e6) * bench_.ghz());
    }
    std::vector<Figure> figures;
    for (const Quantity q : {Quantity::issue, Quantity::message_rate}) {
      Figure f = bench_.figure(Pattern::message_rate, q, plan.post, where);
      for (const auto& [key, value] : {std::pair{"threads", plan.threads}, {"sms", plan.sms}, {"qps", count}, {"batch", plan.batch}})
        f.where.emplace_back(key, std::int64_t{value});
      if (plan.sharing != Sharing::exclusive) f.where.emplace_back("sharing", std::string(to_name(plan.sharing)));
      figures.push_back(f);
    }
    if (const std::string why = bench_.missing(nic); !why.empty()) {
      for (const Figure& f : figures) session_.skip(f, why);
      return;
    }
    Rings rings(where);
    measure_or_say(session_, figures, rings, [&] { return once(plan, rings); });
  }

 private:
  /// Of the slowest thread, ns a WQE; of all of them, what that comes to.
  std::vector<Samples> once(const StreamPlan& plan, Rings& rings) {
    const gpu::OnDevice on(bench_.gpu());
    const gpu::Stream stream;
    Serving serving({&rings});
    launch_stream(plan, rings.on_gpu(), times_.data(), serving.stuck(), stream);
    stream.synchronize();
    serving.finish();
    std::vector<StreamTimes> times(plan.threads);
    GICSIM_CUDA(cudaMemcpy(times.data(), times_.data(), plan.threads * sizeof(StreamTimes), cudaMemcpyDeviceToHost));
    double slowest = 0, longest = 0, posted = 0;
    for (const StreamTimes& t : times) {
      const double ns = static_cast<double>(t.cycles) / bench_.ghz();
      slowest = std::max(slowest, ns / t.posted);
      longest = std::max(longest, ns);
      posted += t.posted;
    }
    return {{slowest}, {posted / longest * 1e3}};
  }

  Session& session_;
  const Bench& bench_;
  gpu::DeviceArray<StreamTimes> times_;
};

StreamPlan of(Ordering ordering, std::uint32_t batch, std::uint32_t threads = 1, std::uint32_t sms = 1) {
  StreamPlan plan;
  plan.post.ordering = ordering;
  plan.batch = batch;
  plan.threads = threads;
  plan.sms = sms;
  return plan;
}

/// Nobody serves: what the SM alone can do.
void unserved(Streams& streams, bool quick) {
  const auto point = [&](const StreamPlan& plan) { streams.measure(plan, Nic::none, Queues::gpu); };
  for (const Ordering o : orderings)
    for (const std::uint32_t batch : {1U, 4U, 16U}) point(of(o, batch));
  for (const std::uint32_t batch : {2U, 8U, 32U, 64U}) point(of(Ordering::gpu_fence, batch));
  for (const std::uint32_t threads : {2U, 4U, 8U, 16U, 32U, 64U, 128U, 256U})
    for (const std::uint32_t batch : {1U, 16U}) point(of(Ordering::gpu_fence, batch, threads));
  for (const std::uint32_t sms : {2U, 16U, 64U})
    for (const std::uint32_t batch : {1U, 16U}) point(of(Ordering::gpu_fence, batch, sms, sms));
  for (const std::uint32_t batch : {1U, 16U}) point(of(Ordering::gpu_fence, batch, 256, 16));
  for (const std::uint32_t batch : {1U, 16U}) streams.measure(of(Ordering::sys_fence, batch), Nic::none, Queues::host);
  const auto shared = [&](Sharing sharing, std::uint32_t batch, std::uint32_t threads, std::uint32_t each) {
    if (quick && threads > 32) return;
    StreamPlan plan = of(Ordering::gpu_fence, batch, threads);
    plan.sharing = sharing;
    plan.each = each;
    point(plan);
  };
  for (const std::uint32_t threads : {1U, 2U, 8U, 32U, 64U}) shared(Sharing::lock, 1, threads, 256);
  for (const std::uint32_t threads : {1U, 2U, 8U, 32U, 256U})
    for (const std::uint32_t batch : {1U, 32U}) shared(Sharing::handoff, batch, threads, 1024);
  for (const std::uint32_t threads : {32U, 64U, 128U, 256U}) shared(Sharing::warp, 32, threads, 1024);
}

}  // namespace

void MessageRate::run(Session& session) {
  const gpu::OnDevice on(session.options.gpu);
  const Bench bench(session);
  Streams streams(session, bench);
  unserved(streams, session.options.quick);
  using Served = std::pair<Nic, Queues>;
  for (const auto& [nic, queues] : {Served{Nic::emulated, Queues::host}, Served{Nic::emulated, Queues::gpu},
                                    Served{Nic::sm, Queues::gpu}, Served{Nic::peer_gpu, Queues::gpu}})
    for (const std::uint32_t threads : {1U, 4U, 16U, 64U, 256U, 1024U})
      for (const std::uint32_t batch : {1U, 16U}) {
        if (session.options.quick && threads > 16) continue;
        if (nic != Nic::emulated && threads > 64) continue;  // an SM a queue: more than that and the NIC's SMs are what is measured
        const Ordering ordering = queues == Queues::host ? Ordering::sys_fence : Ordering::gpu_fence;
        streams.measure(of(ordering, batch, threads, threads > 256 ? 4 : 1), nic, queues);
      }
}

}  // namespace gicsim::hw::posting
