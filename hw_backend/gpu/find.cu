// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "hw_backend/core/machine.h"
#include "hw_backend/gpu/cuda.h"

namespace gicsim::hw {
namespace {

std::string version_text(int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); }

std::string address_of(int device) {
  char id[32] = {};
  GICSIM_CUDA(cudaDeviceGetPCIBusId(id, sizeof id, device));
  std::string address = id;
  for (char& c : address) c = static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
  return address;
}

/// The kernel module's own version; CUDA knows only the API's.
std::string driver_version() {
  int api = 0;
  cudaDriverGetVersion(&api);
  std::string text = "CUDA " + version_text(api);
  if (std::FILE* f = std::fopen("/proc/driver/nvidia/version", "r")) {
    char line[256] = {};
    if (std::fgets(line, sizeof line, f) != nullptr) {
      std::string whole = line;
      for (std::size_t at = 0; at < whole.size(); ++at) {  // the first word of the form 580.159.04
        if (whole[at] < '0' || whole[at] > '9' || (at > 0 && whole[at - 1] != ' ')) continue;
        const std::size_t end = whole.find(' ', at);
        const std::string word = whole.substr(at, end - at);
        if (word.find('.') != word.npos) {
          text = word + " (" + text + ")";
          break;
        }
      }
    }
    std::fclose(f);
  }
  return text;
}

std::string link_of(int from, int to) {
  int access = 0;
  if (cudaDeviceCanAccessPeer(&access, from, to) != cudaSuccess || access == 0) return "none: no peer access";
  // The runtime never names the kind of a link, but peers over PCIe have no native atomics.

  int atomics = 0;
  cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, from, to);
  return atomics != 0 ? "NVLink (native atomics)" : "PCIe (no native atomics)";
}

}  // namespace

void find_gpus(Machine& machine) {
  int count = 0;
  if (const cudaError_t e = cudaGetDeviceCount(&count); e != cudaSuccess || count == 0) {
    machine.no_gpu = "the CUDA runtime finds none: " + std::string(e == cudaSuccess ? "no device" : cudaGetErrorString(e));
    cudaGetLastError();
    return;
  }
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    GICSIM_CUDA(cudaGetDeviceProperties(&properties, i));
    GpuInfo gpu;
    gpu.name = properties.name;
    gpu.driver = driver_version();
    gpu.runtime = "CUDA " + version_text(runtime);
    gpu.pcie = read_pcie(address_of(i));
    gpu.sms = properties.multiProcessorCount;
    cudaDeviceGetAttribute(&gpu.sm_clock_khz, cudaDevAttrClockRate, i);
    cudaDeviceGetAttribute(&gpu.memory_clock_khz, cudaDevAttrMemoryClockRate, i);
    gpu.compute_major = properties.major;
    gpu.compute_minor = properties.minor;
    machine.gpus.push_back(std::move(gpu));
  }
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b)
      if (a != b) machine.links.push_back({a, b, link_of(a, b)});
}

}  // namespace gicsim::hw
