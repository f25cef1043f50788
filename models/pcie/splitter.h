// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "models/protocol/tlp.h"

namespace gicsim::pcie {

/// Sends a TLP on in pieces; what it came by gets its credits back when the last of them has gone.
class Splitter {
 public:
  /// Calls send(piece) for each, none across a multiple of `limit`.
  template <class Send>
  void operator()(const Tlp& whole, Bytes limit, Send&& send) {
    Held& held = take();
    held.whole = whole;
    held.left = pieces(Bytes(static_cast<std::int64_t>(whole.address % static_cast<Address>(limit.count()))) + whole.length,
                       limit);
    for (Bytes sent; sent < whole.length;) {
      Tlp piece = whole;
      piece.address = whole.address + static_cast<Address>(sent.count());
      const Bytes over(static_cast<std::int64_t>(piece.address % static_cast<Address>(limit.count())));
      piece.length = std::min(whole.length - sent, limit - over);
      sent += piece.length;
      piece.last = whole.last && sent == whole.length;
      piece.held = &held;
      send(piece);
    }
  }

 private:
  struct Held final : TlpSource {
    Splitter* owner = nullptr;
    Tlp whole;
    Count left = 0;
    void release(const Tlp&, Picoseconds now) override {
      if (--left > 0) return;
      if (whole.held) whole.held->release(whole, now);
      owner->free_.push_back(this);
    }
  };
  Held& take() {
    if (free_.empty()) {
      all_.emplace_back();
      all_.back().owner = this;
      return all_.back();
    }
    Held& held = *free_.back();
    free_.pop_back();
    return held;
  }

  std::deque<Held> all_;
  std::vector<Held*> free_;
};

}  // namespace gicsim::pcie
