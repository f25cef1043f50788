// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/protocol/ledger.h"

namespace gicsim {

/// One operation under way, as the bookkeeping sees it; no hardware carries this.
/// `completion` follows the poster's branch, `delivery` forks off where the far NIC has the data.
struct Message {
  Ledger completion;
  Ledger delivery;
  Picoseconds begun{}, issued{}, delivered{}, completed{};
  std::uint64_t number = 0;
  std::uint32_t poster = 0;
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
