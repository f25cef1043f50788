// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/unclaimed.h"

namespace gicsim::pcie {

std::optional<Tlp> Unclaimed::take(const Tlp& tlp, const char* by, const char* why, Picoseconds now) {
  if (tlp.held) tlp.held->release(tlp, now);
  Transfer& transfer = *tlp.transfer;
  switch (flow_of(tlp.kind)) {
    case Flow::completion: ++stats_.completions; return std::nullopt;
    case Flow::non_posted:
      ++stats_.refused;
      transfer.ended_by = by;
      transfer.why = why;
      return refusal(tlp, CompletionStatus::unsupported);
    case Flow::posted: break;
  }
  ++stats_.writes;
  if (!tlp.last) return std::nullopt;
  if (transfer.initiator) transfer.initiator->on_transferred(transfer);
  pool_.give(transfer);
  return std::nullopt;
}

}  // namespace gicsim::pcie
