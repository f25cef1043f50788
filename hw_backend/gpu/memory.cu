// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/gpu/memory.h"

#include <cuda.h>

#include "hw_backend/gpu/cuda.h"

namespace gicsim::hw {
namespace {

// Whole pages of the GPU's: what a dma-buf or a peer-memory registration can cover from its first byte on.
constexpr std::size_t page = std::size_t{2} << 20U;

/// A driver call by name: this program starts on a machine without libcuda.
template <class Call>
Call* driver_call(const char* name, unsigned version) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  if (cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result) != cudaSuccess ||
      result != cudaDriverEntryPointSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return reinterpret_cast<Call*>(found);
}

class GpuMemory final : public Memory {
 public:
  GpuMemory(int gpu, std::size_t bytes) : gpu_(gpu), memory_(allocate(gpu, (bytes + page - 1) / page * page)) {
    data_ = memory_.data();
    size_ = memory_.size();
    // Copies into it are over when they return: a NIC must not overtake them.
    if (auto* set =
            driver_call<CUresult(const void*, CUpointer_attribute, CUdeviceptr)>("cuPointerSetAttribute", 6000)) {
      const unsigned on = 1;
      set(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, reinterpret_cast<CUdeviceptr>(data_));
    }
  }
  bool gpu() const override { return true; }
  void write(std::size_t at, const void* from, std::size_t n) override {
    const gpu::OnDevice on(gpu_);
    GICSIM_CUDA(cudaMemcpy(data_ + at, from, n, cudaMemcpyHostToDevice));
  }
  void read(std::size_t at, void* to, std::size_t n) const override {
    const gpu::OnDevice on(gpu_);
    GICSIM_CUDA(cudaMemcpy(to, data_ + at, n, cudaMemcpyDeviceToHost));
  }
  int dma_buf(std::string& why) const override {
    const gpu::OnDevice on(gpu_);
    auto* attribute = driver_call<CUresult(int*, CUdevice_attribute, CUdevice)>("cuDeviceGetAttribute", 2000);
    auto* handle = driver_call<CUresult(void*, CUdeviceptr, size_t, CUmemRangeHandleType, unsigned long long)>(
        "cuMemGetHandleForAddressRange", 11070);
    int supported = 0;
    if (attribute == nullptr || handle == nullptr) {
      why = "this driver has no cuMemGetHandleForAddressRange (from 11.7)";
    } else if (attribute(&supported, CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, gpu_) != CUDA_SUCCESS || supported == 0) {
      why =
          "the GPU driver gives no dma-buf (DMA_BUF_SUPPORTED is 0: the closed kernel modules are loaded, or the "
          "kernel is too old)";
    } else {
      int fd = -1;
      const CUresult e =
          handle(&fd, reinterpret_cast<CUdeviceptr>(data_), size_, CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, 0);
      if (e == CUDA_SUCCESS) return fd;
      why = "cuMemGetHandleForAddressRange: CUDA error " + std::to_string(static_cast<int>(e));
    }
    return -1;
  }

 private:
  static gpu::DeviceArray<std::uint8_t> allocate(int gpu, std::size_t bytes) {
    const gpu::OnDevice on(gpu);
    gpu::DeviceArray<std::uint8_t> memory(bytes);
    GICSIM_CUDA(cudaDeviceSynchronize());
    return memory;
  }

  int gpu_;
  gpu::DeviceArray<std::uint8_t> memory_;
};

}  // namespace

std::unique_ptr<Memory> gpu_memory(int gpu, std::size_t bytes) { return std::make_unique<GpuMemory>(gpu, bytes); }

}  // namespace gicsim::hw
