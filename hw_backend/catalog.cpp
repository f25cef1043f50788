// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// The one table of experiments. Which parts are in is CMake's to say.
#include "hw_backend/core/catalog.h"

#include "hw_backend/posting/experiments.h"

namespace gicsim::hw {

std::vector<Entry> catalog() {
  constexpr bool cuda = GICSIM_HW_CUDA != 0;
  constexpr std::string_view no_cuda = "this program was built without CUDA (no nvcc was found)";
  return {
      entry<posting::Put, cuda>("posting", no_cuda),
      entry<posting::PingPong, cuda>("posting", no_cuda),
      entry<posting::MessageRate, cuda>("posting", no_cuda),
      entry<posting::Doorbells, cuda>("posting", no_cuda),
      entry<posting::HostStaged, cuda>("posting", no_cuda),
  };
}

}  // namespace gicsim::hw
