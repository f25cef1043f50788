// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <utility>

#include "tests/support/bench.h"

namespace gicsim {

/// What a test does to its modules and when: calls at given times, through the kernel.
class Script {
 public:
  explicit Script(Kernel& kernel) : kernel_(kernel) {}

  void at(Picoseconds t, std::function<void()> call) {
    calls_.push_back({std::move(call)});
    kernel_.at<&Call::go>(t, &calls_.back());
  }

 private:
  struct Call {
    std::function<void()> what;
    void go() { what(); }
  };
  Kernel& kernel_;
  std::deque<Call> calls_;
};

}  // namespace gicsim
