// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// The one table of experiments. Which parts are in is CMake's to say.
#include "hw_backend/core/catalog.h"
#include "hw_backend/gpu/probes.h"

namespace gicsim::hw {

std::vector<Entry> catalog() {
  std::vector<Entry> all;
  const auto add = [&](Entry e) { all.push_back(std::move(e)); };
  constexpr std::string_view no_cuda = "this program was built without CUDA (no nvcc was found)";
  add(entry<gpu::HostLoad, GICSIM_HW_CUDA>("gpu", no_cuda));
  add(entry<gpu::HostStore, GICSIM_HW_CUDA>("gpu", no_cuda));
  add(entry<gpu::Fence, GICSIM_HW_CUDA>("gpu", no_cuda));
  add(entry<gpu::HostAtomic, GICSIM_HW_CUDA>("gpu", no_cuda));
  add(entry<gpu::Launch, GICSIM_HW_CUDA>("gpu", no_cuda));
  add(entry<gpu::CopyEngine, GICSIM_HW_CUDA>("gpu", no_cuda));
  add(entry<gpu::DoorbellEcho, GICSIM_HW_CUDA>("gpu", no_cuda));
  add(entry<gpu::DoorbellEchoStream, GICSIM_HW_CUDA>("gpu", no_cuda));
  add(entry<gpu::DoorbellEchoPeer, GICSIM_HW_CUDA>("gpu", no_cuda));
  return all;
}

}  // namespace gicsim::hw
