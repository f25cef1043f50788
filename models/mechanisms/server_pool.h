// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/mechanisms/server.h"

namespace gicsim {

/// Equal servers behind one queue, first come, first served, each with the same service time: so they come free in the order
/// in which they were taken. Closed form: start(n) = max(arrival(n), start(n - servers) + service).
class ServerPool {
 public:
  ServerPool(Count servers, Picoseconds service)
      : service_(service), free_at_(static_cast<std::size_t>(servers)) {}

  Slot serve(Picoseconds now) {
    Picoseconds& free_at = free_at_[next_];
    if (++next_ == free_at_.size()) next_ = 0;
    const Picoseconds start = now > free_at ? now : free_at;
    free_at = start + service_;
    ++stats_.served;
    stats_.busy += service_;
    stats_.waiting += start - now;
    return {start, free_at};
  }
  const ServerStats& stats() const { return stats_; }

 private:
  Picoseconds service_;
  std::vector<Picoseconds> free_at_;
  std::size_t next_ = 0;
  ServerStats stats_;
};

}  // namespace gicsim
