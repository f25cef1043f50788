// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// A claim (descriptor_scan_100ns), off by default: no doorbell makes the NIC fetch; an engine scans the rings that posters
// write, and drops in silence what is more than a scan can take. `fetch.dropped` counts it.
#include <algorithm>
#include <utility>

#include "models/nic/nic.h"

namespace gicsim::nic {

/// New WQEs wait for the next scan. As doorbells say how far a ring is filled, they stand for what a scan would see of it.
void Nic::expect_scan(QueuePair& queue) {
  if (!std::exchange(queue.to_scan, true)) to_scan_.push_back(&queue);
  if (std::exchange(scanning_, true)) return;
  const std::int64_t period = fetch_->scan_period.count(), now = kernel_.now().count();
  kernel_.at<&Nic::on_scan>(Picoseconds{(now / period + 1) * period}, this);
}

void Nic::on_scan() {
  ++fetch_stats_.scans;
  scanning_ = false;
  const auto left = [&](std::int64_t n) { return static_cast<std::uint32_t>(std::max<std::int64_t>(0, n)); };
  std::uint32_t room = left(std::min(fetch_->scan_take, window_.available(kernel_.now())));
  for (QueuePair* queue : std::exchange(to_scan_, {})) {
    queue->to_scan = false;
    while (queue->fetching != queue->producer && room > 0) {
      const std::uint32_t slot = queue->fetching % queue->config.depth;
      const std::uint32_t units = std::min({queue->producer - queue->fetching, left(params_.fetch_batch),
                                            queue->config.depth - slot, room});
      fetch(*queue, units);
      room -= units;
    }
    if (queue->fetching != queue->producer) drop_units(*queue, queue->producer - queue->fetching);
  }
}

/// From where the fetches end. Ledgers that rode on their doorbells stay where they are: nobody will close them.
void Nic::drop_units(QueuePair& queue, std::uint32_t units) {
  fetch_stats_.dropped += units;
  queue.skipped.push_back({queue.fetching, units});
  queue.fetching += units;
  skip_dropped(queue);
}

/// A WQE of which only a part was taken is lost with the rest.
void Nic::skip_dropped(QueuePair& queue) {
  while (!queue.skipped.empty() && queue.skipped.front().index == queue.fetched) {
    queue.fetched += queue.skipped.front().units;
    queue.skipped.pop_front();
    queue.partial.reset();
    queue.units_left = 0;
  }
}

}  // namespace gicsim::nic
