// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "traces/import/detail/machine_facts.h"

/// Which part of configs/parts stands for what a machine holds.
namespace gicsim::imports::detail {

struct Model {
  int id = 0;              ///< PCI device
  std::string_view name;   ///< as tools print it, without the vendor
  std::string_view part;
  bool exact = false;      ///< the part is this product, not its nearest kin
  int generation = 0;      ///< PCIe, the most that it can
  std::int64_t memory = 0; ///< GiB, of a GPU; 0: several
};

bool is_gpu(const PciDevice& device);
bool is_rdma_nic(const PciDevice& device);
bool is_storage(const PciDevice& device);
bool is_bridge(const PciDevice& device);
bool is_virtual_function(const PciDevice& device);
/// A device that only a hypervisor shows.
bool is_emulated(const PciDevice& device);

const Model& gpu_model(const PciDevice& device);
const Model& nic_model(const PciDevice& device, const RdmaDevice* rdma);
/// Of a switch, by its maker's numbers or its speed.
Model switch_model(const PciDevice* device, int generation);

struct CpuModel {
  std::string_view part, name;
  bool known = false;
};
CpuModel cpu_model(const MachineFacts& facts);

}  // namespace gicsim::imports::detail
