// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// Calls of verbs that doctor tries.
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "hw_backend/doctor/live.h"

namespace gicsim::hw::checkup {
namespace {

constexpr int may_all = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;

struct Release {
  void operator()(ibv_device** list) const { ibv_free_device_list(list); }
  void operator()(ibv_context* context) const { ibv_close_device(context); }
  void operator()(ibv_pd* pd) const { ibv_dealloc_pd(pd); }
  void operator()(ibv_mr* mr) const { ibv_dereg_mr(mr); }
  void operator()(mlx5dv_devx_uar* uar) const { mlx5dv_devx_free_uar(uar); }
};
template <class T>
using Own = std::unique_ptr<T, Release>;

std::string error_text() { return std::string(std::strerror(errno)) + " [" + std::to_string(errno) + "]"; }

Own<ibv_context> open(const std::string& nic, bool devx) {
  int count = 0;
  const std::unique_ptr<ibv_device*, Release> list(ibv_get_device_list(&count));
  for (int i = 0; list && i < count; ++i) {
    ibv_device* device = list.get()[i];
    if (nic != ibv_get_device_name(device)) continue;
    if (!devx) return Own<ibv_context>(ibv_open_device(device));
    if (!mlx5dv_is_supported(device)) break;
    mlx5dv_context_attr attributes{};
    attributes.flags = MLX5DV_CONTEXT_FLAGS_DEVX;
    return Own<ibv_context>(mlx5dv_open_device(device, &attributes));
  }
  errno = ENODEV;
  return nullptr;
}

/// Registers memory through `call`, and lets go of it again.
template <class F>
Trial registered(const std::string& nic, const std::string& what, F&& call) {
  const Own<ibv_context> context = open(nic, false);
  if (!context) return {false, untried, nic + ": ibv_open_device: " + error_text()};
  const Own<ibv_pd> pd(ibv_alloc_pd(context.get()));
  if (!pd) return {false, untried, nic + ": ibv_alloc_pd: " + error_text()};
  errno = 0;
  const Own<ibv_mr> mr(call(pd.get()));
  const int error = errno;
  return {mr != nullptr, mr ? 0 : error, nic + ": " + what + " of GPU memory" + (mr ? " works" : ": " + error_text())};
}

}  // namespace

Trial with_uar(const std::string& nic, const std::function<void(void*)>& use) {
  const Own<ibv_context> context = open(nic, true);
  if (!context)
    return {false, errno == ENODEV ? untried : errno, nic + ": mlx5dv_open_device with DEVX: " + error_text()};
  errno = 0;
  const Own<mlx5dv_devx_uar> uar(mlx5dv_devx_alloc_uar(context.get(), MLX5DV_UAR_ALLOC_TYPE_BF));
  if (!uar) return {false, errno, nic + ": mlx5dv_devx_alloc_uar: " + error_text()};
  use(uar->reg_addr);
  return {true, 0, nic + ": a DEVX context and a UAR page"};
}

Trial register_plain(const std::string& nic, const GpuMemory& memory) {
  return registered(nic, "ibv_reg_mr",
                    [&](ibv_pd* pd) { return ibv_reg_mr(pd, memory.address, memory.bytes, may_all); });
}

Trial register_dma_buf(const std::string& nic, const GpuMemory& memory) {
  return registered(nic, "ibv_reg_dmabuf_mr", [&](ibv_pd* pd) {
    return ibv_reg_dmabuf_mr(pd, 0, memory.bytes, reinterpret_cast<std::uint64_t>(memory.address), memory.fd, may_all);
  });
}

void ask_verbs(Evidence& e) {
  for (Nic& nic : e.nics) {
    const Own<ibv_context> context = open(nic.name, false);
    for (Port& port : nic.ports) {
      ibv_port_attr attributes{};
      if (!context || ibv_query_port(context.get(), static_cast<std::uint8_t>(port.number), &attributes) != 0) continue;
      port.active_mtu = 128 << attributes.active_mtu;
      port.most_mtu = 128 << attributes.max_mtu;
    }
  }
}

}  // namespace gicsim::hw::checkup
