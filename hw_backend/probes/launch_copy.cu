// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// What a kernel launch, a copy engine and a stream's memory operations cost, as one CPU thread and one GPU see it.
// Needs the CUDA runtime (12.5 or later) and nothing else; built by hand, outside the CMake build:
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o launch_copy launch_copy.cu && ./launch_copy > launch_copy.out
//
// Prints YAML: one row a quantity, with minimum, median, 99th percentile and maximum over n samples.

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Word = volatile uint64_t;
using Clock = std::chrono::steady_clock;

void check(cudaError_t got, const char* what, int line) {
  if (got == cudaSuccess) return;
  std::fprintf(stderr, "launch_copy.cu:%d: %s: %s\n", line, what, cudaGetErrorString(got));
  std::exit(4);
}
#define CUDA(call) check((call), #call, __LINE__)

double now_us() {
  return std::chrono::duration<double, std::micro>(Clock::now().time_since_epoch()).count();
}

void pause_us(double us) {
  for (const double until = now_us() + us; now_us() < until;) {
  }
}

/// A program that waits for what never comes is ended with the name of what it waited for.
void until(Word& word, uint64_t value, const char* what) {
  for (uint64_t turn = 1; word != value; ++turn) {
    if (turn % (uint64_t{1} << 32) == 0) {
      std::fprintf(stderr, "launch_copy: gave up waiting for %s\n", what);
      std::exit(4);
    }
  }
}

template <class Sample>
void row(const char* what, size_t bytes, const char* unit, int n, Sample sample) {
  for (int i = 0; i < n / 10 + 2; ++i) sample();
  std::vector<double> got;
  for (int i = 0; i < n; ++i) got.push_back(sample());
  std::sort(got.begin(), got.end());
  std::printf("  - {what: %s, bytes: %zu, unit: %s, min: %.4f, p50: %.4f, p99: %.4f, max: %.4f, n: %d}\n", what, bytes,
              unit, got.front(), got[n / 2], got[static_cast<size_t>(0.99 * (n - 1))], got.back(), n);
  std::fflush(stdout);
}

__global__ void nothing() {}
__global__ void tell(Word* flag, uint64_t value) { *flag = value; }
/// Answers `turns` host-written values of `ask`, each by the same value in `answer`.
__global__ void echo(Word* ask, Word* answer, uint64_t turns) {
  for (uint64_t i = 1; i <= turns; ++i) {
    while (*ask != i) {
    }
    *answer = i;
  }
}

struct Machine {
  static constexpr size_t largest = size_t{256} << 20;
  cudaStream_t a, b, quiet;
  char *pinned, *pinned2, *pageable, *gpu, *gpu2;
  Word *flags, *gpu_flags;  // one allocation, as the CPU and as the GPU address it; a flag a 128 B line
  uint64_t turn = 0;        // no value is written twice

  Machine() {
    for (cudaStream_t* stream : {&a, &b, &quiet}) CUDA(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    CUDA(cudaMallocHost(&pinned, largest));
    CUDA(cudaMallocHost(&pinned2, largest));
    CUDA(cudaMalloc(&gpu, largest));
    CUDA(cudaMalloc(&gpu2, largest));
    pageable = static_cast<char*>(std::malloc(largest));
    std::memset(pageable, 1, largest);
    std::memset(pinned, 0, largest);
    std::memset(pinned2, 0, largest);
    CUDA(cudaMemset(gpu, 0, largest));
    CUDA(cudaMemset(gpu2, 0, largest));
    void* host = nullptr;
    void* device = nullptr;
    CUDA(cudaHostAlloc(&host, 4096, cudaHostAllocMapped));
    std::memset(host, 0, 4096);
    CUDA(cudaHostGetDevicePointer(&device, host, 0));
    flags = static_cast<Word*>(host);
    gpu_flags = static_cast<Word*>(device);
    CUDA(cudaDeviceSynchronize());
  }
  Word& flag(int i) const { return flags[16 * i]; }
  Word* gpu_flag(int i) const { return gpu_flags + 16 * i; }
};

void launches(Machine& m) {
  row("clock", 0, "us", 1000, [&] { const double t = now_us(); return now_us() - t; });
  row("launch_api", 0, "us", 1000, [&] {
    const double t = now_us();
    nothing<<<1, 1, 0, m.a>>>();
    const double called = now_us() - t;
    CUDA(cudaStreamSynchronize(m.a));
    return called;
  });
  row("launch_to_first_store_seen", 0, "us", 1000, [&] {
    const double t = now_us();
    tell<<<1, 1, 0, m.a>>>(m.gpu_flag(0), ++m.turn);
    until(m.flag(0), m.turn, "a kernel's first store");
    const double seen = now_us() - t;
    CUDA(cudaStreamSynchronize(m.a));
    return seen;
  });
  row("launch_to_sync", 0, "us", 1000, [&] {
    const double t = now_us();
    nothing<<<1, 1, 0, m.a>>>();
    CUDA(cudaStreamSynchronize(m.a));
    return now_us() - t;
  });
  row("first_store_seen_to_sync", 0, "us", 1000, [&] {
    tell<<<1, 1, 0, m.a>>>(m.gpu_flag(0), ++m.turn);
    until(m.flag(0), m.turn, "a kernel's first store");
    const double t = now_us();
    CUDA(cudaStreamSynchronize(m.a));
    return now_us() - t;
  });
  row("sync_of_idle_stream", 0, "us", 1000, [&] {
    const double t = now_us();
    CUDA(cudaStreamSynchronize(m.a));
    return now_us() - t;
  });
  row("launch_each_of_100", 0, "us", 200, [&] {
    const double t = now_us();
    for (int i = 0; i < 100; ++i) nothing<<<1, 1, 0, m.a>>>();
    CUDA(cudaStreamSynchronize(m.a));
    return (now_us() - t) / 100;
  });
  // The same words that the CPU and the GPU exchange in the rows above, without a launch: what those rows owe to the trip.
  constexpr uint64_t turns = 1102;  // the samples and the warm-up of the row below
  m.flag(1) = m.flag(2) = 0;
  echo<<<1, 1, 0, m.a>>>(m.gpu_flag(1), m.gpu_flag(2), turns);
  uint64_t asked = 0;
  row("host_flag_echo", 0, "us", 1000, [&] {
    const double t = now_us();
    m.flag(1) = ++asked;
    until(m.flag(2), asked, "the echo of a host-written flag");
    return now_us() - t;
  });
  CUDA(cudaStreamSynchronize(m.a));
}

/// One copy at a time: its call, until its last word is seen, until the stream is in step.
void copies(Machine& m) {
  for (size_t bytes : {size_t{8}, size_t{512}, size_t{4096}, size_t{16384}, size_t{65536}, size_t{262144}, size_t{1} << 20,
                       size_t{4} << 20, size_t{16} << 20, size_t{64} << 20, size_t{256} << 20}) {
    const int n = bytes > (size_t{1} << 20) ? 20 : 300;
    const auto call = [&](void* to, const void* from, cudaMemcpyKind kind, bool whole) {
      const double t = now_us();
      CUDA(cudaMemcpyAsync(to, from, bytes, kind, m.a));
      const double called = now_us() - t;
      CUDA(cudaStreamSynchronize(m.a));
      return whole ? now_us() - t : called;
    };
    const auto d2h = cudaMemcpyDeviceToHost;
    const auto h2d = cudaMemcpyHostToDevice;
    row("d2h_pinned_api", bytes, "us", n, [&] { return call(m.pinned, m.gpu, d2h, false); });
    row("h2d_pinned_api", bytes, "us", n, [&] { return call(m.gpu, m.pinned, h2d, false); });
    row("d2h_pinned_to_sync", bytes, "us", n, [&] { return call(m.pinned, m.gpu, d2h, true); });
    row("h2d_pinned_to_sync", bytes, "us", n, [&] { return call(m.gpu, m.pinned, h2d, true); });
    row("d2h_pageable_to_sync", bytes, "us", n, [&] { return call(m.pageable, m.gpu, d2h, true); });
    row("h2d_pageable_to_sync", bytes, "us", n, [&] { return call(m.gpu, m.pageable, h2d, true); });
    row("d2h_pinned_last_word_seen", bytes, "us", n, [&] {
      const size_t last = bytes / 8 - 1;
      tell<<<1, 1, 0, m.a>>>(reinterpret_cast<Word*>(m.gpu) + last, ++m.turn);
      CUDA(cudaStreamSynchronize(m.a));
      const double t = now_us();
      CUDA(cudaMemcpyAsync(m.pinned, m.gpu, bytes, d2h, m.a));
      until(reinterpret_cast<Word*>(m.pinned)[last], m.turn, "a copy's last word");
      const double seen = now_us() - t;
      CUDA(cudaStreamSynchronize(m.a));
      return seen;
    });
    row("cpu_memcpy_from_pinned", bytes, "us", n, [&] {
      const double t = now_us();
      std::memcpy(m.pageable, m.pinned2, bytes);
      return now_us() - t;
    });
  }
  // A resident kernel sees the last word and answers through a host flag: subtract half of host_flag_echo.
  constexpr uint64_t turns = 332;
  Word* word = reinterpret_cast<Word*>(m.gpu);
  CUDA(cudaMemset(m.gpu, 0, 8));
  CUDA(cudaDeviceSynchronize());
  m.flag(3) = 0;
  echo<<<1, 1, 0, m.b>>>(word, m.gpu_flag(3), turns);
  uint64_t asked = 0;
  row("h2d_pinned_seen_by_kernel_and_told", 8, "us", 300, [&] {
    *reinterpret_cast<Word*>(m.pinned) = ++asked;
    const double t = now_us();
    CUDA(cudaMemcpyAsync(m.gpu, m.pinned, 8, cudaMemcpyHostToDevice, m.a));
    until(m.flag(3), asked, "a kernel's answer to a copy");
    const double seen = now_us() - t;
    CUDA(cudaStreamSynchronize(m.a));
    return seen;
  });
  CUDA(cudaStreamSynchronize(m.b));
}

/// Many copies in a row: what one adds, and the rate; alone and with the other direction busy.
void rates(Machine& m) {
  cudaEvent_t from, to, from2, to2;
  for (cudaEvent_t* event : {&from, &to, &from2, &to2}) CUDA(cudaEventCreate(event));
  for (size_t bytes = 8; bytes <= Machine::largest; bytes *= bytes < 4096 ? 8 : 4) {
    const int copies = bytes > (size_t{16} << 20) ? 4 : bytes > (size_t{1} << 20) ? 16 : 64;
    const auto gbps = [&](float ms) { return static_cast<double>(bytes) * copies / (ms * 1e6); };
    const auto one_way = [&](bool down) {
      CUDA(cudaEventRecord(from, m.a));
      for (int i = 0; i < copies; ++i) {
        CUDA(down ? cudaMemcpyAsync(m.gpu, m.pinned, bytes, cudaMemcpyHostToDevice, m.a)
                  : cudaMemcpyAsync(m.pinned2, m.gpu2, bytes, cudaMemcpyDeviceToHost, m.a));
      }
      CUDA(cudaEventRecord(to, m.a));
      CUDA(cudaStreamSynchronize(m.a));
      float ms = 0;
      CUDA(cudaEventElapsedTime(&ms, from, to));
      return gbps(ms);
    };
    row("h2d_rate", bytes, "GB/s", 10, [&] { return one_way(true); });
    row("d2h_rate", bytes, "GB/s", 10, [&] { return one_way(false); });
    row("both_rate_sum", bytes, "GB/s", 10, [&] {  // over the longer of the two, so the sum can't flatter
      CUDA(cudaEventRecord(from, m.a));
      CUDA(cudaStreamWaitEvent(m.b, from, 0));
      for (int i = 0; i < copies; ++i) {
        CUDA(cudaMemcpyAsync(m.gpu, m.pinned, bytes, cudaMemcpyHostToDevice, m.a));
        CUDA(cudaMemcpyAsync(m.pinned2, m.gpu2, bytes, cudaMemcpyDeviceToHost, m.b));
      }
      CUDA(cudaEventRecord(to, m.a));
      CUDA(cudaEventRecord(to2, m.b));
      CUDA(cudaStreamSynchronize(m.a));
      CUDA(cudaStreamSynchronize(m.b));
      float down = 0, up = 0;
      CUDA(cudaEventElapsedTime(&down, from, to));
      CUDA(cudaEventElapsedTime(&up, from, to2));
      return 2 * gbps(std::max(down, up));
    });
  }
}

template <class Function>
Function driver(const char* name) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  CUDA(cudaGetDriverEntryPointByVersion(name, &entry, 12000, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess) {
    std::fprintf(stderr, "launch_copy: the driver has no %s\n", name);
    std::exit(4);
  }
  return reinterpret_cast<Function>(entry);
}

void stream_operations(Machine& m) {
  using Operation = CUresult (*)(CUstream, CUdeviceptr, cuuint64_t, unsigned);
  const auto write = driver<Operation>("cuStreamWriteValue64");
  const auto wait = driver<Operation>("cuStreamWaitValue64");
  const auto at = [&](int i) { return reinterpret_cast<CUdeviceptr>(const_cast<uint64_t*>(m.gpu_flag(i))); };
  const auto ok = [](CUresult got) {
    if (got == CUDA_SUCCESS) return;
    std::fprintf(stderr, "launch_copy: a stream memory operation was refused: %d\n", static_cast<int>(got));
    std::exit(4);
  };
  row("write_value_api", 8, "us", 1000, [&] {
    const double t = now_us();
    ok(write(m.a, at(4), ++m.turn, 0));
    const double called = now_us() - t;
    CUDA(cudaStreamSynchronize(m.a));
    return called;
  });
  row("write_value_seen", 8, "us", 1000, [&] {
    const double t = now_us();
    ok(write(m.a, at(4), ++m.turn, 0));
    until(m.flag(4), m.turn, "a stream's write");
    const double seen = now_us() - t;
    CUDA(cudaStreamSynchronize(m.a));
    return seen;
  });
  const auto waited = [&](auto queue, int answer) {  // all is queued before the host writes the flag that the stream waits for
    const uint64_t value = ++m.turn;
    ok(wait(m.a, at(5), value, CU_STREAM_WAIT_VALUE_EQ));
    queue(value);
    pause_us(30);
    const double t = now_us();
    m.flag(5) = value;
    until(m.flag(answer), value, "a stream's answer to a host-written flag");
    const double seen = now_us() - t;
    CUDA(cudaStreamSynchronize(m.a));
    return seen;
  };
  row("wait_value_then_write_seen", 8, "us", 1000,
      [&] { return waited([&](uint64_t value) { ok(write(m.a, at(4), value, 0)); }, 4); });
  row("wait_value_then_16_writes_seen", 8, "us", 1000, [&] {
    return waited([&](uint64_t value) {
      for (int i = 0; i < 15; ++i) ok(write(m.a, at(6), value, 0));
      ok(write(m.a, at(4), value, 0));
    }, 4);
  });
  row("wait_value_then_kernel_store_seen", 8, "us", 1000,
      [&] { return waited([&](uint64_t value) { tell<<<1, 1, 0, m.a>>>(m.gpu_flag(4), value); }, 4); });
  row("wait_value_then_d2h_seen", 8, "us", 1000, [&] {
    return waited([&](uint64_t value) {
      tell<<<1, 1, 0, m.quiet>>>(reinterpret_cast<Word*>(m.gpu2), value);
      CUDA(cudaStreamSynchronize(m.quiet));
      CUDA(cudaMemcpyAsync(const_cast<uint64_t*>(&m.flag(7)), m.gpu2, 8, cudaMemcpyDeviceToHost, m.a));
    }, 7);
  });
  row("kernel_store_seen_to_next_write_seen", 8, "us", 1000, [&] {
    const uint64_t value = ++m.turn;
    ok(wait(m.a, at(5), value, CU_STREAM_WAIT_VALUE_EQ));
    tell<<<1, 1, 0, m.a>>>(m.gpu_flag(8), value);
    ok(write(m.a, at(4), value, 0));
    pause_us(30);
    m.flag(5) = value;
    until(m.flag(8), value, "a kernel behind a wait");
    const double t = now_us();
    until(m.flag(4), value, "a write behind a kernel");
    const double seen = now_us() - t;
    CUDA(cudaStreamSynchronize(m.a));
    return seen;
  });
  row("write_value_to_gpu_memory_seen_by_kernel_and_told", 8, "us", 300, [&, asked = uint64_t{0}]() mutable {
    Word* word = reinterpret_cast<Word*>(m.gpu);
    if (asked++ == 0) {
      CUDA(cudaMemset(m.gpu, 0, 8));
      CUDA(cudaDeviceSynchronize());
      m.flag(9) = 0;
      echo<<<1, 1, 0, m.b>>>(word, m.gpu_flag(9), 332);
    }
    const double t = now_us();
    ok(write(m.a, reinterpret_cast<CUdeviceptr>(m.gpu), asked, 0));
    until(m.flag(9), asked, "a kernel's answer to a stream's write");
    return now_us() - t;
  });
  CUDA(cudaStreamSynchronize(m.b));
}

/// Pinning, which registering memory with a NIC pays as well.
void pinning() {
  for (size_t bytes : {size_t{4096}, size_t{1} << 20, size_t{16} << 20, size_t{256} << 20}) {
    void* memory = std::aligned_alloc(4096, bytes);
    std::memset(memory, 1, bytes);
    row("host_register", bytes, "us", 10, [&] {
      const double t = now_us();
      CUDA(cudaHostRegister(memory, bytes, cudaHostRegisterDefault));
      const double registered = now_us() - t;
      CUDA(cudaHostUnregister(memory));
      return registered;
    });
    std::free(memory);
  }
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line.empty() ? "unknown" : line;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

int main() {
  const double t = now_us();
  CUDA(cudaFree(nullptr));
  const double context = now_us() - t;
  cudaDeviceProp gpu{};
  int driver_version = 0;
  CUDA(cudaGetDeviceProperties(&gpu, 0));
  CUDA(cudaDriverGetVersion(&driver_version));
  char bus[32];
  std::snprintf(bus, sizeof bus, "%04x:%02x:%02x.0", gpu.pciDomainID, gpu.pciBusID, gpu.pciDeviceID);
  const std::string pci = std::string("/sys/bus/pci/devices/") + bus + "/";
  std::printf("gpu: '%s'\ncopy_engines: %d\ndriver: %d\nruntime: %d\ncpu: '%s'\n", gpu.name, gpu.asyncEngineCount,
              driver_version, CUDART_VERSION, processor().c_str());
  std::printf("pcie: {speed: '%s', width: '%s'}\ncontext_us: %.1f\nrows:\n",
              first_line(pci + "current_link_speed").c_str(), first_line(pci + "current_link_width").c_str(), context);
  Machine m;
  launches(m);
  copies(m);
  stream_operations(m);
  rates(m);
  pinning();
}
