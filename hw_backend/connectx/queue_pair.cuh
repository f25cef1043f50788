// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw_backend/connectx/pages.cuh"
#include "hw_backend/posting/queue.h"
#include "hw_backend/verbs/device.h"

namespace gicsim::hw::connectx {

/// An RC queue pair of a ConnectX that a GPU posts to and polls, wherever its rings lie. Neither ibv_post_send nor
/// ibv_poll_cq is ever called on it.
class QueuePair {
 public:
  virtual ~QueuePair() = default;
  QueuePair(const QueuePair&) = delete;
  QueuePair& operator=(const QueuePair&) = delete;

  std::uint32_t psn() const { return psn_; }
  void* reg() const { return reg_; }  ///< the doorbell register, as this process sees it
  /// Slots, record, completions, depths and number; the GPU's addresses. Doorbell, keys and payload are the caller's.
  const posting::Queue& queue() const { return queue_; }
  virtual void connect(const verbs::Device& device, ibv_pd* pd, const Endpoint& far) = 0;

 protected:
  explicit QueuePair(std::uint32_t psn) : psn_(psn) {}
  std::uint32_t psn_;
  void* reg_ = nullptr;
  posting::Queue queue_;
};

/// Rings in host memory: made by libmlx5 in pages that the GPU reaches.
std::unique_ptr<QueuePair> host_queue_pair(const verbs::Device& device, ibv_pd* pd, unsigned depth);
/// Rings and records in GPU memory: made by DEVX. @pre the device was opened with DEVX; depth a power of two
std::unique_ptr<QueuePair> gpu_queue_pair(const verbs::Device& device, ibv_pd* pd, int gpu, unsigned depth);

}  // namespace gicsim::hw::connectx
