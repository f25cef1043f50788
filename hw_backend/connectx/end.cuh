// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw_backend/connectx/queue_pair.cuh"
#include "hw_backend/connectx/ringer.cuh"
#include "hw_backend/posting/device.cuh"
#include "hw_backend/verbs/partner.h"

namespace gicsim::hw::connectx {

/// Who rings, and where the rings lie.
struct Tier {
  Queues queues = Queues::gpu;
  Path path = Path::gpu_direct;  ///< or cpu_doorbell

  unsigned variant() const { return (queues == Queues::gpu ? 1U : 0U) | (path == Path::cpu_doorbell ? 2U : 0U); }
  static Tier of(unsigned variant) {
    return {(variant & 1U) != 0 ? Queues::gpu : Queues::host,
            (variant & 2U) != 0 ? Path::cpu_doorbell : Path::gpu_direct};
  }
  /// The weakest that the memory model asks for: gpu scope, or system scope where the NIC reads rings in host memory.
  Ordering ordering() const { return queues == Queues::gpu ? Ordering::gpu_fence : Ordering::sys_fence; }
};

/// An end whose queue pairs a GPU posts to and polls. Payload in GPU memory, a slice of each area a queue.
class GpuEnd final : public verbs::End {
 public:
  GpuEnd(const Machine& machine, const Options& options, const verbs::Shape& shape);
  void meet(Meeting& meeting) override;
  void answer(const std::string& line, Meeting& meeting) override;

  const posting::Queue& queue(std::size_t i) const { return queues_[i]; }
  const posting::Queue* on_gpu() const { return shown_.data(); }
  /// WQEs that queue i has been given since its start.
  std::uint32_t posted(std::size_t i) const;
  posting::Stuck* stuck() const { return stuck_.data(); }
  /// @throws HardwareError a kernel gave up, and what it waited for. @pre the kernel has ended
  void check() const;
  int gpu() const { return gpu_; }
  double ghz() const { return ghz_; }
  std::string clock() const;

 private:
  Tier tier() const { return Tier::of(shape.variant); }
  void make_doorbells();

  int gpu_;
  double ghz_;
  std::vector<std::unique_ptr<QueuePair>> pairs_;
  UarPages uars_;                 // goes before the pages that it has registered
  std::optional<Ringer> ringer_;  // and this before the registers that it rings
  gpu::DeviceArray<posting::QueueState> states_;
  gpu::DeviceArray<posting::Queue> shown_;
  gpu::HostArray<posting::Stuck> stuck_;
  std::vector<posting::Queue> queues_;
};

/// For the keys that all figures of a tier have.
Figure figure_of(const GpuEnd& end, const Options& options, const Tier& tier, Pattern pattern, Quantity quantity,
                 const posting::Post& post);

/// Runs `measure` with each tier. One that this machine can't give is said, with its reason; the next goes on.
/// @throws HardwareError none could be had
void with_tiers(Session& session, std::string_view key, Pattern pattern, verbs::Shape shape,
                const std::function<void(const Tier&, GpuEnd&, verbs::FarEnd&)>& measure);

}  // namespace gicsim::hw::connectx
