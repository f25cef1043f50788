// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "hw_backend/gpu/cuda.h"

namespace gicsim::hw::connectx {

/// A CPU thread that rings for a GPU: what the GPU would store into a register it stores into a mailbox in host memory,
/// and the thread passes the newest value on. A register repeats nothing but queue and index, so values in between may
/// be lost.
class Ringer {
 public:
  explicit Ringer(std::vector<void*> registers);
  ~Ringer();
  Ringer(const Ringer&) = delete;
  Ringer& operator=(const Ringer&) = delete;
  /// Where the GPU rings for the i-th register.
  std::uint64_t* mailbox(std::size_t i) const { return mailboxes_.data() + i * words_of_line; }

 private:
  static constexpr std::size_t words_of_line =
      16;  // 128 B: no two queues share a cache line, or a pair that is fetched at once
  void run();

  std::vector<volatile std::uint64_t*> registers_;
  gpu::HostArray<std::uint64_t> mailboxes_;
  std::atomic<bool> stop_{false};
  std::thread thread_;  // last: it uses the others
};

}  // namespace gicsim::hw::connectx
