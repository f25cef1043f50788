// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/roce/capture.h"

namespace gicsim::roce {

/// A frame that didn't get through.
struct LostFrame {
  std::uint64_t number = 0;  ///< in the capture ahead of the loss
  std::uint8_t opcode = 0;
  std::uint32_t qp = 0, psn = 0;
};

/// What got lost between two places.
struct Lost {
  std::string to;              ///< where all that was delivered went
  std::uint64_t sent = 0;      ///< frames ahead of the loss with that destination
  std::uint64_t delivered = 0;   ///< each frame once
  std::uint64_t twice = 0;       ///< copies beyond that
  std::uint64_t overtaken = 0;   ///< of those delivered: behind one that was sent later
  std::vector<LostFrame> first;  ///< of those lost, the first few
  std::uint64_t count() const { return sent - delivered; }
};

/// Compares what was captured ahead of a lossy place and behind it, frame by frame; on the way they may overtake each other, by
/// some thousand frames, and be doubled. Of several equal frames in a row the one that came last before it was delivered
/// got through.
/// @throws ConfigError for a delivered frame that was never sent: those are two captures of something else
Lost compare(Capture& ahead, Capture& behind);

}  // namespace gicsim::roce
