// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "hw_backend/doctor/evidence.h"

namespace gicsim::hw::checkup {

// What Linux tells in files; `root` is "/" but in tests.
void read_pci(const std::filesystem::path& root, Evidence& e);       // /sys/bus/pci/devices
void read_nics(const std::filesystem::path& root, Evidence& e);      // /sys/class/infiniband
void read_platform(const std::filesystem::path& root, Evidence& e);  // drivers, IOMMU, hypervisor, command line
void read_process(const std::filesystem::path& root, Evidence& e);   // of this process: limits, container, device files
/// NVML, opened at run time: names, memory, BAR1, clocks. Without it those stay unknown, with the reason.
void ask_nvml(Evidence& e);

/// Counts of AER of one function, as sysfs shows them.
Known<Counts> aer_of(const std::filesystem::path& device);

/// All of it, and the calls below.
Evidence collect();

// Calls that need CUDA or verbs; each has a stand-in where the program was built without. A trial that couldn't be made
// at all has the error `untried`, and its text says why.
constexpr int untried = -1;

/// One page of a NIC's doorbells, kept while `use` runs.
Trial with_uar(const std::string& nic, const std::function<void(void* page)>& use);
/// Maps an I/O page into a GPU, and lets go of it again.
Trial map_io_page(const std::string& gpu_address, void* page);
/// GPU memory that a NIC may register. `fd` is its dma-buf, or -1 and then `fd_error` says why.
struct GpuMemory {
  void* address = nullptr;
  std::size_t bytes = 0;
  int fd = -1;
  std::string fd_error;
};
Trial with_gpu_memory(const std::string& gpu_address, const std::function<void(const GpuMemory&)>& use);
Trial register_plain(const std::string& nic, const GpuMemory& memory);
Trial register_dma_buf(const std::string& nic, const GpuMemory& memory);
/// DMA_BUF_SUPPORTED of every GPU.
void ask_cuda(Evidence& e);
/// MTU of every port.
void ask_verbs(Evidence& e);
/// Keeps data flowing to and from a GPU while `look` runs.
Trial with_load(const std::string& gpu_address, const std::function<void()>& look);

}  // namespace gicsim::hw::checkup
