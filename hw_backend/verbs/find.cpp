// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "hw_backend/core/machine.h"

namespace gicsim::hw {
namespace {

namespace fs = std::filesystem;

std::string driver_of(const fs::path& device) {
  std::error_code missing;
  const std::string name = fs::canonical(device / "driver", missing).filename().string();
  return name.empty() ? "software, no PCIe device" : name;
}

std::string none_listed(int error) {
  if (error == ENOSYS) return "this kernel has no RDMA (ib_uverbs isn't loaded)";
  return "ibv_get_device_list: " + std::string(std::strerror(error));
}

std::string rate_of(const ibv_device* device, int port) {
  std::ifstream in(fs::path(device->ibdev_path) / "ports" / std::to_string(port) / "rate");
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace

void find_nics(Machine& machine) {
  int count = 0;
  ibv_device** devices = ibv_get_device_list(&count);
  if (devices == nullptr || count == 0) {
    machine.no_nic = devices == nullptr ? none_listed(errno)
                                        : "libibverbs finds no RDMA device (no driver is loaded, or none is there)";
    if (devices != nullptr) ibv_free_device_list(devices);
    return;
  }
  for (int i = 0; i < count; ++i) {
    NicInfo nic;
    nic.name = ibv_get_device_name(devices[i]);
    const fs::path device = fs::path(devices[i]->ibdev_path) / "device";
    nic.driver = driver_of(device);
    std::error_code missing;
    nic.pcie = read_pcie(fs::canonical(device, missing).filename().string());
    nic.mlx5 = mlx5dv_is_supported(devices[i]);
    if (ibv_context* context = ibv_open_device(devices[i])) {
      ibv_device_attr device_attributes{};
      ibv_port_attr port{};
      if (ibv_query_device(context, &device_attributes) == 0) nic.firmware = device_attributes.fw_ver;
      if (ibv_query_port(context, 1, &port) == 0) {
        nic.port_up = port.state == IBV_PORT_ACTIVE;
        nic.link_layer = port.link_layer == IBV_LINK_LAYER_ETHERNET ? "Ethernet" : "InfiniBand";
      }
      ibv_close_device(context);
    }
    nic.rate = rate_of(devices[i], 1);
    machine.nics.push_back(std::move(nic));
  }
  ibv_free_device_list(devices);
}

}  // namespace gicsim::hw
