// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/verbs/device.h"

#include <infiniband/mlx5dv.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace gicsim::hw::verbs {
namespace {

bool over_ipv4(const ibv_gid& gid) {
  const std::uint8_t* b = gid.raw;
  return std::all_of(b, b + 10, [](std::uint8_t byte) { return byte == 0; }) && b[10] == 0xff && b[11] == 0xff;
}

/// RoCE v2 over IPv4 before RoCE v2 over IPv6: link-local addresses of the latter often lead nowhere.
int first_roce_v2(ibv_context* context, int port) {
  std::vector<ibv_gid_entry> entries(256);
  const ssize_t n = ibv_query_gid_table(context, entries.data(), entries.size(), 0);
  if (n < 0) fail(__FILE__, __LINE__, "ibv_query_gid_table", text_of(static_cast<int>(-n)));
  int over_ipv6 = -1;
  for (ssize_t i = 0; i < n; ++i) {
    const ibv_gid_entry& e = entries[static_cast<std::size_t>(i)];
    if (e.port_num != static_cast<std::uint32_t>(port) || e.gid_type != IBV_GID_TYPE_ROCE_V2) continue;
    if (over_ipv4(e.gid)) return static_cast<int>(e.gid_index);
    if (over_ipv6 < 0) over_ipv6 = static_cast<int>(e.gid_index);
  }
  if (over_ipv6 < 0)
    throw HardwareError("port " + std::to_string(port) +
                        " has no RoCE v2 GID: give its network device an address, or name one with --gid");
  return over_ipv6;
}

/// With it mlx5 delivers a small READ's data in the completion, and the CPU that polls copies them: into GPU memory it
/// can't.
void no_scatter_to_cqe(bool gpu_memory) {
  const char* given = std::getenv("MLX5_SCATTER_TO_CQE");
  if (given == nullptr) setenv("MLX5_SCATTER_TO_CQE", "0", 0);
  else if (gpu_memory && std::string(given) != "0")
    std::cerr << "gicsim hw: warning: MLX5_SCATTER_TO_CQE is '" << given
              << "': small READs may never reach GPU memory; set it to 0\n";
}

ibv_context* open_by_name(const std::string& name, bool devx) {
  int count = 0;
  ibv_device** devices = GICSIM_VERBS_NEW(ibv_get_device_list(&count));
  const std::unique_ptr<ibv_device*, Release<&ibv_free_device_list>> list(devices);
  for (int i = 0; i < count; ++i) {
    if (ibv_get_device_name(devices[i]) != name) continue;
    if (!devx) return GICSIM_VERBS_NEW(ibv_open_device(devices[i]));
    mlx5dv_context_attr attributes{};
    attributes.flags = MLX5DV_CONTEXT_FLAGS_DEVX;
    return GICSIM_VERBS_NEW(mlx5dv_open_device(devices[i], &attributes));
  }
  throw HardwareError("there is no RDMA device '" + name + "' any more");
}

}  // namespace

const NicInfo* chosen_nic(const Machine& machine, const Options& options) {
  for (const NicInfo& nic : machine.nics)
    if (options.nic.empty() ? nic.port_up : nic.name == options.nic) return &nic;
  return nullptr;
}

std::string unavailable(const Machine& machine, const Options& options) {
  if (chosen_nic(machine, options) == nullptr) {
    std::string known;
    for (const NicInfo& nic : machine.nics) known += (known.empty() ? "" : ", ") + nic.name;
    return options.nic.empty() ? "no port is up: of " + known
                               : "--nic " + options.nic + ": no such device; there are " + known;
  }
  if (options.gpu_memory && machine.gpus.empty()) return "--memory gpu: " + machine.no_gpu;
  if (options.gpu_memory && options.gpu >= static_cast<int>(machine.gpus.size()))
    return "--gpu " + std::to_string(options.gpu) + ": this machine has " + std::to_string(machine.gpus.size());
  return {};
}

unsigned Device::reads() const {
  return static_cast<unsigned>(std::clamp(std::min(attributes.max_qp_rd_atom, attributes.max_qp_init_rd_atom), 1, 16));
}

Endpoint Device::endpoint() const {
  Endpoint e;
  e.lid = port_attributes.lid;
  std::copy(std::begin(gid.raw), std::end(gid.raw), e.gid.begin());
  e.mtu = mtu();
  e.reads = reads();
  return e;
}

Device open_device(const Machine& machine, const Options& options, bool devx) {
  const NicInfo* nic = chosen_nic(machine, options);
  if (nic == nullptr) throw HardwareError(unavailable(machine, options));
  no_scatter_to_cqe(options.gpu_memory);
  Device d;
  d.context.reset(open_by_name(nic->name, devx));
  d.port = options.nic_port;
  GICSIM_VERBS(ibv_query_device(d.context.get(), &d.attributes));
  GICSIM_VERBS(ibv_query_port(d.context.get(), static_cast<std::uint8_t>(d.port), &d.port_attributes));
  if (d.port_attributes.state != IBV_PORT_ACTIVE)
    throw HardwareError(nic->name + " port " + std::to_string(d.port) + " is " +
                        ibv_port_state_str(d.port_attributes.state) + ", not active: no link, or no subnet manager");
  const bool ethernet = d.port_attributes.link_layer == IBV_LINK_LAYER_ETHERNET;
  d.global = ethernet || options.gid.has_value();
  d.gid_index = options.gid.value_or(ethernet ? first_roce_v2(d.context.get(), d.port) : 0);
  GICSIM_VERBS(ibv_query_gid(d.context.get(), static_cast<std::uint8_t>(d.port), d.gid_index, &d.gid));
  return d;
}

}  // namespace gicsim::hw::verbs
