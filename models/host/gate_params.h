// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::host {

inline constexpr Source gate_claim{Provenance::claimed, "gate_kernel_module of claims.yaml"};

/// Whose doorbells the gate's list lets through: everybody's, or no device's.
enum class Admits { all, processors };
constexpr auto names_of(Admits) { return std::array<std::string_view, 2>{"all", "processors"}; }

/// The claimed gate in the host's kernel; `host.doorbell_gate` turns it on.
struct GateParams {
  Admits admits = Admits::all;
  Picoseconds entry = 500ns;
  Cycles check = 500_cycles;
};

template <class V>
constexpr void describe(V&& v, GateParams& p) {
  v("admits", p.admits, "whose doorbells its list lets through: all, or those of processors alone", gate_claim);
  v("entry", p.entry, "from a doorbell at the host to the gate's first instruction", assumed("A-400"), within(0ns, 1ms));
  v("check", p.check, "core time of looking up who rang; one doorbell after the other", assumed("A-400"),
    within(0_cycles, 1'000'000_cycles));
}
static_assert(fully_described<GateParams>());

}  // namespace gicsim::host
