// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/protocol/sample.h"

#include <algorithm>

#include "models/protocol/atomic.h"

namespace gicsim {

CommitQueue::Taken take_write(CommitQueue& inbound, const Transfer& write, Bytes length, Picoseconds now) {
  Transfer::Arrival& arrived = write.arrived;
  const Address at = write.address + static_cast<Address>(arrived.length.count());
  const CommitQueue::Taken taken = inbound.take(at, length, write.relaxed, now);
  arrived.length += length;
  arrived.visible = std::max(arrived.visible, taken.visible);
  return taken;
}

void sample_cells(const Cells<Content>& cells, Transfer& transfer, Picoseconds now) {
  transfer.sampled = now;
  for (std::uint32_t line = 0; line < transfer.lines; ++line) {
    const auto seen = cells.read(transfer.address + line * Address{64}, now);
    const Content content = seen.content ? *seen.content : Content{};
    if (line == 0) transfer.content = content;
    else transfer.more.push_back(content);
    transfer.next.push_back(seen.next);
    transfer.since.push_back(seen.visible);
  }
}

void execute_on(Cells<Content>& cells, Transfer& atomic, Picoseconds now, bool by_device) {
  const auto seen = cells.read(atomic.address, now);
  const auto* number = seen.content ? std::get_if<std::uint64_t>(seen.content) : nullptr;
  const std::uint64_t before = number ? *number : 0;
  atomic.sampled = now;
  atomic.content = before;
  if (writes(atomic, before)) cells.write(atomic.address, combine(atomic, before), now, by_device);
}

/// What a device has written, but isn't visible yet, is written over it.
std::uint64_t add_to_line(Cells<Content>& cells, Address at, std::uint64_t addend, Picoseconds now) {
  const auto seen = cells.read(at, now);
  const auto* number = seen.content ? std::get_if<std::uint64_t>(seen.content) : nullptr;
  const std::uint64_t before = number ? *number : 0;
  if (seen.next == Picoseconds{}) cells.write(at, before + addend, now);
  return before;
}

}  // namespace gicsim
