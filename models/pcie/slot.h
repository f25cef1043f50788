// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"

namespace gicsim::pcie {

/// The downstream port that something is plugged into, of a switch or of a root complex: a slot.
struct SlotParams {
  Count socket = 0;
  bool acs_request_redirect = false;
  bool acs_completion_redirect = false;
  bool acs_direct_translated = false;
  bool acs_translation_blocking = false;
  bool acs_upstream_forwarding = false;
  bool peer_write = true;
  bool peer_read = true;
  Bytes peer_split{};
};

template <class V>
constexpr void describe(V&& v, SlotParams& p) {
  constexpr auto off = spec("PCIe Base 5.0, 7.7.8.3: ACS controls are off after reset");
  v("socket", p.socket, "socket whose root complex it hangs off; a tree says so itself",
    derived("the first, unless the system says which"), within(0, 3));
  v("acs_request_redirect", p.acs_request_redirect,
    "ACS RR: a request from here to a peer goes upstream instead", off);
  v("acs_completion_redirect", p.acs_completion_redirect,
    "ACS CR: so does a completion, unless its relaxed ordering is set", off);
  v("acs_direct_translated", p.acs_direct_translated,
    "ACS DT: a request with a translated address goes to its peer all the same", off);
  v("acs_translation_blocking", p.acs_translation_blocking,
    "ACS TB: a request from here whose AT field isn't 0 is blocked", off);
  v("acs_upstream_forwarding", p.acs_upstream_forwarding,
    "ACS UF: what comes up from here, redirected below, and is meant for below goes on upstream; off: it is blocked",
    off);
  v("peer_write", p.peer_write, "a root port: passes writes to and from other root ports' devices",
    assumed("A-240"));
  v("peer_read", p.peer_read, "a root port: passes reads to and from other root ports' devices", assumed("A-240"));
  v("peer_split", p.peer_split,
    "a root port: sends on what comes from other root ports' devices in TLPs of so much at most; 0: as they came",
    assumed("A-242"), within(0_B, 4_KiB));
}
static_assert(fully_described<SlotParams>());

}  // namespace gicsim::pcie
