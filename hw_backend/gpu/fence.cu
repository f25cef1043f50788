// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/gpu/bench.h"
#include "hw_backend/gpu/device.h"
#include "hw_backend/gpu/probes.h"

namespace gicsim::hw::gpu {
namespace {

enum class Semantics { acq_rel, sc, release };
enum class Scope { gpu, system };
constexpr const char* semantics_names[] = {"acq_rel", "sc", "release"};
constexpr const char* scope_names[] = {"gpu", "system"};

template <Semantics semantics, Scope scope>
__device__ void fence(unsigned* word, unsigned value) {
  constexpr bool gpu = scope == Scope::gpu;
  if constexpr (semantics == Semantics::acq_rel && gpu) asm volatile("fence.acq_rel.gpu;" ::: "memory");
  if constexpr (semantics == Semantics::acq_rel && !gpu) asm volatile("fence.acq_rel.sys;" ::: "memory");
  if constexpr (semantics == Semantics::sc && gpu) asm volatile("fence.sc.gpu;" ::: "memory");
  if constexpr (semantics == Semantics::sc && !gpu) asm volatile("fence.sc.sys;" ::: "memory");
  if constexpr (semantics == Semantics::release && gpu)
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
  if constexpr (semantics == Semantics::release && !gpu)
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

constexpr unsigned line_words = 16;    ///< a store a line of 128 B
constexpr unsigned region = 1U << 20;  ///< B; lines of all slices of the L2, which lie at different distances

/// Stores of 8 B to line after line, then the fence, which alone is timed. Stamps stay in shared memory, and are read
/// back there before the next turn: a fence must find nothing under way but the stores that the figure names.
template <Semantics semantics, Scope scope>
__global__ void fences(Word8* to, unsigned stores, unsigned idle, unsigned* word, unsigned n, Stamps* stamps) {
  __shared__ volatile unsigned took[most_samples];
  for (unsigned i = 0; i < own_samples; ++i) {
    const long long t = clock_now();
    took[i] = static_cast<unsigned>(clock_now() - t);
  }
  for (unsigned i = 0; i < own_samples; ++i) stamps->own[i] = took[i];
  fence_system();
  unsigned line = 0;
  for (unsigned i = 0; i < n; ++i) {
    for (const long long until = clock_now() + idle; clock_now() < until;) {
    }
#pragma unroll 1
    for (unsigned k = 0; k < stores; ++k) store(to + line++ % (region / 128) * line_words, i);
    const long long t = clock_now();
    fence<semantics, scope>(word, i);
    took[i] = static_cast<unsigned>(clock_now() - t);
    if (took[i] == 0xffffffffU) return;
  }
  for (unsigned i = 0; i < n; ++i) stamps->took[i] = took[i];
}

__global__ void write_all(Word8* to) {
  for (unsigned i = threadIdx.x; i < region / 128; i += blockDim.x) store(to + i * line_words, 1);
}

using Kernel = void (*)(Word8*, unsigned, unsigned, unsigned*, unsigned, Stamps*);
constexpr Kernel kernels[3][2] = {{fences<Semantics::acq_rel, Scope::gpu>, fences<Semantics::acq_rel, Scope::system>},
                                  {fences<Semantics::sc, Scope::gpu>, fences<Semantics::sc, Scope::system>},
                                  {fences<Semantics::release, Scope::gpu>, fences<Semantics::release, Scope::system>}};

/// The lines of one state of the machine: which memory, and how it is mapped.
class Lines {
 public:
  Lines(Bench& bench, const DeviceArray<unsigned>& word, const char* memory, const char* mapping, Word8* to = nullptr)
      : bench_(bench), word_(word), memory_(memory), mapping_(mapping), to_(to) {}

  /// Nothing outstanding: whether a mapping alone costs anything.
  void bare() {
    for (int s = 0; s < 3; ++s)
      for (const bool idle : {false, true}) both_scopes(s, 0, idle);
  }
  /// What each store outstanding adds.
  void drains() {
    for (int s = 0; s < (bench_.quick() ? 1 : 3); ++s)
      for (const unsigned stores : {1U, 2U, 4U, 8U, 16U, 32U})
        if (!bench_.quick() || stores == 1 || stores == 4 || stores == 16) both_scopes(s, stores, false);
    for (const unsigned stores : {1U, 4U, 16U})
      if (!bench_.quick() || stores == 4) both_scopes(0, stores, true);
  }

 private:
  void both_scopes(int semantics, unsigned stores, bool idle) {
    const unsigned n = bench_.samples(2000, 200);
    const unsigned cycles = idle ? static_cast<unsigned>(idle_us * bench_.ghz() * 1000) : 0;
    for (const int scope : {0, 1}) {
      const Figure figure{Pattern::fence,
                          Path::none,
                          {{"semantics", plain(semantics_names[semantics])},
                           {"fence_scope", plain(scope_names[scope])},
                           {"stores", plain(stores)},
                           {"memory", plain(memory_)},
                           {"mapping", plain(mapping_)},
                           {"before", plain(idle ? "idle" : "hot")}},
                          Quantity::latency,
                          ""};
      bench_.stamped(figure, n, [&](Stamps* stamps) {
        kernels[semantics][scope]<<<1, 1, 0, bench_.stream()>>>(to_, stores, cycles, word_.data(), n, stamps);
      });
    }
  }

  static constexpr double idle_us = 10;
  Bench& bench_;
  const DeviceArray<unsigned>& word_;
  const char *memory_, *mapping_;
  Word8* to_;
};

/// Memory that is mapped, then written, then the stores to it.
void with(Bench& bench, const DeviceArray<unsigned>& word, Place place, const Memory& memory) {
  auto* to = reinterpret_cast<Word8*>(memory.data());
  if (place != Place::hbm) Lines(bench, word, name_of(place), "mapped").bare();
  write_all<<<1, 256, 0, bench.stream()>>>(to);
  GICSIM_CUDA(cudaGetLastError());
  GICSIM_CUDA(cudaStreamSynchronize(bench.stream()));
  Lines lines(bench, word, name_of(place), "written", to);
  if (place != Place::hbm) lines.bare();
  lines.drains();
}

}  // namespace

void Fence::run(Session& session) {
  Bench bench(session);
  const DeviceArray<unsigned> word(1);
  Lines(bench, word, "host", "unmapped").bare();  // first of all: later there is memory of ours
  if (bench.peer.gpu) Lines(bench, word, "peer", "unmapped").bare();
  with(bench, word, Place::hbm, Memory(Place::hbm, region));
  with(bench, word, Place::host, Memory(Place::host, region));
  if (!bench.peer.gpu)
    return session.skip({Pattern::fence, Path::none, {{"memory", plain("peer")}}}, bench.peer.reason);
  const PeerAccess access(bench.gpu, *bench.peer.gpu);
  with(bench, word, Place::peer, Memory(Place::peer, region, bench.peer.gpu));
}

}  // namespace gicsim::hw::gpu
