// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "validate/captures/bed.h"
#include "validate/captures/story.h"

namespace gicsim::captures::detail {

/// Captured requests as packets for a responder.
class Arrivals {
 public:
  explicit Arrivals(nic::Nic& nic) : nic_(nic) {}
  /// Memory regions, as far as requests that weren't refused for their access show them. Where none was refused, nothing is
  /// checked.
  void register_memory(const std::vector<Event>& requests, const std::vector<Event>& answers);
  /// @param next  it is the one that the responder expects
  Packet packet(const roce::Header& header, bool next);

 private:
  Wqe& begin(const roce::Header& header);
  std::uint32_t key(std::uint32_t captured) const;

  nic::Nic& nic_;
  std::map<std::uint32_t, std::uint32_t> keys_;
  std::deque<Wqe> wqes_;
  Address placed_ = 0;
};

}  // namespace gicsim::captures::detail
