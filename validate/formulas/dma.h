// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/dma/params.h"
#include "models/pcie/params.h"

/// Closed forms of a DMA device's accesses, from the models' own parameters.
namespace gicsim::formulas {

/// Where the time of one DMA read goes that is alone on its way: the terms that a bandwidth formula leaves out, too.
struct DmaRead {
  Picoseconds issue{}, request{}, flights{}, root{}, memory{}, completions{}, store{};
  Picoseconds total() const { return issue + request + flights + root + memory + completions + store; }
};

/// @param memory  from the read at the root complex to its data
/// @param mps     of the completer
/// `length` begins on a 4 KiB line: no request is cut but by `mrrs`
DmaRead dma_read(const dma::DmaParams& dma, const pcie::LinkParams& link, const pcie::EndpointParams& port,
                 Picoseconds root, Picoseconds memory, Bytes mps, Bytes length);

}  // namespace gicsim::formulas
