// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "hw_backend/core/cores.h"

namespace gicsim::hw::gpu {

constexpr const char* host_clock = "cpu steady_clock";

inline double host_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline std::uint64_t read(const std::uint64_t* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
inline void write(std::uint64_t* word, std::uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

/// Spins until `word` holds at least `value`. @return false: not within 2 s
inline bool spin(const std::uint64_t* word, std::uint64_t value) {
  double until = 0;
  for (unsigned turn = 1; read(word) < value; ++turn) {
    if (turn % (1U << 20) != 0) continue;
    if (until == 0)
      until = host_ns() + 2e9;
    else if (host_ns() > until)
      return false;
  }
  return true;
}

/// A CPU thread on a core of its own that repeats in `answer` whatever it sees in `bell`: it stands for a NIC.
class Answerer {
 public:
  Answerer(const std::uint64_t* bell, std::uint64_t* answer, int core)
      : thread_([=] {
          const OnCore here(core);
          for (std::uint64_t seen = 0; !stop_.load(std::memory_order_relaxed);) {
            const std::uint64_t now = read(bell);
            if (now != seen) write(answer, seen = now);
          }
        }) {}
  ~Answerer() {
    stop_ = true;
    thread_.join();
  }
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace gicsim::hw::gpu
