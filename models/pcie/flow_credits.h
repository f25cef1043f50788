// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "models/mechanisms/credits.h"
#include "models/units/bytes.h"

namespace gicsim::pcie {

/// Flow control counts payload in units of 16 B. Source: PCIe Base 5.0, 2.6.1
constexpr Count data_credits(Bytes length) { return pieces(length, 16_B); }

/// What a receiver advertises for one flow: header and data credits, either of them infinite.
class FlowCredits {
 public:
  FlowCredits(const std::string& name, std::optional<Count> headers, std::optional<Count> data) {
    if (headers) headers_.emplace(name + "_headers", *headers);
    if (data) data_.emplace(name + "_data", *data);
  }

  /// Both or none.
  bool take(Count data, Picoseconds now) {
    if (data_ && data_->available(now) < data) return false;
    if (headers_ && !headers_->take(1, now)) return false;
    if (data_) data_->take(data, now);
    return true;
  }
  void give(Count headers, Count data, Picoseconds at) {
    if (headers_) headers_->give(headers, at);
    if (data_) data_->give(data, at);
  }
  /// When a TLP may find its credits; Picoseconds::max() while the receiver holds what it lacks.
  Picoseconds available_at(Count data) const {
    return std::max(headers_ ? headers_->available_at(1) : Picoseconds{},
                    data_ ? data_->available_at(data) : Picoseconds{});
  }
  Count outstanding() const {
    return (headers_ ? headers_->outstanding() : 0) + (data_ ? data_->outstanding() : 0);
  }
  Count headers_out() const { return headers_ ? headers_->outstanding() : 0; }
  Count data_out() const { return data_ ? data_->outstanding() : 0; }
  bool finite() const { return headers_ || data_; }

 private:
  std::optional<Credits> headers_, data_;
};

}  // namespace gicsim::pcie
