// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/protocol/content.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::paths {
/// Of the NICs that carry a scenario.
inline Bytes nic_mtu(const schema::Scenario& scenario, std::size_t node) {
  return scenario.system.nodes[node].pairs[scenario.routes[0].nic].nic.mtu;
}
}  // namespace gicsim::paths

/// Where paths keep things, in a GPU's window or in a node's DRAM, from its base.
namespace gicsim::paths::places {

/// The word behind a buffer of whole pages, for signals; at a sender, for the old value that one returns.
constexpr Address signal(Address buffer, Bytes bytes) {
  return buffer + static_cast<Address>((pieces(bytes, 4_KiB) * 4_KiB).count());
}
/// A connection's buffer: what a scenario puts, and the signal's page.
constexpr Address buffer_size(Bytes bytes) { return signal(4096, bytes); }
/// Of a put's data, the last packet's payload: what is watched to see it whole.
constexpr Address flag(Address buffer, Bytes bytes, Bytes mtu) {
  return buffer + static_cast<Address>(((pieces(bytes, mtu) - 1) * mtu).count());
}

/// What connection `number` sends, and where its peer writes to.
constexpr Address source(Address base, std::size_t number, Bytes bytes) {
  return base + (Address{1} << 40) + number * buffer_size(bytes);
}
constexpr Address buffer(Address base, std::size_t number, Bytes bytes) {
  return base + (Address{1} << 41) + number * buffer_size(bytes);
}
/// A word a connection, a page each: indices, semaphores, flags; `kind` below 8.
constexpr Address word(Address base, std::size_t number, std::size_t kind) {
  return base + (Address{3} << 38) + (Address{1} << 34) + (number * 8 + kind) * Address{4096};
}

}  // namespace gicsim::paths::places
