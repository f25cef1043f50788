// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "models/base/kernel.h"

namespace gicsim::gpu {

/// Lanes of a warp that wait for each other (`__syncwarp`): all go on when the last has come.
class Rendezvous final : public Obstacle {
 public:
  Rendezvous(Kernel& kernel, std::size_t lanes) : kernel_(kernel), lanes_(lanes) {}

  struct Meeting {
    Rendezvous& at;
    Task::Handle program{};
    bool await_ready() noexcept { return at.lanes_ == 1; }
    bool await_suspend(Task::Handle lane) { return at.come(program = lane); }
    void await_resume() noexcept {
      if (program && program.promise().program) program.promise().program->obstacle = nullptr;
    }
  };
  Meeting meet() { return {*this}; }
  std::string waits_for() const override {
    return "lanes of its warp, " + std::to_string(waiting_.size()) + " of " + std::to_string(lanes_) + " are here";
  }

 private:
  /// @return whether the lane has to wait
  bool come(Task::Handle lane) {
    if (waiting_.size() + 1 == lanes_) {
      for (const Task::Handle other : waiting_) kernel_.resume(kernel_.now(), other);
      waiting_.clear();
      return false;
    }
    if (lane.promise().program) lane.promise().program->obstacle = this;
    waiting_.push_back(lane);
    return true;
  }

  Kernel& kernel_;
  std::size_t lanes_;
  std::vector<Task::Handle> waiting_;
};

}  // namespace gicsim::gpu
