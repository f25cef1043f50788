// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// NVML by its documented C interface, opened at run time: the toolkit need not be there, and neither need the driver.
#include <dlfcn.h>

#include <array>
#include <cstdio>

#include "hw_backend/doctor/live.h"

namespace gicsim::hw::checkup {
namespace {

using Device = void*;
struct Bytes3 {  // of nvmlMemory_t and nvmlBAR1Memory_t; both begin with the total
  unsigned long long total, second, third;
};
struct PciInfo {  // nvmlPciInfo_t
  char legacy[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

class Nvml {
 public:
  Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {}
  ~Nvml() {
    if (started_) call("nvmlShutdown");
    if (library_ != nullptr) dlclose(library_);
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// True when the function is there and succeeded.
  template <class... A>
  bool call(const char* name, A... arguments) {
    void* at = library_ == nullptr ? nullptr : dlsym(library_, name);
    return at != nullptr && reinterpret_cast<int (*)(A...)>(at)(arguments...) == 0;
  }
  std::string start() {
    if (library_ == nullptr) return "NVML (libnvidia-ml.so.1) isn't installed";
    started_ = call("nvmlInit_v2");
    return started_ ? "" : "NVML doesn't start (is the driver loaded?)";
  }

 private:
  void* library_;
  bool started_ = false;
};

std::vector<std::string> slowdowns_of(unsigned long long reasons) {
  static constexpr std::array<std::pair<unsigned long long, const char*>, 4> known{
      {{0x08, "HW slowdown"}, {0x20, "SW thermal slowdown"}, {0x40, "HW thermal slowdown"}, {0x80, "HW power brake"}}};
  std::vector<std::string> names;
  for (const auto& [bit, name] : known)
    if ((reasons & bit) != 0) names.emplace_back(name);
  return names;
}

void ask_one(Nvml& nvml, Device device, Evidence& e) {
  PciInfo pci{};
  if (!nvml.call("nvmlDeviceGetPciInfo_v3", device, &pci)) return;
  char address[32];
  std::snprintf(address, sizeof address, "%04x:%02x:%02x.0", pci.domain, pci.bus, pci.device);
  Gpu& gpu = e.gpu(address);
  char name[96] = {};
  if (nvml.call("nvmlDeviceGetName", device, &name[0], static_cast<unsigned>(sizeof name))) gpu.name = name;
  Bytes3 bytes{};
  if (nvml.call("nvmlDeviceGetMemoryInfo", device, &bytes)) gpu.memory = bytes.total;
  if (nvml.call("nvmlDeviceGetBAR1MemoryInfo", device, &bytes)) gpu.bar1 = bytes.total;
  int on = 0;
  if (nvml.call("nvmlDeviceGetPersistenceMode", device, &on)) gpu.persistence = on != 0;
  unsigned long long reasons = 0;
  if (nvml.call("nvmlDeviceGetCurrentClocksThrottleReasons", device, &reasons)) gpu.slowdowns = slowdowns_of(reasons);
  unsigned clock = 0;
  if (nvml.call("nvmlDeviceGetClockInfo", device, 1, &clock)) gpu.sm_clock = static_cast<int>(clock);
  if (nvml.call("nvmlDeviceGetMaxClockInfo", device, 1, &clock)) gpu.most_sm_clock = static_cast<int>(clock);
}

}  // namespace

void ask_nvml(Evidence& e) {
  Nvml nvml;
  unsigned count = 0;
  std::string why = nvml.start();
  if (why.empty() && !nvml.call("nvmlDeviceGetCount_v2", &count)) why = "NVML counts no GPU";
  for (unsigned i = 0; i < count; ++i)
    if (Device device = nullptr; nvml.call("nvmlDeviceGetHandleByIndex_v2", i, &device)) ask_one(nvml, device, e);
  if (count == 0 && e.has_gpu())
    for (Gpu& gpu : e.gpus) {
      gpu.persistence = Known<bool>::unknown(why);
      gpu.memory.fill(Known<std::uint64_t>::unknown(why));
    }
}

}  // namespace gicsim::hw::checkup
