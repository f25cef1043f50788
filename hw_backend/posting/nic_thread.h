// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "hw_backend/posting/emulated_nic.h"

namespace gicsim::hw::posting {

/// Keeps the calling thread on the last core that it may use, away from where a program usually starts.
void pin_to_last_core();

/// A CPU thread, on a core of its own, that plays the NIC of some queues until it is told to stop: looks at their doorbells
/// in turn. It ends by itself, with a reason, on a fault or when no doorbell rings for `patience`.
class NicThread {
 public:
  explicit NicThread(std::vector<EmulatedNic*> queues, std::chrono::nanoseconds patience = std::chrono::seconds(2));
  ~NicThread();
  NicThread(const NicThread&) = delete;
  NicThread& operator=(const NicThread&) = delete;

  /// @throws HardwareError what it ended with before it was told to
  void stop();

 private:
  void serve();
  void join();

  std::vector<EmulatedNic*> queues_;
  std::chrono::nanoseconds patience_;
  std::atomic<bool> stop_{false};
  std::string ended_;
  std::thread thread_;
};

}  // namespace gicsim::hw::posting
