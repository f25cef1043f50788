// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/protocol/transfer.h"

namespace gicsim {

/// What an atomic leaves where `before` was.
constexpr std::uint64_t combine(const Transfer& atomic, std::uint64_t before) {
  switch (atomic.op) {
    case AtomicOp::fetch_add: return before + atomic.operand;
    case AtomicOp::swap: return atomic.operand;
    case AtomicOp::compare_swap: break;
  }
  return before == atomic.compare ? atomic.operand : before;
}
/// A compare that fails writes nothing.
constexpr bool writes(const Transfer& atomic, std::uint64_t before) {
  return atomic.op != AtomicOp::compare_swap || before == atomic.compare;
}

}  // namespace gicsim
