// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <infiniband/mlx5dv.h>

#include "hw_backend/core/prm.h"
#include "hw_backend/gpu/memory.h"
#include "hw_backend/verbs/device.h"

/// DEVX: objects that libmlx5 doesn't know, made by commands of our own.
namespace gicsim::hw::connectx {

using Uar = verbs::Handle<mlx5dv_devx_uar, &mlx5dv_devx_free_uar>;
using Umem = verbs::Handle<mlx5dv_devx_umem, &mlx5dv_devx_umem_dereg>;
using DevxObject = verbs::Handle<mlx5dv_devx_obj, &mlx5dv_devx_obj_destroy>;

/// @throws HardwareError the NIC writes CQEs of the old version
void check_cqe_version(ibv_context* context);

/// A register page that nobody else rings: its doorbells never wait behind another queue's.
Uar own_uar(ibv_context* context);
/// The page that a CQ must name though nobody rings it.
Uar any_uar(ibv_context* context);
/// All of the memory, as a dma-buf or by peer memory. @throws HardwareError with both reasons
Umem umem_of(ibv_context* context, const Memory& memory);
std::uint32_t event_queue(ibv_context* context);
std::uint32_t pd_number(ibv_pd* pd);
prm::Route route_to(const verbs::Device& device, ibv_pd* pd, const Endpoint& far);

struct Made {
  DevxObject object;
  std::uint32_t number = 0;
};
/// @throws HardwareError with the firmware's status and syndrome
Made create(ibv_context* context, const char* what, const prm::Command& command);
void modify(mlx5dv_devx_obj* object, const char* what, const prm::Command& command);

}  // namespace gicsim::hw::connectx
