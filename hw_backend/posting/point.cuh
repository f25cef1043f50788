// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hw_backend/core/session.h"
#include "hw_backend/posting/rings.cuh"

namespace gicsim::hw::posting {

/// What the experiments of this folder share: which NICs there are, the clock, a figure's keys.
class Bench {
 public:
  explicit Bench(const Session& session);

  /// Empty when this NIC can serve here; else why not.
  std::string missing(Nic nic) const;
  Rings::Plan rings(Nic nic, Queues where, std::uint32_t count = 1, std::uint32_t depth = 1024) const;
  int gpu() const { return gpu_; }
  int peer() const { return peer_; }
  const std::string& link() const { return link_; }  ///< between the two, as the machine calls it
  double ghz() const { return ghz_; }
  Figure figure(Pattern pattern, Quantity quantity, const Post& post, const Rings::Plan& rings) const;

 private:
  int gpu_ = 0, peer_ = -1;
  std::string link_, no_peer_;
  double ghz_ = 0;
};

constexpr Ordering orderings[] = {Ordering::none,        Ordering::gpu_fence,   Ordering::gpu_fence_dbr, Ordering::gpu_release,
                                  Ordering::threadfence, Ordering::sys_release, Ordering::sys_fence};
constexpr Nic nics[] = {Nic::none, Nic::emulated, Nic::sm, Nic::peer_gpu};

/// Measures; a point that a NIC refuses or that gets stuck is said, and the next one goes on. So is what a NIC found.
template <class Once>
void measure_or_say(Session& session, const std::vector<Figure>& figures, const Rings& rings, Once once) {
  try {
    session.measure(figures, once);
    if (const std::string found = rings.findings(); !found.empty()) session.note(figures.back(), found);
  } catch (const HardwareError& e) {
    for (const Figure& f : figures) session.skip(f, e.what());
  }
}

}  // namespace gicsim::hw::posting
