// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <list>
#include <memory>
#include <vector>

#include "models/pcie/params.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

/// What a script gives a link, and when.
struct Offered {
  Picoseconds at;
  Tlp tlp;
};

/// One direction of a link as one writes it first: TLM-2.0, approximately timed. A generic payload a TLP with an
/// extension, BEGIN_REQ for its last bit, END_REQ for its credits, both through payload event queues, and an
/// SC_THREAD for what has the lanes. It looks at every waiting TLP against every earlier one whenever something
/// happens. The oracle for Link, with which it shares the ordering table and the rate of the lanes, and nothing else.
/// Simulates all in one go, in a context of its own. Without bit errors and without the other direction's Acks.
/// @return when each TLP arrives, in order of arrival; TLPs of one transfer are told apart by their address
std::vector<Offered> simulate_with_tlm(const LinkParams& params, const std::vector<Offered>& offered);

}  // namespace gicsim::pcie
