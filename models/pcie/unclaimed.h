// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "models/base/describe.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

struct UnclaimedStats {
  Count refused = 0, writes = 0, completions = 0;
};
template <class V>
constexpr void describe(V&& v, UnclaimedStats& s) {
  v("refused", s.refused, "requests that nobody takes, answered with UR");
  v("writes", s.writes, "write TLPs that nobody takes, dropped");
  v("completions", s.completions, "completions for a port that is closed, dropped");
}
static_assert(fully_described<UnclaimedStats>());

/// What a switch or root complex does with what it can't forward: requests end as UR, writes are dropped, and an
/// error of the non-fatal kind is logged for both. Not modelled: the error message to the root complex.
/// Source: PCIe Base 5.0, 2.3.1 (unsupported requests), 2.9.1 (a link that is down), 6.2.3
class Unclaimed {
 public:
  Unclaimed(std::string name, TransferPool& pool) : name_(std::move(name)), pool_(pool) {}

  /// @param by,why  whose port doesn't forward it, and why; both outlive the run
  /// @return the completion that goes back, of a request
  std::optional<Tlp> take(const Tlp& tlp, const char* by, const char* why, Picoseconds now);
  const char* name() const { return name_.c_str(); }
  const UnclaimedStats& stats() const { return stats_; }

 private:
  std::string name_;
  TransferPool& pool_;
  UnclaimedStats stats_;
};

}  // namespace gicsim::pcie
