// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "hw_backend/connectx/end.cuh"
#include "hw_backend/connectx/experiments.h"

namespace gicsim::hw {
namespace {

using connectx::GpuEnd;
using connectx::Tier;
using posting::PutTimes;
using verbs::FarEnd;

class Puts {
 public:
  Puts(Session& session, const Tier& tier, GpuEnd& end, FarEnd& far)
      : session_(session), tier_(tier), end_(end), far_(far), n_(session.options.quick ? 200 : 2000), times_(n_) {}

  void measure(Ordering ordering, Payload payload, std::uint32_t bytes) {
    posting::PutPlan plan;
    plan.post = {ordering, payload, posting::Opcode::write, bytes};
    plan.iterations = n_;
    const auto figure = [&](Quantity q) {
      return figure_of(end_, session_.options, tier_, Pattern::put, q, plan.post);
    };
    session_.measure({figure(Quantity::issue), figure(Quantity::put_completion)}, [&] { return once(plan); });
  }

 private:
  /// An inline put carries the count of WQEs, another what stands at the source.
  std::vector<Samples> once(const posting::PutPlan& plan) {
    const bool read = plan.post.payload == Payload::read;
    if (read) {
      end_.fill(++seed_, plan.post.bytes);
      far_.clear(plan.post.bytes);
    }
    {
      const gpu::Stream stream;
      posting::launch_put(plan, end_.queue(0), times_.data(), end_.stuck(), stream);
      stream.synchronize();
    }
    end_.check();
    if (read) far_.check(seed_, plan.post.bytes);
    else if (const std::uint64_t last = far_.word(); last != end_.posted(0))
      throw HardwareError("the last of " + std::to_string(end_.posted(0)) + " puts left " + std::to_string(last) +
                          " at the far side");
    std::vector<PutTimes> times(n_);
    GICSIM_CUDA(cudaMemcpy(times.data(), times_.data(), n_ * sizeof(PutTimes), cudaMemcpyDeviceToHost));
    std::vector<Samples> samples(2);
    for (const PutTimes& t : times) {
      samples[0].push_back(t.issue / end_.ghz());
      samples[1].push_back(t.completion / end_.ghz());
    }
    return samples;
  }

  Session& session_;
  const Tier& tier_;
  GpuEnd& end_;
  FarEnd& far_;
  std::uint32_t n_, seed_ = 0;
  gpu::DeviceArray<PutTimes> times_;
};

}  // namespace

std::string ConnectxExperiment::unavailable(const Machine& machine, const Options& options) const {
  if (const std::string why = verbs::unavailable(machine, options); !why.empty()) return why;
  const NicInfo* nic = verbs::chosen_nic(machine, options);
  if (!nic->mlx5)
    return "needs a ConnectX that mlx5 drives; " + nic->name + " is driven by " + nic->driver +
           " (--nic names another)";
  return {};
}

void ConnectxPut::run(Session& session) {
  const bool quick = session.options.quick;
  const std::vector<std::uint32_t> sizes =
      quick ? std::vector<std::uint32_t>{8, 4096}
            : std::vector<std::uint32_t>{8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576};
  connectx::with_tiers(
      session, key, Pattern::put, {1, 1024, sizes.back(), 0}, [&](const Tier& tier, GpuEnd& end, FarEnd& far) {
        const gpu::OnDevice on(end.gpu());
        Puts puts(session, tier, end, far);
        // With rings in host memory a fence of gpu scope doesn't order them for the NIC: what is measured must be
        // sound.
        const std::vector<Ordering> orderings =
            tier.queues == Queues::host
                ? std::vector<Ordering>{Ordering::sys_fence, Ordering::sys_release}
                : std::vector<Ordering>{Ordering::gpu_fence,   Ordering::gpu_fence_dbr, Ordering::gpu_release,
                                        Ordering::threadfence, Ordering::sys_release,   Ordering::sys_fence};
        for (const Ordering ordering : orderings) puts.measure(ordering, Payload::inlined, 8);
        for (const std::uint32_t bytes : sizes) puts.measure(tier.ordering(), Payload::read, bytes);
      });
}

}  // namespace gicsim::hw
