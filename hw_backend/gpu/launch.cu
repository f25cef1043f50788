// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/gpu/bench.h"
#include "hw_backend/gpu/host_clock.h"
#include "hw_backend/gpu/probes.h"

namespace gicsim::hw::gpu {
namespace {

__global__ void nothing() {}
__global__ void tell(volatile std::uint64_t* word, std::uint64_t value) { *word = value; }

}  // namespace

void Launch::run(Session& session) {
  const Bench bench(session);
  const unsigned n = bench.samples(1000, 100);
  const HostArray<std::uint64_t> word(1);
  std::uint64_t value = 0;
  for (const unsigned batch : {1U, 8U}) {
    const auto figure = [&](Quantity quantity) {
      return Figure{Pattern::launch, Path::none, {{"batch", plain(batch)}}, quantity, host_clock};
    };
    session.measure({figure(Quantity::issue), figure(Quantity::synced)}, [&] {
      std::vector<Samples> got(2);
      for (unsigned i = 0; i < n; ++i) {
        const double t = host_ns();
        for (unsigned k = 0; k < batch; ++k) nothing<<<1, 1, 0, bench.stream()>>>();
        const double called = host_ns();
        GICSIM_CUDA(cudaStreamSynchronize(bench.stream()));
        got[0].push_back((called - t) / batch);
        got[1].push_back(host_ns() - t);
      }
      GICSIM_CUDA(cudaGetLastError());
      return got;
    });
    session.measure(figure(Quantity::visible), [&] {
      Samples got;
      for (unsigned i = 0; i < n; ++i) {
        const double t = host_ns();
        for (unsigned k = 0; k < batch; ++k) tell<<<1, 1, 0, bench.stream()>>>(word.data(), ++value);
        const bool seen = spin(word.data(), value);
        got.push_back(host_ns() - t);
        GICSIM_CUDA(cudaStreamSynchronize(bench.stream()));
        if (!seen) fail(__FILE__, __LINE__, "launch", "gave up after 2 s of waiting for a kernel's store");
      }
      return got;
    });
  }
}

}  // namespace gicsim::hw::gpu
