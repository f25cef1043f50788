// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_backend/gpu/bench.h"
#include "hw_backend/gpu/device.h"

namespace gicsim::hw::gpu {

/// Follows `n` links of a chain from where the last run stopped, each a Word that holds the next one's offset,
/// and stamps each load.
template <class Word>
__global__ void chase(const char* base, unsigned n, Stamps* stamps) {
  __shared__ unsigned took[most_samples];
  Word8 at = stamps->last;
  for (unsigned i = 0; i < own_samples; ++i) {
    const long long t = clock_now();
    stamps->own[i] = static_cast<unsigned>(clock_after(at) - t);
  }
  for (unsigned i = 0; i < n; ++i) {
    const auto* p = reinterpret_cast<const Word*>(base + at);
    const long long t = clock_now();
    at = load(p);
    took[i] = static_cast<unsigned>(clock_after(at) - t);
  }
  for (unsigned i = 0; i < n; ++i) stamps->took[i] = took[i];
  stamps->last = at;
}

}  // namespace gicsim::hw::gpu
