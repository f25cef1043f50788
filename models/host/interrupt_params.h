// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"

namespace gicsim::host {

/// What it takes until a thread that sleeps on an event works again.
struct InterruptParams {
  Picoseconds entry = 500ns;
  Cycles handler = 2000_cycles;
  Picoseconds wakeup = 2us;
  Cycles arm = 700_cycles;
};

template <class V>
constexpr void describe(V&& v, InterruptParams& p) {
  v("entry", p.entry, "from an MSI-X write at the root complex to its handler's first instruction", assumed("A-353"),
    within(0ns, 1ms));
  v("handler", p.handler, "core time of the handler: it reads the event queue and makes the thread runnable",
    assumed("A-353"), within(0_cycles, 1'000'000_cycles));
  v("wakeup", p.wakeup, "from there to the thread's first instruction: scheduler, idle state, return from its call",
    assumed("A-354"), within(0ns, 1ms));
  v("arm", p.arm, "core time of asking for the next event and going to sleep", assumed("A-354"),
    within(0_cycles, 1'000'000_cycles));
}
static_assert(fully_described<InterruptParams>());

}  // namespace gicsim::host
