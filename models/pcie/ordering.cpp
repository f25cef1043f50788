// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/ordering.h"

namespace gicsim::pcie {
namespace {

std::uint8_t exceptions(const Tlp& later, const Tlp& earlier) {
  unsigned that_hold = none;
  if (later.relaxed) that_hold |= relaxed;
  if (later.by_id && later.requester != earlier.requester) that_hold |= other_requester;
  if (later.by_id && later.completer != unknown_id && later.completer != earlier.requester)
    that_hold |= other_completer;
  if (later.requester == earlier.requester && later.tag == earlier.tag) that_hold |= same_transaction;
  return static_cast<std::uint8_t>(that_hold);
}

}  // namespace

Passing passing(const Tlp& later, const Tlp& earlier) {
  const OrderCell& cell = cell_of(later, earlier);
  return cell.unless != none && (cell.unless & exceptions(later, earlier)) != 0 ? cell.b : cell.a;
}

}  // namespace gicsim::pcie
