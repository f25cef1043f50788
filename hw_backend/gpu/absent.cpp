// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/error.h"
#include "hw_backend/core/machine.h"
#include "hw_backend/gpu/memory.h"

namespace gicsim::hw {

void find_gpus(Machine& machine) { machine.no_gpu = "this program was built without CUDA (no nvcc was found)"; }

std::unique_ptr<Memory> gpu_memory(int, std::size_t) {
  throw HardwareError("--memory gpu: this program was built without CUDA (no nvcc was found)");
}

}  // namespace gicsim::hw
