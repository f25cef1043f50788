// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/acs.h"

namespace gicsim::pcie {

Way acs_way(const SlotParams& port, Flow flow, bool relaxed, AddressType address, Bound bound) {
  const bool request = flow != Flow::completion;
  if (request && port.acs_translation_blocking && address != AddressType::untranslated) return Way::blocked;
  switch (bound) {
    case Bound::upstream: return Way::ahead;
    case Bound::back: return port.acs_upstream_forwarding ? Way::upstream : Way::blocked;
    case Bound::peer: break;
  }
  if (!request) return port.acs_completion_redirect && !relaxed ? Way::upstream : Way::ahead;
  if (port.acs_direct_translated && address == AddressType::translated) return Way::ahead;
  return port.acs_request_redirect ? Way::upstream : Way::ahead;
}

}  // namespace gicsim::pcie
