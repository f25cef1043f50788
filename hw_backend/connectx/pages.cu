// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/connectx/pages.cuh"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace gicsim::hw::connectx {
namespace {

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

PinnedPages::~PinnedPages() {
  while (!blocks_.empty()) give_back(blocks_.begin()->first);
}

void* PinnedPages::take(std::size_t bytes, std::size_t alignment) {
  const std::size_t page = page_bytes(), whole = (bytes + page - 1) / page * page;
  void* pages = nullptr;
  if (posix_memalign(&pages, std::max(alignment, page), whole) != 0) throw HardwareError("no memory for rings");
  std::unique_ptr<void, decltype(&std::free)> guard(pages, std::free);
  std::memset(pages, 0, whole);
  GICSIM_CUDA(cudaHostRegister(pages, whole, cudaHostRegisterPortable | cudaHostRegisterMapped));
  void* device = nullptr;
  if (const cudaError_t e = cudaHostGetDevicePointer(&device, pages, 0); e != cudaSuccess) {
    cudaHostUnregister(pages);
    GICSIM_CUDA(e);
  }
  blocks_[static_cast<std::uint8_t*>(pages)] = {whole, static_cast<std::uint8_t*>(device)};
  return guard.release();
}

void PinnedPages::give_back(void* pages) {
  const auto block = blocks_.find(static_cast<std::uint8_t*>(pages));
  if (block == blocks_.end()) return;
  blocks_.erase(block);
  cudaHostUnregister(pages);
  std::free(pages);
}

std::uint8_t* PinnedPages::translate(const volatile void* place) const {
  auto* at = static_cast<std::uint8_t*>(const_cast<void*>(place));
  auto block = blocks_.upper_bound(at);
  if (block == blocks_.begin() || at >= (--block)->first + block->second.bytes)
    throw HardwareError(
        "libmlx5 put a ring elsewhere than into the pages that it was given: this version has no hook for it");
  return block->second.device + (at - block->first);
}

UarPages::~UarPages() {
  for (const auto& [page, mapped] : pages_)
    if (mapped.ours) cudaHostUnregister(page);
}

std::uint64_t* UarPages::on_gpu(void* reg) {
  auto* at = static_cast<std::uint8_t*>(reg);
  std::uint8_t* page = at - reinterpret_cast<std::uintptr_t>(at) % page_bytes();
  auto known = pages_.find(page);
  if (known == pages_.end()) {
    constexpr unsigned how = cudaHostRegisterIoMemory | cudaHostRegisterMapped | cudaHostRegisterPortable;
    const cudaError_t e = cudaHostRegister(page, page_bytes(), how);
    if (e != cudaSuccess) cudaGetLastError();
    if (e != cudaSuccess && e != cudaErrorHostMemoryAlreadyRegistered)
      throw HardwareError("the GPU can't map the NIC's doorbell page (cudaHostRegister IoMemory: " +
                          std::string(cudaGetErrorString(e)) + ", " + std::to_string(static_cast<int>(e)) +
                          "): run as root, or load the driver with NVreg_RegistryDwords=\"PeerMappingOverride=1;\"; "
                          "with a CPU that rings (path cpu_doorbell) it isn't needed");
    void* device = nullptr;
    const cudaError_t mapped = cudaHostGetDevicePointer(&device, page, 0);
    if (mapped != cudaSuccess && e == cudaSuccess) cudaHostUnregister(page);
    GICSIM_CUDA(mapped);
    known = pages_.emplace(page, Page{static_cast<std::uint8_t*>(device), e == cudaSuccess}).first;
  }
  return reinterpret_cast<std::uint64_t*>(known->second.device + (at - page));
}

}  // namespace gicsim::hw::connectx
