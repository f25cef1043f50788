// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/mechanisms/cells.h"
#include "models/protocol/transfer.h"

namespace gicsim {

/// Fills in what a DMA read of watched lines saw at `now`, 64 B apart.
void sample_cells(const Cells<Content>& cells, Transfer& transfer, Picoseconds now);

}  // namespace gicsim
