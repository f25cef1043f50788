// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/nic_thread.h"

#include <sched.h>

#include "hw_backend/core/error.h"

namespace gicsim::hw::posting {

void pin_to_last_core() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int core = CPU_SETSIZE - 1; core >= 0; --core) {
    if (!CPU_ISSET(core, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

NicThread::NicThread(std::vector<EmulatedNic*> queues, std::chrono::nanoseconds patience)
    : queues_(std::move(queues)), patience_(patience), thread_([this] { serve(); }) {}

NicThread::~NicThread() { join(); }

void NicThread::join() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void NicThread::stop() {
  join();
  if (!ended_.empty()) throw HardwareError(ended_);
}

void NicThread::serve() try {
  pin_to_last_core();
  auto quiet_since = std::chrono::steady_clock::now();
  for (unsigned round = 1; !stop_.load(std::memory_order_relaxed); ++round) {
    bool rang = false;
    for (EmulatedNic* queue : queues_) {
      if (!queue->poll()) continue;
      rang = true;
      if (queue->fault() != Fault::none) {
        ended_ = "the emulated NIC refused a post: " + queue->fault_text();
        return;
      }
    }
    if (round % 4096 != 0 && !rang) continue;
    const auto now = std::chrono::steady_clock::now();
    if (rang) quiet_since = now;
    else if (now - quiet_since > patience_) {
      std::uint32_t served = 0;
      for (const EmulatedNic* queue : queues_) served += queue->served();
      ended_ = "the emulated NIC waited in vain for a doorbell; it had served " + std::to_string(served) + " WQEs";
      return;
    }
  }
} catch (const HardwareError& e) {  // of a region's copy
  ended_ = e.what();
}

}  // namespace gicsim::hw::posting
