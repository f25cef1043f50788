// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// What goes one way between a GPU and its host while the other way is idle or busy: by copy engines, by SMs.
// Needs the CUDA runtime and nothing else; built by hand, outside the CMake build:
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o both_ways both_ways.cu && ./both_ways > both_ways.out
//
// Prints YAML: a row a pair, with the rate of `what` while `beside` is busy all the time.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(cudaError_t got, const char* what, int line) {
  if (got == cudaSuccess) return;
  std::fprintf(stderr, "both_ways.cu:%d: %s: %s\n", line, what, cudaGetErrorString(got));
  std::exit(4);
}
#define CUDA(call) check((call), #call, __LINE__)

constexpr size_t length = size_t{256} << 20, line = 128;
constexpr int ahead = 8;  // loads of a lane under way

/// Each warp takes whole lines, of which it touches the first `words` words of 4 B.
__global__ void store(unsigned* to, int words) {
  const size_t warp = (blockIdx.x * size_t{blockDim.x} + threadIdx.x) / 32, warps = size_t{gridDim.x} * blockDim.x / 32;
  const int lane = threadIdx.x % 32;
  if (lane >= words) return;
  for (size_t i = warp; i < length / line; i += warps) to[i * 32 + lane] = static_cast<unsigned>(i);
}
__global__ void load(const unsigned* from, int words, unsigned* out) {
  const size_t warp = (blockIdx.x * size_t{blockDim.x} + threadIdx.x) / 32, warps = size_t{gridDim.x} * blockDim.x / 32;
  const int lane = threadIdx.x % 32;
  if (lane >= words) return;
  unsigned sum = 0;
  for (size_t i = warp; i < length / line; i += ahead * warps) {
#pragma unroll
    for (int k = 0; k < ahead; ++k)
      if (i + k * warps < length / line) sum += __ldcv(from + (i + k * warps) * 32 + lane);
  }
  if (sum == 1) *out = sum;
}

struct Side {
  const char* name;
  enum Kind { none, h2d, d2h, loads, stores } kind = none;
  int bytes = 0;  // of each line, by SMs
  size_t moved() const { return kind == loads || kind == stores ? length / line * bytes : length; }
};

struct Machine {
  cudaStream_t stream[2];
  cudaEvent_t begun, from, to, end;
  char *host[2], *gpu[2];  // each side has buffers of its own

  Machine() {
    for (int i : {0, 1}) {
      CUDA(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
      CUDA(cudaMallocHost(&host[i], length));
      CUDA(cudaMalloc(&gpu[i], length));
    }
    for (cudaEvent_t* event : {&begun, &from, &to, &end}) CUDA(cudaEventCreate(event));
  }
  void go(const Side& side, int i) {
    auto* words = reinterpret_cast<unsigned*>(host[i]);
    switch (side.kind) {
      case Side::none: break;
      case Side::h2d: CUDA(cudaMemcpyAsync(gpu[i], host[i], length, cudaMemcpyHostToDevice, stream[i])); break;
      case Side::d2h: CUDA(cudaMemcpyAsync(host[i], gpu[i], length, cudaMemcpyDeviceToHost, stream[i])); break;
      case Side::stores: store<<<264, 256, 0, stream[i]>>>(words, side.bytes / 4); break;
      case Side::loads:
        load<<<264, 256, 0, stream[i]>>>(words, side.bytes / 4, reinterpret_cast<unsigned*>(gpu[i]));
        break;
    }
  }
  /// GB/s of one round of `what` amid many of `beside`; 0: these ended before it.
  double rate(const Side& what, const Side& beside) {
    go(beside, 1);
    CUDA(cudaEventRecord(begun, stream[1]));
    CUDA(cudaStreamWaitEvent(stream[0], begun, 0));
    for (int i = 0; i < 30; ++i) go(beside, 1);
    CUDA(cudaEventRecord(end, stream[1]));
    CUDA(cudaEventRecord(from, stream[0]));
    go(what, 0);
    CUDA(cudaEventRecord(to, stream[0]));
    CUDA(cudaDeviceSynchronize());
    float ms = 0, left = 0;
    CUDA(cudaEventElapsedTime(&ms, from, to));
    CUDA(cudaEventElapsedTime(&left, to, end));
    return beside.kind != Side::none && left < 0 ? 0 : static_cast<double>(what.moved()) / (ms * 1e6);
  }
};

}  // namespace

int main() {
  const Side none{"none"}, h2d{"copy_h2d", Side::h2d}, d2h{"copy_d2h", Side::d2h};
  const Side store32{"store_32B", Side::stores, 32}, store64{"store_64B", Side::stores, 64},
      store128{"store_128B", Side::stores, 128}, load64{"load_64B", Side::loads, 64},
      load128{"load_128B", Side::loads, 128};
  Machine machine;
  std::printf("rows:\n");
  for (const auto& [what, beside] : std::vector<std::pair<Side, Side>>{
           {h2d, none},      {d2h, none},      {h2d, d2h},       {d2h, h2d},      {store32, none},
           {store64, none},  {store128, none}, {load64, none},   {load128, none}, {h2d, store128},
           {store128, h2d},  {d2h, load128},   {load128, d2h},   {store128, load128}, {load128, store128}}) {
    std::vector<double> got;
    for (int i = 0; i < 60 && got.size() < 20; ++i) {
      const double rate = machine.rate(what, beside);
      if (i >= 2 && rate > 0) got.push_back(rate);
    }
    if (got.size() < 20) {
      std::fprintf(stderr, "both_ways: %s ends before %s\n", beside.name, what.name);
      return 4;
    }
    std::sort(got.begin(), got.end());
    std::printf("  - {what: %s, beside: %s, unit: GB/s, min: %.3f, p50: %.3f, max: %.3f, n: %zu}\n", what.name,
                beside.name, got.front(), got[got.size() / 2], got.back(), got.size());
    std::fflush(stdout);
  }
  return 0;
}
