// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/paths/gpu_end.h"

namespace gicsim::paths {

/// The GPU submits: the thread builds the WQE, orders it, updates the doorbell record, rings, and
/// polls the completion queue itself.
class GpuDirect : public GpuEnd {
 public:
  GpuDirect(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
            std::size_t number, system::Queue queue);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message& message) override;
  bool retire(const Message& message) override;
  Task acquire(Message& message) override;
  bool has_room(Bytes bytes, Count n) const override;

 protected:
  /// A word that tells a CPU thread of new WQEs; zero: the thread updates record and doorbell itself.
  Address published_ = 0;

 private:
  bool inlined(Bytes bytes) const;
  void close_unrung();
  Address slot(std::uint32_t index) const { return queue_.ring + index % queue_.depth * Address{64}; }

  const schema::Scenario& scenario_;
  const LibraryParams& library_;
  system::Queue queue_;
  std::vector<Message*> unrung_;  ///< built, waiting for the batch's doorbell
  std::uint32_t producer_ = 0;   ///< units built
  std::uint32_t completed_ = 0;  ///< units known to be complete
  std::uint32_t seen_ = 0;       ///< index in the CQE polled last
};

}  // namespace gicsim::paths
