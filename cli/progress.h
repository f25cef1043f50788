// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace gicsim::cli {

/// How far something is and how long it will still take: a line on standard error that is written over, if that is a
/// terminal.
class Progress {
 public:
  Progress();
  /// @param share  of the work that is done, 0 .. 1
  void tell(const std::string& doing, double share);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  std::string doing_;
  Clock::time_point begun_{}, told_{};
  bool written_ = false;
};

}  // namespace gicsim::cli
