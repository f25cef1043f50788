// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/gpu/bench.h"

#include <algorithm>
#include <cmath>

#include "hw_backend/gpu/device.h"

namespace gicsim::hw::gpu {
namespace {

struct Reading {
  long long cycles;
  unsigned long long ns, step;
};

/// Both clocks over a while, from one change of the timer to another: it moves in steps.
__global__ void read_clocks(unsigned long long ns, Reading* out) {
  const long long most = 20'000'000'000;  // cycles: a timer that stands still must not hold the GPU
  const auto next = [&](unsigned long long now) {
    const long long from = clock_now();
    unsigned long long t = timer_now();
    while (t == now && clock_now() - from < most) t = timer_now();
    return t;
  };
  const unsigned long long begin = next(timer_now());
  const long long from = clock_now();
  unsigned long long step = ~0ULL, now = begin;
  while (now < begin + ns) {
    const unsigned long long then = next(now);
    if (then == now) break;
    step = min(step, then - now);
    now = then;
  }
  *out = {clock_now() - from, now - begin, step};
}

unsigned sm_count(int gpu) {
  int n = 0;
  GICSIM_CUDA(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, gpu));
  return static_cast<unsigned>(n);
}

}  // namespace

const char* name_of(Place place) { return place == Place::hbm ? "hbm" : place == Place::host ? "host" : "peer"; }

Memory::Memory(Place place, std::size_t bytes, std::optional<int> peer) : place_(place) {
  if (place == Place::host) {
    host_ = HostArray<char>(bytes);
  } else if (place == Place::peer) {
    const OnDevice other(peer.value());
    device_ = DeviceArray<char>(bytes);
    GICSIM_CUDA(cudaDeviceSynchronize());
  } else {
    device_ = DeviceArray<char>(bytes);
    GICSIM_CUDA(cudaDeviceSynchronize());  // our streams don't wait for the default one, which zeroes
  }
}

PeerAccess::PeerAccess(int from, int to) : from_(from), to_(to) {
  const OnDevice here(from);
  GICSIM_CUDA(cudaDeviceEnablePeerAccess(to, 0));
}
PeerAccess::~PeerAccess() {
  int before = 0;
  cudaGetDevice(&before);
  cudaSetDevice(from_);
  cudaDeviceDisablePeerAccess(to_);
  cudaSetDevice(before);
}

Peer find_peer(const Machine& machine, const Options& options) {
  const int n = static_cast<int>(machine.gpus.size());
  if (n < 2) return {{}, "", "needs a second GPU; this machine has one"};
  const int to = options.peer_gpu.value_or((options.gpu + 1) % n);
  if (to >= n || to == options.gpu)
    return {
        {}, "", "--peer-gpu " + std::to_string(to) + ": write another than --gpu, from 0 to " + std::to_string(n - 1)};
  for (const PeerLink& link : machine.links)
    if (link.from == options.gpu && link.to == to && link.name.compare(0, 4, "none") != 0) return {to, link.name, ""};
  return {{}, "", "GPU " + std::to_string(options.gpu) + " has no peer access to GPU " + std::to_string(to)};
}

Bench::Bench(Session& s)
    : session(s),
      gpu(s.options.gpu),
      peer(find_peer(s.machine, s.options)),
      cores(cores_near(s.machine.gpus.at(static_cast<std::size_t>(gpu)).pcie.numa_node)),
      device_(gpu),
      core_(cores.front()),
      spans_(sm_count(gpu)) {
  GICSIM_CUDA(cudaDeviceSynchronize());
  const Clocks first = clocks(20'000'000);  // long enough for an idle GPU to come up to its clock
  step_ = first.step;
  ghz_ = first.ghz;
}

unsigned Bench::sms() const { return sm_count(gpu); }

unsigned Bench::samples(unsigned full, unsigned few) const {
  const auto repeats = static_cast<unsigned>(session.options.repeats);
  return std::clamp(((quick() ? few : full) + repeats - 1) / repeats, 1U, most_samples);
}

std::vector<unsigned> Bench::sm_counts() const {
  const unsigned all = sms();
  if (quick()) return {1, 16, all};
  std::vector<unsigned> counts;
  for (unsigned n = 1; n < all; n *= 2) counts.push_back(n);
  counts.push_back(all);
  return counts;
}

Bench::Clocks Bench::clocks(unsigned long long ns) const {
  DeviceArray<Reading> out(1);
  GICSIM_CUDA(cudaDeviceSynchronize());
  read_clocks<<<1, 1, 0, stream_>>>(ns, out.data());
  finish();
  Reading r{};
  GICSIM_CUDA(cudaMemcpy(&r, out.data(), sizeof r, cudaMemcpyDeviceToHost));
  if (r.ns < ns) fail(__FILE__, __LINE__, "globaltimer", "stands still; no clock to measure the SM's by");
  return {static_cast<double>(r.cycles) / static_cast<double>(r.ns), r.step};
}

void Bench::finish() const {
  GICSIM_CUDA(cudaGetLastError());
  stream_.synchronize();
}

void Bench::stamped(Figure figure, unsigned n, const std::function<void(Stamps*)>& start, double events) {
  const double ghz = ghz_ = clocks(2'000'000).ghz;
  figure.clock = "gpu clock64 at " + std::to_string(std::lround(ghz * 1000)) + " MHz";
  std::vector<Stamps> got(1);
  session.measure(figure, [&] {
    start(stamps_.data());
    finish();
    GICSIM_CUDA(cudaMemcpy(got.data(), stamps_.data(), sizeof(Stamps), cudaMemcpyDeviceToHost));
    if (got[0].expired != 0)
      fail(__FILE__, __LINE__, std::string(to_name(figure.pattern)), "gave up after 2 s of waiting for an answer");
    const double own = quantile(Samples(got[0].own, got[0].own + own_samples), 0.5);
    Samples ns;
    for (unsigned i = 0; i < n; ++i) ns.push_back((got[0].took[i] - own) / ghz / events);
    return ns;
  });
}

void Bench::spanned(Figure figure, double amount, unsigned blocks, const std::function<void(Span*)>& start) {
  figure.clock = "gpu globaltimer, step " + std::to_string(step_) + " ns";
  std::vector<Span> got(blocks);
  session.measure(figure, [&] {
    Samples rates;
    for (unsigned i = 0; i < samples(20, 5); ++i) {
      start(spans_.data());
      finish();
      GICSIM_CUDA(cudaMemcpy(got.data(), spans_.data(), blocks * sizeof(Span), cudaMemcpyDeviceToHost));
      unsigned long long begin = ~0ULL, end = 0;
      for (const Span& s : got) begin = std::min(begin, s.begin), end = std::max(end, s.end);
      if (end <= begin) fail(__FILE__, __LINE__, "globaltimer", "did not move while a kernel ran");
      rates.push_back(amount / static_cast<double>(end - begin));
    }
    return rates;
  });
}

}  // namespace gicsim::hw::gpu
