// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw_backend/core/endpoint.h"
#include "hw_backend/core/machine.h"
#include "hw_backend/core/options.h"
#include "hw_backend/verbs/handles.h"

namespace gicsim::hw::verbs {

/// The NIC that the options name, else the first with a port that is up; null where there is none.
const NicInfo* chosen_nic(const Machine& machine, const Options& options);
/// Empty when verbs experiments can run; else the reason.
std::string unavailable(const Machine& machine, const Options& options);

/// An open NIC, one of its ports, and the GID that packets leave under.
struct Device {
  Context context;
  int port = 1;
  ibv_device_attr attributes{};
  ibv_port_attr port_attributes{};
  bool global = false;  ///< packets carry a GID: RoCE always, InfiniBand when --gid asks
  int gid_index = 0;
  ibv_gid gid{};

  unsigned mtu() const { return 128U << static_cast<unsigned>(port_attributes.active_mtu); }
  /// READs and atomics under way at a time, as initiator and as responder.
  unsigned reads() const;
  /// What the other end must know of this one; queue pair and memory are for others to fill in.
  Endpoint endpoint() const;
};

/// Plain verbs, or DEVX besides where `devx` (mlx5 only). @throws HardwareError
Device open_device(const Machine& machine, const Options& options, bool devx = false);

}  // namespace gicsim::hw::verbs
