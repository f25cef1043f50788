// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw_backend/gpu/memory.h"
#include "hw_backend/verbs/handles.h"

namespace gicsim::hw::verbs {

/// Memory that the NIC may read, write and change by atomics, from here and from afar. Without relaxed ordering: a flag
/// behind data must not overtake them.
class Registered {
 public:
  Registered(ibv_pd* pd, std::unique_ptr<Memory> memory);
  Memory& memory() const { return *memory_; }
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(memory_->data()); }
  std::uint32_t lkey() const { return mr_->lkey; }
  std::uint32_t rkey() const { return mr_->rkey; }

 private:
  std::unique_ptr<Memory> memory_;  // outlives the registration
  Mr mr_;
};

/// Whole pages of this process, zeroed.
std::unique_ptr<Memory> host_memory(std::size_t bytes);

}  // namespace gicsim::hw::verbs
