// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::nic {

/// Whether a doorbell says how far to fetch, or only that the doorbell record does.
enum class DoorbellRecord { ignored, read };
constexpr auto names_of(DoorbellRecord) { return std::array<std::string_view, 2>{"ignored", "read"}; }

/// What a NIC does about its queues' memory besides fetching, and of their events.
struct QueueParams {
  DoorbellRecord record = DoorbellRecord::ignored;
  Picoseconds event = 100ns;
  Count moderation_count = 1;
  Picoseconds moderation_period = 0ns;
};

template <class V>
constexpr void describe(V&& v, QueueParams& p) {
  v("record", p.record, "read: a doorbell makes the NIC read the doorbell record, which says how far to fetch",
    assumed("A-350"));
  v("event", p.event, "from what it tells of to an event queue's entry at the DMA engine", assumed("A-351"),
    within(0ns, 10us));
  v("moderation_count", p.moderation_count, "CQEs of an armed completion queue until it makes an event", assumed("A-352"),
    within(1, 65'535));
  v("moderation_period", p.moderation_period, "or time since the first of these; 0: no time-out", assumed("A-352"),
    within(0ns, 1s));
}
static_assert(fully_described<QueueParams>());

}  // namespace gicsim::nic
