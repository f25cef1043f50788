// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/protocol/content.h"

/// Where paths keep things, in a GPU's window or in a node's DRAM, from its base.
namespace gicsim::paths::places {

/// A connection's buffer: what a scenario puts, in whole pages.
constexpr Address buffer_size(Bytes bytes) { return static_cast<Address>((pieces(bytes, 4_KiB) * 4_KiB).count()); }

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
