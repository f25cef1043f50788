// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/protocol/transfer.h"

namespace gicsim {

/// It didn't do what was asked: refused, aborted, timed out, or with data that are known to be bad.
constexpr bool failed(const Transfer& transfer) {
  return transfer.status != CompletionStatus::successful || transfer.poisoned;
}

/// What a read gave are ones, as from a device whose mapping is stale: no WQE, no index.
inline bool gave_ones(const Transfer& transfer) {
  const auto* number = std::get_if<std::uint64_t>(&transfer.content);
  return number && *number == ~std::uint64_t{0};
}

/// "read of 64 B at 0x40000000000: UR of node0.root, no window claims the address"
std::string how_ended(const Transfer& transfer);

}  // namespace gicsim
