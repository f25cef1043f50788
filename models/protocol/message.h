// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/protocol/ledger.h"
#include "models/units/bytes.h"

namespace gicsim {

/// Where a message's data are, for the ordering checker.
struct Placed {
  Bytes missing{};            ///< haven't arrived at their memory
  Picoseconds visible{};      ///< when those that have are visible
  std::uint64_t latest = 0;   ///< address of what becomes visible last
};

/// One operation under way, as the bookkeeping sees it; no hardware carries this.
/// `completion` follows the poster's branch, `delivery` forks off where the far NIC has the data.
struct Message {
  Ledger completion;
  Ledger delivery;
  Picoseconds begun{}, issued{}, delivered{}, completed{};
  std::uint64_t number = 0;
  std::uint32_t index = 0;  ///< in its queue: what its completion is recognised by
  std::uint32_t units = 1;  ///< of the send queue that it takes
  std::uint32_t queue = 0;  ///< which of its poster's queues
  Placed data;
  int parts = 0;  ///< branches that still have to end before the message can be recycled
  bool track_delivery = true;
};

/// Messages are recycled: as many exist as are under way at once.
class MessagePool {
 public:
  Message& take() {
    if (free_.empty()) return all_.emplace_back();
    Message& message = *free_.back();
    free_.pop_back();
    return message;
  }
  void give(Message& message) { free_.push_back(&message); }

 private:
  std::deque<Message> all_;
  std::vector<Message*> free_;
};

}  // namespace gicsim
