// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <cuda.h>

#include "hw_backend/gpu/bench.h"
#include "hw_backend/gpu/host_clock.h"
#include "hw_backend/gpu/probes.h"

namespace gicsim::hw::gpu {
namespace {

using Operation = CUresult (*)(CUstream, CUdeviceptr, cuuint64_t, unsigned);

/// By the runtime, so that nothing links against the driver's library. Null: the driver has none of that name.
Operation driver_call(const char* name) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  GICSIM_CUDA(cudaGetDriverEntryPointByVersion(name, &entry, 12000, cudaEnableDefault, &found));
  return found == cudaDriverEntryPointSuccess ? reinterpret_cast<Operation>(entry) : nullptr;
}

void accepted(CUresult got, const char* call) {
  if (got != CUDA_SUCCESS) fail(__FILE__, __LINE__, call, "refused with " + std::to_string(static_cast<int>(got)));
}

}  // namespace

/// A stream holds wait(1), write(1), wait(2), write(2) …, all queued before the first wait is released. This thread
/// then writes the value that a wait stands for and sees the write behind it: the stream's doorbell for the next turn.
void DoorbellEchoStream::run(Session& session) {
  constexpr unsigned queued = 32;  // of each, far below what a stream takes before a call blocks
  Bench bench(session);
  const Figure figure{Pattern::doorbell_echo,
                      Path::stream_triggered,
                      {{"bytes", plain(8)}, {"queues", plain("host")}, {"nic", plain("emulated")}},
                      Quantity::rtt,
                      host_clock};
  const Operation write_value = driver_call("cuStreamWriteValue64"), wait_value = driver_call("cuStreamWaitValue64");
  if (write_value == nullptr || wait_value == nullptr)
    return session.skip(figure, "the driver has no cuStreamWriteValue64 and cuStreamWaitValue64");
  const HostArray<std::uint64_t> words(64);
  std::uint64_t *bell = words.data(), *answer = words.data() + 32;
  const auto at = [](std::uint64_t* word) { return reinterpret_cast<CUdeviceptr>(word); };
  if (write_value(bench.stream(), at(bell), 0, 0) == CUDA_ERROR_NOT_SUPPORTED)
    return session.skip(figure, "this GPU's streams take no 64-bit memory operations");
  GICSIM_CUDA(cudaStreamSynchronize(bench.stream()));
  std::uint64_t value = 0;
  session.measure(figure, [&] {
    Samples got;
    for (unsigned runs = (bench.samples(2000, 200) + queued - 1) / queued; runs > 0; --runs) {
      for (std::uint64_t k = value + 1; k <= value + queued; ++k) {
        accepted(wait_value(bench.stream(), at(answer), k, CU_STREAM_WAIT_VALUE_GEQ), "cuStreamWaitValue64");
        accepted(write_value(bench.stream(), at(bell), k, 0), "cuStreamWriteValue64");
      }
      for (const double until = host_ns() + 30'000; host_ns() < until;) {  // until the stream stands at its first wait
      }
      for (unsigned k = 0; k < queued; ++k) {
        ++value;
        const double t = host_ns();
        write(answer, value);
        const bool seen = spin(bell, value);
        const double rung = host_ns();
        if (!seen) {
          write(answer, ~0ULL >> 1U);  // releases every wait, so that the stream can end
          GICSIM_CUDA(cudaStreamSynchronize(bench.stream()));
          fail(__FILE__, __LINE__, "doorbell_echo_stream", "gave up after 2 s of waiting for a stream's write-value");
        }
        got.push_back(rung - t);
      }
      GICSIM_CUDA(cudaStreamSynchronize(bench.stream()));
    }
    return got;
  });
}

}  // namespace gicsim::hw::gpu
