// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string_view>
#include <vector>

#include "hw_backend/gpu/cuda.h"
#include "hw_backend/posting/device.cuh"
#include "hw_backend/posting/nic_thread.h"
#include "hw_backend/posting/sm_nic.cuh"

namespace gicsim::hw::posting {

/// Who serves the queues: nobody; a CPU thread; another SM of the poster's GPU; an SM of a second GPU.
enum class Nic { none, emulated, sm, peer_gpu };
std::string_view to_name(Nic nic);

enum class Place { host, poster, nic };

/// Queues of one posting GPU, with all memory that they need and the NIC's end of them. Rings and records lie in host
/// memory or the poster's HBM, doorbells where the NIC looks (host memory, or HBM of its GPU), CQEs in host memory with a
/// CPU thread as the NIC, else with the rings.
class Rings {
 public:
  struct Plan {
    Nic nic = Nic::none;
    Queues where = Queues::gpu;
    std::uint32_t count = 1, depth = 1024;
    int poster = 0, nic_gpu = 0;  ///< devices
    Place inbox = Place::poster;
  };
  explicit Rings(const Plan& plan);

  const Plan& plan() const { return plan_; }
  const Queue& operator[](std::size_t i) const { return queues_[i]; }
  const Queue* on_gpu() const { return shown_; }
  /// Puts of queue `i` go to `address`, in the inbox of these rings or, with a GPU as the NIC, of any.
  void aim(std::size_t i, std::uint64_t* address);
  /// What the NIC has written as the target of queue 0. @pre no poster runs
  std::uint64_t delivered() const;
  /// What a CPU thread as the NIC saw that no NIC would mind, in all runs; empty: nothing.
  std::string findings() const;
  Place completions() const { return plan_.nic == Nic::emulated || plan_.where == Queues::host ? Place::host : Place::poster; }

 private:
  friend class Serving;
  template <class T>
  T* take(Place place, std::size_t n);
  void make_nics();
  /// What CPU threads served, at rest. @throws HardwareError a WQE or record that isn't as it should be
  void audit();

  Plan plan_;
  std::list<gpu::DeviceArray<char>> device_;
  std::list<gpu::HostArray<char>> host_;
  std::vector<Queue> queues_;
  Queue* shown_ = nullptr;
  std::uint64_t *sources_ = nullptr, *targets_ = nullptr, *inboxes_ = nullptr;
  SmNicState* sm_states_ = nullptr;
  std::vector<EmulatedNic> nics_;
  std::unique_ptr<gpu::Stream> copies_;  ///< of a CPU thread that writes to HBM
};

/// The NICs of some rings at work. While it is, launch what posts, and wait for it; then finish().
class Serving {
 public:
  explicit Serving(const std::vector<Rings*>& rings);
  ~Serving();
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  Stuck* stuck() const { return stuck_.data(); }  ///< for a poster
  /// @throws HardwareError what a NIC refused, a poster waited for, or a look at rings in HBM finds
  void finish();

 private:
  std::vector<Rings*> rings_;
  gpu::HostArray<Stuck> stuck_;  ///< the posters', then one a NIC
  gpu::HostArray<std::uint32_t> stop_;
  std::vector<std::unique_ptr<gpu::Stream>> streams_;
  std::unique_ptr<NicThread> thread_;
};

/// Lets two GPUs see each other's memory.
void let_peers_see(int a, int b);

}  // namespace gicsim::hw::posting
