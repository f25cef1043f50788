// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw_backend/core/catalog.h"

namespace gicsim::hw {

std::string unavailable(const Entry& entry, const Machine& machine, const Options& options) {
  if (entry.make == nullptr) return std::string(entry.missing);
  const int gpus = static_cast<int>(machine.gpus.size());
  if (gpus == 0 && entry.needs.gpus > 0) return "needs a GPU: " + machine.no_gpu;
  if (gpus < entry.needs.gpus)
    return "needs " + std::to_string(entry.needs.gpus) + " GPUs; this machine has " + std::to_string(gpus);
  if (entry.needs.gpus > 0 && options.gpu >= gpus)
    return "--gpu " + std::to_string(options.gpu) + ": this machine has " + std::to_string(gpus);
  if (machine.nics.empty() && (entry.needs.nic || entry.needs.connectx)) return "needs an RDMA NIC: " + machine.no_nic;
  const auto mlx5 = [](const NicInfo& nic) { return nic.mlx5; };
  if (entry.needs.connectx && std::none_of(machine.nics.begin(), machine.nics.end(), mlx5))
    return "needs a ConnectX that mlx5 drives; here is " + machine.nics[0].name + " (" + machine.nics[0].driver + ")";
  if (entry.needs.partner && options.meet == Options::Meet::alone)
    return "needs a second process: --listen PORT there, --connect HOST:PORT here";
  return entry.make()->unavailable(machine, options);
}

}  // namespace gicsim::hw
