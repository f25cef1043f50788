// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/gpu/bench.h"
#include "hw_backend/gpu/device.h"
#include "hw_backend/gpu/host_clock.h"
#include "hw_backend/gpu/probes.h"

namespace gicsim::hw::gpu {
namespace {

constexpr unsigned unmeasured = 8;  ///< turns before the first stamp: the answering end may still be starting

/// Rings and waits for the answer, turn by turn. Values go on from where the run before ended.
__global__ void ring(Word8* bell, const Word8* answer, unsigned n, Stamps* stamps) {
  __shared__ unsigned took[most_samples];
  Word8 value = load(bell);
  stamps->expired = 0;
  for (unsigned i = 0; i < own_samples; ++i) {
    const long long t = clock_now();
    stamps->own[i] = static_cast<unsigned>(clock_after(value) - t);
  }
  fence_system();
  for (unsigned i = 0; i < n + unmeasured; ++i) {
    const Word8 until = timer_now() + give_up;
    ++value;
    const long long t = clock_now();
    store_relaxed(bell, value);
    const Word8 seen = await(answer, value, until);
    const long long answered = clock_after(seen);
    if (seen < value) {
      stamps->expired = 1;
      return;
    }
    if (i >= unmeasured) took[i - unmeasured] = static_cast<unsigned>(answered - t);
  }
  for (unsigned i = 0; i < n; ++i) stamps->took[i] = took[i];
}

/// The other end, on another GPU.
__global__ void answer_all(const Word8* bell, Word8* answer, Word8 first, unsigned n) {
  for (Word8 value = first; value < first + n; ++value) {
    const Word8 until = timer_now() + give_up;
    if (await(bell, value, until) < value) return;  // the ringing end says what was missing
    store_relaxed(answer, value);
  }
}

Figure figure(const char* queues, const char* nic) {
  return {Pattern::doorbell_echo,
          Path::gpu_direct,
          {{"bytes", plain(8)}, {"queues", plain(queues)}, {"nic", plain(nic)}},
          Quantity::rtt,
          ""};
}

}  // namespace

void DoorbellEcho::run(Session& session) {
  Bench bench(session);
  const HostArray<std::uint64_t> words(64);  // the answer in a line of its own
  std::uint64_t *bell = words.data(), *answer = words.data() + 32;
  if (bench.cores.size() < 2)
    return session.skip(figure("host", "emulated"), "needs two cores: one for the answering thread");
  {
    const Answerer answerer(bell, answer, bench.cores[1]);
    const unsigned n = bench.samples(2000, 200);
    bench.stamped(figure("host", "emulated"), n, [&](Stamps* stamps) {
      ring<<<1, 1, 0, bench.stream()>>>(reinterpret_cast<Word8*>(bell), reinterpret_cast<const Word8*>(answer), n,
                                        stamps);
    });
  }
  session.skip(
      figure("gpu", "emulated"),
      "a CPU can't store into GPU memory without a kernel module that maps it (gdrcopy); CUDA alone offers none");
}

std::string DoorbellEchoPeer::unavailable(const Machine& machine, const Options& options) const {
  return find_peer(machine, options).reason;
}

void DoorbellEchoPeer::run(Session& session) {
  Bench bench(session);
  const int there = bench.peer.gpu.value();
  const PeerAccess out(bench.gpu, there), back(there, bench.gpu);
  const DeviceArray<Word8> answer(16);
  const Memory bell(Place::peer, 128, there);
  const OnDevice other(there);
  const Stream stream;
  const unsigned n = bench.samples(2000, 200);
  Word8 first = 1;
  Figure echo = figure("gpu", "peer_gpu");
  echo.where.emplace_back("link", bench.peer.link);
  const OnDevice here(bench.gpu);
  bench.stamped(echo, n, [&](Stamps* stamps) {
    auto* rung = reinterpret_cast<Word8*>(bell.data());
    {
      const OnDevice second(there);
      answer_all<<<1, 1, 0, stream>>>(rung, answer.data(), first, n + unmeasured);
      GICSIM_CUDA(cudaGetLastError());
    }
    first += n + unmeasured;
    ring<<<1, 1, 0, bench.stream()>>>(rung, answer.data(), n, stamps);
    GICSIM_CUDA(cudaGetLastError());
    stream.synchronize();
  });
}

}  // namespace gicsim::hw::gpu
