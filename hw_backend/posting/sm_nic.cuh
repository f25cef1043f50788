// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "hw_backend/posting/queue.h"

namespace gicsim::hw::posting {

/// What such a NIC keeps of a queue between launches. All 0 at the start.
struct SmNicState {
  std::uint64_t doorbell;
  std::uint32_t next, cqes;
};

struct SmNicPlan {
  std::uint32_t queues = 1;
  const std::uint32_t* stop = nullptr;  ///< not 0: the posters are at rest. Looked at each 20 us
  std::uint64_t limit_ns = 2'000'000'000;
};
/// Plays the NIC on the current device, a thread of an SM each queue: polls the doorbell, loads WQEs and payloads from where
/// the queue is, writes payloads where the WQE says, then the CQE. A WQE that isn't the one due ends in an error CQE.
/// Addresses in WQEs are those of CUDA, which both GPUs use alike.
/// @param queues  in memory that this device reads, like *stop
void launch_sm_nic(const SmNicPlan& plan, const Queue* queues, SmNicState* states, Stuck* stuck, cudaStream_t stream);

/// On the current device, so that it isn't loaded while a poster spins.
void load_sm_nic();

}  // namespace gicsim::hw::posting
