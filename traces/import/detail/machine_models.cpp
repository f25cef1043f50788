// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/machine_models.h"

#include <array>

#include "traces/import/detail/cells.h"

namespace gicsim::imports::detail {
namespace {

constexpr int nvidia = 0x10de, mellanox = 0x15b3, amd = 0x1002, broadcom = 0x1000, amazon = 0x1d0f;

// Device numbers as the PCI ID repository has them. A longer name comes before one that it holds.
constexpr std::array gpus = {
    Model{0x20b0, "A100-SXM4-40GB", "a100_sxm", true, 4, 40},  Model{0x20b2, "A100-SXM4-80GB", "a100_sxm", true, 4, 80},
    Model{0x20f3, "A800-SXM4-80GB", "a100_sxm", false, 4, 80}, Model{0x20b5, "A100 80GB PCIe", "a100_sxm", false, 4, 80},
    Model{0x20f1, "A100-PCIE-40GB", "a100_sxm", false, 4, 40}, Model{0, "A100", "a100_sxm", false, 4, 0},
    Model{0x2331, "H100 PCIe", "h100_sxm", false, 5, 80},      Model{0x2321, "H100 NVL", "h200_nvl", false, 5, 94},
    Model{0x2330, "H100", "h100_sxm", true, 5, 80},            Model{0x2324, "H800", "h100_sxm", false, 5, 80},
    Model{0x2329, "H20", "h200_sxm", false, 5, 96},            Model{0x233b, "H200 NVL", "h200_nvl", true, 5, 141},
    Model{0x2342, "GH200", "gb200", false, 5, 0},              Model{0x2335, "H200", "h200_sxm", true, 5, 141},
    Model{0x2941, "GB200", "gb200", true, 5, 186},             Model{0x31c2, "GB300", "gb200", false, 5, 279},
    Model{0x2901, "B200", "b200", true, 5, 180},               Model{0x3182, "B300", "b200", false, 5, 270}};
constexpr Model kin80{0, "a GPU of compute capability 8", "a100_sxm", false, 4, 0};
constexpr Model kin90{0, "a GPU of compute capability 9", "h100_sxm", false, 5, 0};
constexpr Model kin100{0, "a GPU of compute capability 10", "b200", false, 5, 0};

constexpr std::array nics = {
    Model{0x101d, "ConnectX-6 Dx", "connectx6", false, 4}, Model{0x101f, "ConnectX-6 Lx", "connectx6", false, 4},
    Model{0x101b, "ConnectX-6", "connectx6", true, 4},     Model{0x1021, "ConnectX-7", "connectx7", true, 5},
    Model{0x1023, "ConnectX-8", "connectx7", false, 5},    Model{0xa2d6, "BlueField-2", "connectx6", false, 4},
    Model{0xa2dc, "BlueField-3", "connectx7", false, 5},   Model{0x1017, "ConnectX-5", "connectx6", false, 3},
    Model{0x1019, "ConnectX-5 Ex", "connectx6", false, 4}, Model{0x1013, "ConnectX-4", "connectx6", false, 3}};
constexpr Model other_nic{0, "a NIC of which no file tells", "connectx7", false, 5};

bool is(const Maybe<int>& field, int value) { return field && field->value == value; }
std::string_view name_of(const PciDevice& device) { return device.name ? std::string_view(device.name->value) : std::string_view{}; }
int class_of(const PciDevice& device) { return device.cls ? device.cls->value : 0; }

/// "Device 2335": what lspci prints where its table is older than the device.
int number_of(const PciDevice& device) {
  if (device.model) return device.model->value;
  const std::string_view name = name_of(device);
  const std::size_t at = name.find("Device ");
  return at == name.npos ? 0 : static_cast<int>(hexadecimal(name.substr(at + 7, 4)).value_or(0));
}

template <std::size_t n>
const Model* find(const std::array<Model, n>& models, int id, std::string_view name) {
  for (const Model& model : models)
    if (id != 0 && model.id == id) return &model;
  for (const Model& model : models)
    if (has(name, model.name)) return &model;
  return nullptr;
}

}  // namespace

bool is_bridge(const PciDevice& device) { return class_of(device) == 0x0604 || device.secondary.has_value(); }

bool is_virtual_function(const PciDevice& device) {
  return has(name_of(device), "Virtual Function") || (is(device.vendor, mellanox) && (is(device.model, 0x101e) || is(device.model, 0x101c)));
}

bool is_gpu(const PciDevice& device) {
  if (device.is_gpu) return true;
  if (is_bridge(device) || device.at.function != 0) return false;
  const int cls = class_of(device);
  const bool display = cls >> 8 == 0x03 || cls == 0x1200;
  if (is(device.vendor, nvidia) || begins(name_of(device), "NVIDIA")) {
    if (cls != 0) return display;
    return find(gpus, number_of(device), name_of(device)) != nullptr;
  }
  return display && (is(device.vendor, amd) || has(name_of(device), "[AMD/ATI]")) && has(name_of(device), "Instinct");
}

bool is_rdma_nic(const PciDevice& device) {
  if (is_bridge(device) || is_virtual_function(device)) return false;
  if (device.is_nic) return true;
  const int cls = class_of(device);
  if (cls != 0 && cls != 0x0200 && cls != 0x0207) return false;
  return is(device.vendor, mellanox) || (begins(name_of(device), "Mellanox") && !has(name_of(device), "Bridge"));
}

bool is_storage(const PciDevice& device) { return class_of(device) == 0x0108 || (class_of(device) == 0 && has(name_of(device), "NVMe")); }

bool is_emulated(const PciDevice& device) {
  const std::string_view name = name_of(device);
  return is(device.vendor, 0x1af4) || is(device.vendor, 0x1b36) || is(device.vendor, 0x1234) || begins(name, "Red Hat") ||
         has(name, "QEMU") || has(name, "Virtio") || begins(name, "VMware") || has(name, "1234:1111") || has(name, "440FX") || has(name, "82G33/G31") ||
         (is(device.vendor, 0x104c) && is(device.model, 0x8232));  // QEMU's switch
}

const Model& gpu_model(const PciDevice& device) {
  if (const Model* known = find(gpus, number_of(device), name_of(device))) return *known;
  const int sm = device.sm ? device.sm->value : 90;
  return sm >= 100 ? kin100 : sm >= 90 ? kin90 : kin80;
}

const Model& nic_model(const PciDevice& device, const RdmaDevice* rdma) {
  const int id = rdma != nullptr && rdma->model ? rdma->model->value : 0;
  const Model* known = find(nics, number_of(device), name_of(device));
  if (known == nullptr && id != 0) known = find(nics, id, {});
  return known == nullptr || is(device.vendor, amazon) ? other_nic : *known;
}

Model switch_model(const PciDevice* device, int generation) {
  if (device != nullptr && is(device->vendor, broadcom) && is(device->model, 0xc010))
    return {0xc010, "PEX88096", "pex88096", true, 4};
  if (device != nullptr && is(device->vendor, broadcom) && is(device->model, 0xc030))
    return {0xc030, "PEX89144", "pex89144", true, 5};
  return {0, "PCIe switch", generation >= 5 ? "pex89144" : "pex88096", false, generation};
}

CpuModel cpu_model(const MachineFacts& facts) {
  if (facts.cpu) {
    const CpuFacts& cpu = *facts.cpu;
    if (cpu.arch == "arm64" || cpu.arch == "aarch64") return {"grace", "an Arm CPU", true};
    if (cpu.vendor == "AuthenticAMD" && cpu.family == 23) return {"epyc_7742", "an EPYC of family 23 (Rome)", true};
    if (cpu.vendor == "AuthenticAMD") return {"epyc_7742", "a later EPYC", true};
    if (cpu.vendor == "GenuineIntel" && cpu.model == 207) return {"xeon_6548yp", "a Xeon of model 207 (Emerald Rapids)", true};
    if (cpu.vendor == "GenuineIntel") return {"xeon_8460yp", cpu.model == 143 ? "a Xeon of model 143 (Sapphire Rapids)" : "another Xeon", true};
  }
  for (const auto& [at, device] : facts.devices) {
    if (has(name_of(device), "Starship/Matisse")) return {"epyc_7742", "an EPYC (Rome or Milan)", true};
    if (class_of(device) == 0x0600 && begins(name_of(device), "Advanced Micro Devices")) return {"epyc_7742", "a CPU of AMD", true};
    if (class_of(device) == 0x0600 && begins(name_of(device), "Intel") && !is_emulated(device)) return {"xeon_8460yp", "a CPU of Intel", true};
  }
  return {"xeon_8460yp", "no CPU", false};
}

}  // namespace gicsim::imports::detail
