// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// What one GPU thread and one CPU thread feel of a kernel on the same GPU: a GEMM, a stream through the L2 or HBM, busy
// arithmetic. Needs the CUDA runtime and cuBLAS and nothing else; built by hand, outside the CMake build:
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o beside beside.cu -lcublas && ./beside > beside.out
//
// Prints YAML, medians: of the thread in SM cycles, of calls in microseconds, of copies in GB/s.

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

using Word = volatile uint64_t;

void check(int got, const char* what, int line) {
  if (got == 0) return;
  std::fprintf(stderr, "beside.cu:%d: %s: %d\n", line, what, got);
  std::exit(4);
}
#define DO(call) check(static_cast<int>(call), #call, __LINE__)

double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
void pause_us(double us) {
  for (const double until = now_us() + us; now_us() < until;) {
  }
}
double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all.empty() ? 0 : all[all.size() / 2];
}

__device__ long nanoseconds() {
  long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

constexpr int kinds = 8, samples = 500, skipped = 50;
const char* const kind_names[kinds] = {"dependent_512",       "load_l2",      "fence_gpu",            "fence_gpu_1_store",
                                       "fence_gpu_16_stores", "fence_system", "fence_system_1_store", "load_host"};

/// There before the load comes; once `host[0]` is set it does each kind `samples` times, in turn.
__global__ void thread(Word* host, Word* own, int* cycles) {
  host[1] = 1;
  while (host[0] == 0) {
  }
  const long begun = nanoseconds(), first = clock64();
  long x = own[0];
  for (int i = 0; i < samples; ++i)
    for (int kind = 0; kind < kinds; ++kind) {
      const int stores = kind == 3 || kind == 6 ? 1 : kind == 4 ? 16 : 0;
      for (int s = 0; s < stores; ++s) own[1024 + 16 * s] = i;
      const long before = clock64();
      if (kind == 0)
#pragma unroll 128
        for (int j = 0; j < 512; ++j) x = x * 3 + j;
      if (kind == 1) x += own[x & 1];
      if (kind > 1 && kind < 5) asm volatile("fence.acq_rel.gpu;" ::: "memory");
      if (kind == 5 || kind == 6) asm volatile("fence.acq_rel.sys;" ::: "memory");
      if (kind == 7) x += host[32];
      cycles[kind * samples + i] = clock64() + (x == 77) - before;
    }
  host[2] = (clock64() - first) * 1000 / (nanoseconds() - begun);  // MHz
  host[1] = 2 + (x == 77);
}

__global__ void tell(Word* flag, uint64_t value) { *flag = value; }
__global__ void stream(const float4* memory, long n, int rounds, float* out) {
  float sum = 0;
  while (rounds-- > 0)
    for (long i = threadIdx.x + long{blockDim.x} * blockIdx.x; i < n; i += long{blockDim.x} * gridDim.x) {
      const float4 v = __ldcg(memory + i);
      sum += v.x + v.w;
    }
  if (sum == 77) *out = sum;
}
__global__ void arithmetic(int rounds, float* out) {
  float x[8], sum = 0;
  for (int j = 0; j < 8; ++j) x[j] = threadIdx.x + j;
  while (rounds-- > 0)
#pragma unroll
    for (int j = 0; j < 64; ++j) x[j & 7] = x[j & 7] * 1.1f + .5f;
  for (int j = 0; j < 8; ++j) sum += x[j];
  if (sum == 77) *out = sum;
}
/// Operands like real ones draw the power of real ones, and so leave their clock.
__global__ void fill(__nv_bfloat16* m, long n) {
  for (long i = threadIdx.x + 256l * blockIdx.x; i < n; i += 256l * gridDim.x)
    m[i] = __float2bfloat16(((i * 2654435761u ^ i >> 7) % 2001) / 1e3f - 1);
}

struct Machine {
  cudaStream_t calls, load, apart;
  Word *host, *own;
  int* cycles;
  char *device, *pinned;
  static constexpr size_t copied = size_t{64} << 20;

  Machine() {
    for (cudaStream_t* s : {&calls, &load, &apart}) DO(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
    DO(cudaMallocHost((void**)&host, 4096));
    DO(cudaMalloc((void**)&own, 1 << 20));
    DO(cudaMallocHost((void**)&cycles, kinds * samples * sizeof(int)));
    DO(cudaMalloc((void**)&device, copied));
    DO(cudaMallocHost((void**)&pinned, copied));
    DO(cudaMemset(device, 0, copied));
  }

  /// `begin` puts the load into its stream, long enough for what is measured.
  void measure(const char* name, const std::function<void()>& begin) {
    host[0] = host[1] = 0;
    thread<<<1, 1, 0, apart>>>(host, own, cycles);
    while (host[1] != 1) {
    }
    begin();
    pause_us(1e5);
    host[0] = 1;
    while (host[1] < 2) {
    }
    bool lasted = cudaStreamQuery(load) == cudaErrorNotReady;
    DO(cudaDeviceSynchronize());
    std::printf("%s:\n  sm_clock_MHz: %d\n", name, static_cast<int>(host[2]));
    for (int kind = 0; kind < kinds; ++kind)
      std::printf("  %s: %.0f\n", kind_names[kind],
                  median({cycles + kind * samples + skipped, cycles + (kind + 1) * samples}));
    begin();
    pause_us(1e5);
    std::vector<double> call, visible, synced, copy_visible, copy_synced, down, up;
    Word& flag = host[48];
    Word& last = *reinterpret_cast<Word*>(pinned);
    uint64_t value = flag;
    for (const double until = now_us() + 8e4; now_us() < until;) {
      double begun = now_us();
      tell<<<1, 1, 0, calls>>>(host + 48, ++value);
      call.push_back(now_us() - begun);
      while (flag != value) {
      }
      visible.push_back(now_us() - begun);
      DO(cudaStreamSynchronize(calls));
      synced.push_back(now_us() - begun);
      last = 1;
      begun = now_us();
      DO(cudaMemcpyAsync(pinned, device, 8, cudaMemcpyDeviceToHost, calls));
      while (last == 1) {
      }
      copy_visible.push_back(now_us() - begun);
      DO(cudaStreamSynchronize(calls));
      copy_synced.push_back(now_us() - begun);
    }
    for (int i = 0; i < 9; ++i)
      for (const bool to_host : {true, false}) {
        const double begun = now_us();
        DO(cudaMemcpyAsync(to_host ? pinned : device, to_host ? device : pinned, copied, cudaMemcpyDefault, calls));
        DO(cudaStreamSynchronize(calls));
        (to_host ? down : up).push_back(copied / (now_us() - begun) * 1e-3);
      }
    lasted = lasted && cudaStreamQuery(load) == cudaErrorNotReady;
    DO(cudaDeviceSynchronize());
    std::printf("  launch_call_us: %.2f\n  launch_visible_us: %.2f\n  launch_synced_us: %.2f\n", median(call),
                median(visible), median(synced));
    std::printf("  copy_visible_us: %.2f\n  copy_synced_us: %.2f\n  d2h_64MiB_GBps: %.2f\n  h2d_64MiB_GBps: %.2f\n",
                median(copy_visible), median(copy_synced), median(down), median(up));
    std::printf("  load_lasted: %s\n", lasted ? "true" : "false");
    std::fflush(stdout);
    pause_us(1e6);
  }
};

}  // namespace

int main() {
  Machine m;
  float4* memory;
  float* out;
  DO(cudaMalloc((void**)&memory, size_t{1} << 32));
  DO(cudaMalloc((void**)&out, 64));
  m.measure("none", [] {});
  m.measure("stream_l2", [&] { stream<<<131, 1024, 0, m.load>>>(memory, 1l << 20, 80'000, out); });
  m.measure("stream_hbm", [&] { stream<<<131, 1024, 0, m.load>>>(memory, 1l << 27, 700, out); });
  for (const int blocks : {16, 32})
    m.measure(blocks == 16 ? "stream_hbm_16_blocks" : "stream_hbm_32_blocks",
              [&] { stream<<<blocks, 1024, 0, m.load>>>(memory, 1l << 27, 8 * blocks, out); });
  m.measure("fma_8", [&] { arithmetic<<<132, 256, 0, m.load>>>(9'000'000, out); });

  constexpr int n = 8192;
  __nv_bfloat16* operand[3];
  for (auto& one : operand) {
    DO(cudaMalloc((void**)&one, size_t{n} * n * sizeof(__nv_bfloat16)));
    fill<<<1024, 256>>>(one, long{n} * n);
  }
  cublasHandle_t blas;
  DO(cublasCreate(&blas));
  DO(cublasSetStream(blas, m.load));
  const auto products = [&](int count) {
    const float one = 1, zero = 0;
    while (count-- > 0)
      DO(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, operand[0], CUDA_R_16BF, n, operand[1], CUDA_R_16BF,
                      n, &zero, operand[2], CUDA_R_16BF, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  };
  products(1);
  DO(cudaDeviceSynchronize());
  const double begun = now_us();
  products(500);
  DO(cudaDeviceSynchronize());
  std::printf("gemm_us: %.1f\n", (now_us() - begun) / 500);
  m.measure("gemm", [&] { products(400); });
}
