// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/mechanisms/cells.h"
#include "models/mechanisms/commit_queue.h"
#include "models/protocol/transfer.h"

namespace gicsim {

/// The next `length` bytes of a device's write go into a memory: the transfer notes how far it has come.
CommitQueue::Taken take_write(CommitQueue& inbound, const Transfer& write, Bytes length, Picoseconds now);

/// Fills in what a DMA read of watched lines saw at `now`, 64 B apart.
void sample_cells(const Cells<Content>& cells, Transfer& transfer, Picoseconds now);

/// Executes an atomic on a watched line: its content is the old value, the line's the new one, if there is one.
void execute_on(Cells<Content>& cells, Transfer& atomic, Picoseconds now, bool by_device = false);

/// A processor's own atomic on a line. @return what it held
std::uint64_t add_to_line(Cells<Content>& cells, Address at, std::uint64_t addend, Picoseconds now);

}  // namespace gicsim
