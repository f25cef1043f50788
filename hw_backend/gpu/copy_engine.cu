// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw_backend/gpu/bench.h"
#include "hw_backend/gpu/host_clock.h"
#include "hw_backend/gpu/probes.h"

namespace gicsim::hw::gpu {
namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;

/// A moment on a stream, by the GPU's clock.
class Event {
 public:
  Event() { GICSIM_CUDA(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }
  double ns_since(const Event& before) const {
    float ms = 0;
    GICSIM_CUDA(cudaEventElapsedTime(&ms, before, event_));
    return 1e6 * static_cast<double>(ms);
  }

 private:
  cudaEvent_t event_ = nullptr;
};

struct Buffers {
  char *down, *up;  ///< on the host: copied to the GPU, and from it
};

class Copies {
 public:
  Copies(const Bench& bench, std::size_t largest, const char* staging, Buffers host)
      : bench_(bench), staging_(staging), host_(host), to_(largest), from_(largest) {
    GICSIM_CUDA(cudaDeviceSynchronize());
  }

  void run(std::size_t bytes) {
    const bool pageable = std::string(staging_) == "pageable";
    for (const char* direction : {"d2h", "h2d", "both"}) {
      single(direction, bytes);
      if (bytes > 16 * MiB) continue;
      if (pageable && direction == std::string("both"))
        bench_.session.skip(figure(Quantity::bandwidth, direction, bytes, batch, ""),
                            "a copy of pageable memory holds the calling thread: one can't keep both ways busy");
      else
        in_a_row(direction, bytes);
    }
  }

 private:
  Figure figure(Quantity quantity, const char* direction, std::size_t bytes, unsigned batch, const char* clock) const {
    return {Pattern::copy_engine,
            Path::none,
            {{"bytes", plain(static_cast<std::int64_t>(bytes))},
             {"direction", plain(direction)},
             {"staging", plain(staging_)},
             {"batch", plain(batch)}},
            quantity,
            clock};
  }
  /// Of a repeat: a large copy varies little and takes long.
  unsigned samples(std::size_t bytes) const {
    return bytes <= MiB ? bench_.samples(300, 50) : bench_.samples(bytes <= 64 * MiB ? 20 : 10, 5);
  }
  void down(std::size_t bytes) {
    GICSIM_CUDA(cudaMemcpyAsync(to_.data(), host_.down, bytes, cudaMemcpyHostToDevice, bench_.stream()));
  }
  void up(std::size_t bytes, cudaStream_t stream) {
    GICSIM_CUDA(cudaMemcpyAsync(host_.up, from_.data(), bytes, cudaMemcpyDeviceToHost, stream));
  }

  void single(const std::string& direction, std::size_t bytes) {
    if (direction == "both") return;  // one copy each way at once would measure which call came first
    const std::vector<Figure> figures = {figure(Quantity::issue, direction.c_str(), bytes, 1, host_clock),
                                         figure(Quantity::synced, direction.c_str(), bytes, 1, host_clock),
                                         figure(Quantity::bandwidth, direction.c_str(), bytes, 1, host_clock)};
    bench_.session.measure(figures, [&] {
      std::vector<Samples> got(3);
      for (unsigned i = 0; i < samples(bytes); ++i) {
        const double t = host_ns();
        if (direction == "h2d")
          down(bytes);
        else
          up(bytes, bench_.stream());
        const double called = host_ns() - t;
        GICSIM_CUDA(cudaStreamSynchronize(bench_.stream()));
        const double synced = host_ns() - t;
        got[0].push_back(called), got[1].push_back(synced), got[2].push_back(static_cast<double>(bytes) / synced);
      }
      return got;
    });
  }

  /// By the GPU's events around them: what the CPU's calls add at the ends isn't in it. Both ways: the sum over the
  /// longer of the two, so that it can't flatter.
  void in_a_row(const std::string& direction, std::size_t bytes) {
    const bool both = direction == "both";
    const Figure streamed = figure(Quantity::bandwidth, direction.c_str(), bytes, batch, "gpu events");
    bench_.session.measure(streamed, [&] {
      Samples got;
      for (unsigned i = 0; i < bench_.samples(20, 5); ++i) {
        GICSIM_CUDA(cudaEventRecord(begin_, bench_.stream()));
        GICSIM_CUDA(cudaStreamWaitEvent(other_, begin_, 0));
        for (unsigned k = 0; k < batch; ++k) {
          if (direction != "d2h") down(bytes);
          if (direction != "h2d") up(bytes, both ? static_cast<cudaStream_t>(other_) : bench_.stream());
        }
        GICSIM_CUDA(cudaEventRecord(end_, bench_.stream()));
        GICSIM_CUDA(cudaEventRecord(other_end_, other_));
        GICSIM_CUDA(cudaStreamSynchronize(bench_.stream()));
        other_.synchronize();
        const double ns = both ? std::max(end_.ns_since(begin_), other_end_.ns_since(begin_)) : end_.ns_since(begin_);
        got.push_back((both ? 2.0 : 1.0) * batch * static_cast<double>(bytes) / ns);
      }
      return got;
    });
  }

  static constexpr unsigned batch = 16;
  const Bench& bench_;
  const char* staging_;
  Buffers host_;
  DeviceArray<char> to_, from_;
  Stream other_;
  Event begin_, end_, other_end_;
};

}  // namespace

void CopyEngine::run(Session& session) {
  const Bench bench(session);
  const std::size_t largest = (bench.quick() ? 16 : 256) * MiB;
  std::vector<std::size_t> sizes = {8, 64, 512};
  if (bench.quick()) sizes = {8};
  for (std::size_t bytes = 4096; bytes <= largest; bytes *= bench.quick() ? 16 : 4) sizes.push_back(bytes);
  {
    const HostArray<char> down(largest), up(largest);
    Copies copies(bench, largest, "pinned", {down.data(), up.data()});
    for (const std::size_t bytes : sizes) copies.run(bytes);
  }
  std::vector<char> down(largest, 1), up(largest, 1);
  Copies copies(bench, largest, "pageable", {down.data(), up.data()});
  for (const std::size_t bytes : sizes) copies.run(bytes);
}

}  // namespace gicsim::hw::gpu
