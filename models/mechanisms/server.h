// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"
#include "models/mechanisms/slot.h"
#include "models/units/time.h"

namespace gicsim {

struct ServerStats {
  Count served = 0;
  Picoseconds busy{0};
  Picoseconds waiting{0};
};
template <class V>
constexpr void describe(V&& v, ServerStats& s) {
  v("served", s.served, "requests served");
  v("busy", s.busy, "time in service");
  v("waiting", s.waiting, "time that requests waited for the one before, summed");
}
static_assert(fully_described<ServerStats>());

/// Anything that does one thing at a time, first come first served, with unbounded patience: an
/// execution unit, a port of a memory. It keeps the time at which it will be free, so a request
/// costs no event of its own.
///
/// Closed form: start(n) = max(arrival(n), end(n-1)), end(n) = start(n) + service(n). Requests
/// come in the order of the calls.
class Server {
 public:
  explicit constexpr Server(Picoseconds service = Picoseconds{0}) : service_(service) {}

  constexpr Slot serve(Picoseconds now) { return serve(now, service_); }
  constexpr Slot serve(Picoseconds now, Picoseconds service) {
    const Picoseconds start = now > free_at_ ? now : free_at_;
    free_at_ = start + service;
    ++stats_.served;
    stats_.busy += service;
    stats_.waiting += start - now;
    return {start, free_at_};
  }

  constexpr Picoseconds free_at() const { return free_at_; }
  constexpr const ServerStats& stats() const { return stats_; }

 private:
  Picoseconds service_;
  Picoseconds free_at_{0};
  ServerStats stats_;
};

}  // namespace gicsim
