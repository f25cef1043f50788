// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/protocol/content.h"

namespace gicsim::paths {

/// An index is there or past it, on the 32-bit circle.
constexpr bool reached(std::uint32_t index, std::uint32_t wanted) {
  return static_cast<std::int32_t>(index - wanted) >= 0;
}

/// A CQE has 16 bits of its WQE's index. Of the indices that they may be of: the one nearest to `near`, which is right
/// as long as fewer than 32,768 lie between.
constexpr std::uint32_t widened(std::uint16_t counter, std::uint32_t near) {
  return near + static_cast<std::uint32_t>(static_cast<std::int16_t>(counter - static_cast<std::uint16_t>(near)));
}

/// The CQE of an index, or a later one's.
inline bool tells_of(const Cqe& cqe, std::uint32_t wanted) {
  return reached(widened(cqe.counter(), wanted), wanted);
}

/// What a poster waits for that nothing under way will tell of.
inline std::string full_queue(const std::string& who, std::uint32_t depth) {
  return "room in the send queue of " + who + ": all " + std::to_string(depth) +
         " units are taken, and none of their WQEs asks for a CQE (signal_every)";
}

}  // namespace gicsim::paths
