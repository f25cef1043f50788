// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/protocol/sample.h"

namespace gicsim {

void sample_cells(const Cells<Content>& cells, Transfer& transfer, Picoseconds now) {
  transfer.sampled = now;
  for (std::uint32_t line = 0; line < transfer.lines; ++line) {
    const auto seen = cells.read(transfer.address + line * Address{64}, now);
    const Content content = seen.content ? *seen.content : Content{};
    if (line == 0) transfer.content = content;
    else transfer.more.push_back(content);
    transfer.next.push_back(seen.next);
  }
}

}  // namespace gicsim
