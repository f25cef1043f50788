// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/experiments.h"
#include "hw_backend/posting/point.cuh"

namespace gicsim::hw::posting {

void Doorbells::run(Session& session) {
  const gpu::OnDevice on(session.options.gpu);
  const Bench bench(session);
  const std::uint32_t n = session.options.quick ? 200 : 1000;
  const gpu::DeviceArray<std::uint32_t> cycles(n);
  const gpu::DeviceArray<PutTimes> first(1);
  for (const Nic nic : {Nic::none, Nic::peer_gpu})
    for (const std::uint32_t in_a_row : {1U, 4U, 16U, 64U, 256U}) {
      Figure figure = bench.figure(Pattern::doorbell_echo, Quantity::issue, Post{}, bench.rings(nic, Queues::gpu));
      figure.where = {{"batch", std::int64_t{in_a_row}}, {"memory", std::string(nic == Nic::none ? "host" : "peer")}};
      if (nic == Nic::peer_gpu) figure.where.emplace_back("link", bench.link());
      if (const std::string why = bench.missing(nic); !why.empty()) {
        session.skip(figure, why);
        continue;
      }
      Rings rings(bench.rings(nic, Queues::gpu));
      const gpu::HostArray<Stuck> stuck(1);
      const gpu::Stream stream;
      PutPlan once;  // a doorbell repeats the last WQE's, so there must be one
      once.iterations = 1;
      once.wait = false;
      launch_put(once, rings[0], first.data(), stuck.data(), stream);
      session.measure(figure, [&] {
        launch_doorbells(in_a_row, n, rings[0], cycles.data(), stream);
        stream.synchronize();
        std::vector<std::uint32_t> taken(n);
        GICSIM_CUDA(cudaMemcpy(taken.data(), cycles.data(), n * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
        Samples samples;
        for (const std::uint32_t t : taken) samples.push_back(t / bench.ghz() / in_a_row);
        return samples;
      });
    }
}

}  // namespace gicsim::hw::posting
