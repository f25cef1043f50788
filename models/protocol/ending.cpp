// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/protocol/ending.h"

#include <sstream>

#include "models/units/text.h"

namespace gicsim {

std::string how_ended(const Transfer& transfer) {
  constexpr const char* kinds[] = {"write", "read", "atomic"};
  std::ostringstream text;
  text << kinds[static_cast<int>(transfer.kind)] << " of " << text::write(transfer.length) << " at 0x" << std::hex
       << transfer.address << ": ";
  if (transfer.status == CompletionStatus::successful)
    text << "poisoned data from ";
  else
    text << name_of(transfer.status) << (transfer.status == CompletionStatus::timed_out ? " at " : " of ");
  text << (*transfer.ended_by ? transfer.ended_by : "whoever owns that address");
  if (*transfer.why) text << ", " << transfer.why;
  return text.str();
}

}  // namespace gicsim
