// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/error.h"
#include "hw_backend/core/machine.h"
#include "hw_backend/doctor/live.h"
#include "hw_backend/gpu/memory.h"

namespace gicsim::hw {

static const char* const absent = "this program was built without CUDA (no nvcc was found)";

void find_gpus(Machine& machine) { machine.no_gpu = absent; }

namespace checkup {

Trial map_io_page(const std::string&, void*) { return {false, untried, absent}; }
Trial with_gpu_memory(const std::string&, const std::function<void(const GpuMemory&)>&) {
  return {false, untried, absent};
}
Trial with_load(const std::string&, const std::function<void()>&) { return {false, untried, absent}; }
void ask_cuda(Evidence& e) {
  for (Gpu& gpu : e.gpus) gpu.dma_buf = Known<bool>::unknown(absent);
}

}  // namespace checkup
std::unique_ptr<Memory> gpu_memory(int, std::size_t) {
  throw HardwareError("--memory gpu: this program was built without CUDA (no nvcc was found)");
}

}  // namespace gicsim::hw
