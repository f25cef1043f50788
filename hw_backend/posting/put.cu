// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/experiments.h"
#include "hw_backend/posting/point.cuh"

namespace gicsim::hw::posting {
namespace {

class Puts {
 public:
  Puts(Session& session, const Bench& bench) : session_(session), bench_(bench), n_(session.options.quick ? 200 : 1000), times_(n_) {}

  void measure(const PutPlan& plan, const Rings::Plan& where, std::string_view before = {}) {
    std::vector<Figure> figures = {bench_.figure(Pattern::put, Quantity::issue, plan.post, where)};
    if (plan.wait) figures.push_back(bench_.figure(Pattern::put, Quantity::put_completion, plan.post, where));
    if (!before.empty()) figures[0].where.emplace_back("before", std::string(before));
    if (const std::string why = bench_.missing(where.nic); !why.empty()) {
      for (const Figure& f : figures) session_.skip(f, why);
      return;
    }
    Rings rings(where);
    std::uint64_t posted = 0;
    measure_or_say(session_, figures, rings, [&] { return once(plan, rings, posted += n_); });
  }

 private:
  std::vector<Samples> once(PutPlan plan, Rings& rings, std::uint64_t posted) {
    plan.iterations = n_;
    const gpu::OnDevice on(bench_.gpu());
    const gpu::Stream stream;
    Serving serving({&rings});
    launch_put(plan, rings[0], times_.data(), serving.stuck(), stream);
    stream.synchronize();
    serving.finish();
    const bool moved = plan.wait && !(rings.plan().nic == Nic::emulated && rings.plan().where == Queues::gpu);
    if (moved && plan.post.payload == Payload::inlined && rings.delivered() != posted)
      throw HardwareError("the last of " + std::to_string(posted) + " puts wrote " + std::to_string(rings.delivered()));
    std::vector<PutTimes> times(n_);
    GICSIM_CUDA(cudaMemcpy(times.data(), times_.data(), n_ * sizeof(PutTimes), cudaMemcpyDeviceToHost));
    std::vector<Samples> samples(plan.wait ? 2 : 1);
    for (const PutTimes& t : times) {
      samples[0].push_back(t.issue / bench_.ghz());
      if (plan.wait) samples[1].push_back(t.completion / bench_.ghz());
    }
    return samples;
  }

  Session& session_;
  const Bench& bench_;
  std::uint32_t n_;
  gpu::DeviceArray<PutTimes> times_;
};

}  // namespace

void Put::run(Session& session) {
  const gpu::OnDevice on(session.options.gpu);
  const Bench bench(session);
  Puts puts(session, bench);
  for (const Nic nic : nics)
    for (const Queues queues : {Queues::gpu, Queues::host}) {
      if (queues == Queues::host && (nic == Nic::sm || nic == Nic::peer_gpu)) continue;  // a GPU as a NIC knows GPU memory
      for (const Payload payload : {Payload::inlined, Payload::read})
        for (const Ordering ordering : orderings) {
          if (session.options.quick && payload == Payload::read && ordering != Ordering::gpu_fence) continue;
          PutPlan plan;
          plan.post.ordering = ordering;
          plan.post.payload = payload;
          plan.wait = nic != Nic::none;
          puts.measure(plan, bench.rings(nic, queues));
        }
    }
  if (session.options.quick) return;
  using Before = std::pair<PutPlan::Before, std::string_view>;
  for (const Ordering ordering : orderings)
    for (const auto& [before, name] : {Before{PutPlan::poll, "poll"}, Before{PutPlan::poll_acquire, "poll_acquire"},
                                       Before{PutPlan::sleep, "sleep"}, Before{PutPlan::fence, "fence"}}) {
      PutPlan plan;
      plan.post.ordering = ordering;
      plan.before = before;
      plan.wait = false;
      puts.measure(plan, bench.rings(Nic::none, Queues::gpu), name);
    }
}

}  // namespace gicsim::hw::posting
