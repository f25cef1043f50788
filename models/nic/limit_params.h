// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"

namespace gicsim::nic {

/// What a NIC has a finite number of.
struct LimitParams {
  Count queue_pairs = 131'072;
  Count doorbell_pages = 8'192;
  Count keys = 16'777'216;
};

template <class V>
constexpr void describe(V&& v, LimitParams& p) {
  v("queue_pairs", p.queue_pairs, "queue pairs (max_qp)", assumed("A-328"), within(1, 16'777'216));
  v("doorbell_pages", p.doorbell_pages, "doorbell pages of 4 KiB (UARs), with registers of two queue pairs each",
    assumed("A-328"), within(1, 1'048'576));
  v("keys", p.keys, "memory regions (max_mr)", assumed("A-328"), within(1, 16'777'216));
}
static_assert(fully_described<LimitParams>());

}  // namespace gicsim::nic
