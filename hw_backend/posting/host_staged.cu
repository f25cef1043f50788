// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "hw_backend/posting/experiments.h"
#include "hw_backend/posting/point.cuh"

namespace gicsim::hw::posting {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) { return std::chrono::duration<double, std::nano>(Clock::now() - start).count(); }

/// A CPU thread that stands for NICs and wire: copies from one host buffer to the other.
class Wire {
 public:
  Wire(char* to, const char* from, std::size_t bytes) : to_(to), from_(from), bytes_(bytes), thread_([this] { carry(); }) {}
  ~Wire() {
    stop_ = true;
    thread_.join();
  }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  /// Hands over, and comes back when the copy is there.
  void send() {
    asked_.store(++sent_, std::memory_order_release);
    const auto began = Clock::now();
    for (unsigned turn = 1; carried_.load(std::memory_order_acquire) != sent_; ++turn)
      if (turn % 65536 == 0 && Clock::now() - began > std::chrono::seconds(2))
        throw HardwareError("host_staged: waited in vain for the thread that stands for the wire, at message " + std::to_string(sent_));
  }

 private:
  void carry() {
    pin_to_last_core();
    for (std::uint32_t done = 0; !stop_.load(std::memory_order_relaxed);) {
      if (asked_.load(std::memory_order_acquire) == done) continue;
      std::memcpy(to_, from_, bytes_);
      carried_.store(++done, std::memory_order_release);
    }
  }

  char* to_;
  const char* from_;
  std::size_t bytes_;
  std::uint32_t sent_ = 0;
  alignas(64) std::atomic<std::uint32_t> asked_{0};
  alignas(64) std::atomic<std::uint32_t> carried_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

void measure(Session& session, std::size_t bytes, int from, int to, const std::string& target) {
  std::vector<Figure> figures;
  for (const Quantity q : {Quantity::put_completion, Quantity::one_way}) {
    Figure f;
    f.pattern = Pattern::put;
    f.path = Path::host_staged;
    f.where = {{"bytes", static_cast<std::int64_t>(bytes)}, {"staging", std::string("pinned")}, {"nic", std::string("none")}, {"target", target}};
    f.quantity = q;
    f.clock = "cpu steady_clock";
    figures.push_back(f);
  }
  const gpu::HostArray<char> down(bytes), up(bytes);
  const gpu::DeviceArray<char> source(bytes);
  const gpu::Stream from_stream;
  const gpu::OnDevice there(to);
  const gpu::DeviceArray<char> arrived(bytes);
  const gpu::Stream to_stream;
  Wire wire(up.data(), down.data(), bytes);
  const int most = session.options.quick ? 20 : 100;
  const int n = std::max(3, static_cast<int>(std::min<std::size_t>(most, (64UL << 20U) / bytes)));
  char mark = 0;
  session.measure(figures, [&] {
    std::vector<Samples> samples(2);
    for (int i = 0; i < n; ++i) {
      {
        const gpu::OnDevice here(from);
        GICSIM_CUDA(cudaMemset(source.data(), ++mark, bytes));
        GICSIM_CUDA(cudaDeviceSynchronize());
      }
      const auto start = Clock::now();
      GICSIM_CUDA(cudaMemcpyAsync(down.data(), source.data(), bytes, cudaMemcpyDeviceToHost, from_stream));
      from_stream.synchronize();
      wire.send();
      samples[0].push_back(ns_since(start));
      GICSIM_CUDA(cudaMemcpyAsync(arrived.data(), up.data(), bytes, cudaMemcpyHostToDevice, to_stream));
      to_stream.synchronize();
      samples[1].push_back(ns_since(start));
    }
    char last = 0;
    GICSIM_CUDA(cudaMemcpy(&last, arrived.data() + bytes - 1, 1, cudaMemcpyDeviceToHost));
    if (last != mark) throw HardwareError("host_staged: the last byte that arrived isn't the last that was sent");
    return samples;
  });
}

}  // namespace

void HostStaged::run(Session& session) {
  const gpu::OnDevice on(session.options.gpu);
  const Bench bench(session);
  std::vector<std::size_t> sizes = {8, 512, 4096, 64UL << 10U, 1UL << 20U, 16UL << 20U, 64UL << 20U};
  if (session.options.quick) sizes = {8, 64UL << 10U, 16UL << 20U};
  for (const std::size_t bytes : sizes) {
    measure(session, bytes, bench.gpu(), bench.gpu(), "gpu");
    if (bench.missing(Nic::peer_gpu).empty()) measure(session, bytes, bench.gpu(), bench.peer(), "peer_gpu");
  }
}

}  // namespace gicsim::hw::posting
