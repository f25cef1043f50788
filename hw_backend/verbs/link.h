// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "hw_backend/verbs/connect.h"
#include "hw_backend/verbs/registered.h"

namespace gicsim::hw::verbs {

/// One operation, and the work requests that ibv_post_send takes for a batch of them.
struct Operation {
  ibv_wr_opcode opcode = IBV_WR_RDMA_WRITE;
  std::uint64_t local = 0, remote = 0;
  std::uint32_t lkey = 0, rkey = 0, bytes = 0;
  bool inlined = false;
  std::uint64_t compare_add = 0, swap = 0;  ///< of an atomic
};

/// An RC queue pair with a completion queue of its own.
class Link {
 public:
  static constexpr unsigned inline_wanted = 64;

  Link(const Device& device, ibv_pd* pd, unsigned depth);
  /// With this queue pair's numbers in it.
  Endpoint endpoint(const Device& device) const;
  void connect(const Device& device, const Endpoint& far) { verbs::connect(qp_.get(), device, psn_, far); }
  unsigned inline_most() const { return inline_most_; }
  unsigned depth() const { return depth_; }

  /// `batch` equal operations with one call; the last asks for a completion.
  void post(const Operation& operation, unsigned batch = 1);
  /// Completions that are there. @throws HardwareError one of them is an error
  unsigned poll();
  /// Until one is there. @throws HardwareError also after ten seconds
  void wait();

 private:
  unsigned depth_, inline_most_ = 0;
  std::uint32_t psn_;
  Cq cq_;
  Qp qp_;  // goes first
};

/// Calls `done` until it returns true. @throws HardwareError ten seconds have passed
template <class Done>
void spin(const char* what, Done done) {
  std::chrono::steady_clock::time_point began{};
  for (unsigned turn = 0; !done(); ++turn) {
    if (turn % 65536 != 65535) continue;
    const auto now = std::chrono::steady_clock::now();
    if (began == std::chrono::steady_clock::time_point{}) began = now;
    else if (now - began > std::chrono::seconds(10)) throw HardwareError(std::string(what) + " for ten seconds");
  }
}

}  // namespace gicsim::hw::verbs
