// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// Calls of CUDA that doctor tries.
#include <cuda.h>
#include <unistd.h>

#include "hw_backend/doctor/live.h"
#include "hw_backend/gpu/cuda.h"

namespace gicsim::hw::checkup {
namespace {

/// A driver call by name, without linking libcuda; null where this driver has none.
template <class F>
F driver_call(const char* name, unsigned version) {
  void* at = nullptr;
  cudaDriverEntryPointQueryResult found{};
  if (cudaGetDriverEntryPointByVersion(name, &at, version, cudaEnableDefault, &found) != cudaSuccess ||
      found != cudaDriverEntryPointSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return reinterpret_cast<F>(at);
}

std::string text_of(cudaError_t e) {
  return std::string(cudaGetErrorName(e)) + " (" + std::to_string(static_cast<int>(e)) + ")";
}

/// Runs `use` on a GPU; what CUDA throws becomes an untried trial.
template <class F>
Trial on_gpu(const std::string& address, F&& use) {
  int device = 0;
  if (const cudaError_t e = cudaDeviceGetByPCIBusId(&device, address.c_str()); e != cudaSuccess) {
    cudaGetLastError();
    return {false, untried, "CUDA doesn't see the GPU " + address + ": " + text_of(e)};
  }
  try {
    const gpu::OnDevice here(device);
    return use();
  } catch (const HardwareError& e) {
    cudaGetLastError();
    return {false, untried, e.what()};
  }
}

/// The dma-buf of a range, for as long as this lives.
class DmaBuf {
 public:
  DmaBuf(void* address, std::size_t bytes, GpuMemory& memory) {
    using Get = CUresult (*)(void*, CUdeviceptr, std::size_t, CUmemRangeHandleType, unsigned long long);
    const Get get = driver_call<Get>("cuMemGetHandleForAddressRange", 11070);
    if (get == nullptr) {
      memory.fd_error = "this driver has no cuMemGetHandleForAddressRange (older than 11.7)";
      return;
    }
    const CUresult r = get(&fd_, reinterpret_cast<CUdeviceptr>(address), bytes, CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, 0);
    if (r != CUDA_SUCCESS) {
      fd_ = -1;
      memory.fd_error = "cuMemGetHandleForAddressRange: CUDA error " + std::to_string(static_cast<int>(r));
    }
    memory.fd = fd_;
  }
  ~DmaBuf() {
    if (fd_ >= 0) ::close(fd_);
  }
  DmaBuf(const DmaBuf&) = delete;
  DmaBuf& operator=(const DmaBuf&) = delete;

 private:
  int fd_ = -1;
};

}  // namespace

Trial map_io_page(const std::string& gpu_address, void* page) {
  return on_gpu(gpu_address, [&]() -> Trial {
    const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* whole = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(page) & ~(size - 1));
    const cudaError_t e =
        cudaHostRegister(whole, size, cudaHostRegisterIoMemory | cudaHostRegisterMapped | cudaHostRegisterPortable);
    cudaGetLastError();
    if (e == cudaSuccess) cudaHostUnregister(whole);
    return {e == cudaSuccess, static_cast<int>(e),
            "doorbell page of the NIC into " + gpu_address + ": " +
                (e == cudaSuccess ? "mapped" : "cudaHostRegister with IoMemory: " + text_of(e))};
  });
}

Trial with_gpu_memory(const std::string& gpu_address, const std::function<void(const GpuMemory&)>& use) {
  return on_gpu(gpu_address, [&]() -> Trial {
    const gpu::DeviceArray<char> array(std::size_t{1} << 21U);  // one large page, so that its start is aligned
    GpuMemory memory{array.data(), std::size_t{64} << 10U, -1, ""};
    const DmaBuf buffer(memory.address, memory.bytes, memory);
    use(memory);
    return {true, 0, ""};
  });
}

void ask_cuda(Evidence& e) {
  using Get = CUresult (*)(int*, CUdevice_attribute, CUdevice);
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return;
  }
  const Get get = driver_call<Get>("cuDeviceGetAttribute", 2000);
  for (int i = 0; i < count && get != nullptr; ++i) {
    char id[32] = {};
    int value = 0;
    if (cudaDeviceGetPCIBusId(id, sizeof id, i) != cudaSuccess ||
        get(&value, CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, i) != CUDA_SUCCESS)
      continue;
    std::string address = id;
    for (char& c : address) c = static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
    Gpu& gpu = e.gpu(address);
    gpu.dma_buf = value != 0;
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    if (gpu.name.empty()) gpu.name = properties.name;
    gpu.memory.fill(static_cast<std::uint64_t>(properties.totalGlobalMem));
  }
}

Trial with_load(const std::string& gpu_address, const std::function<void()>& look) {
  return on_gpu(gpu_address, [&]() -> Trial {
    const std::size_t bytes = std::size_t{64} << 20U;
    const gpu::DeviceArray<char> there(bytes);
    const gpu::HostArray<char> here(bytes);
    const gpu::Stream stream;
    for (int i = 0; i < 200; ++i)  // a few tenths of a second
      GICSIM_CUDA(cudaMemcpyAsync(i % 2 == 0 ? here.data() : there.data(), i % 2 == 0 ? there.data() : here.data(),
                                  bytes, cudaMemcpyDefault, stream));
    ::usleep(50'000);  // the link needs a moment to speed up
    look();
    stream.synchronize();
    return {true, 0, ""};
  });
}

}  // namespace gicsim::hw::checkup
