// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "scenarios/report/finished.h"

namespace gicsim::report {

/// What each port counted, each counter with its sentence, then its queue pairs, a paragraph each without what is 0.
std::string port_counters_text(const Finished& run);

/// What was sent again, by whom, in the whole run; and the time that it took of the message that the ledger explains.
struct SentAgain {
  Count pcie = 0, link = 0, transport = 0;
  Picoseconds pcie_time{}, link_time{}, transport_time{};
  bool any() const { return pcie > 0 || link > 0 || transport > 0; }
};
SentAgain sent_again(const Finished& run);
/// One line; empty when nothing was.
std::string sent_again_text(const Finished& run);

}  // namespace gicsim::report
