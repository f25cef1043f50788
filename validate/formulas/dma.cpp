// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/formulas/dma.h"

#include <algorithm>

#include "models/pcie/link.h"

namespace gicsim::formulas {

/// Its requests follow each other faster than their completions do, so that the link down is never idle between two.
DmaRead dma_read(const dma::DmaParams& dma, const pcie::LinkParams& link, const pcie::EndpointParams& port,
                 Picoseconds root, Picoseconds memory, Bytes mps, Bytes length) {
  const BitRate lanes = pcie::rate(link);
  Bytes completions;
  for (Bytes done; done < length;) {
    const Bytes request = std::min(length - done, port.mrrs);
    completions += pieces(request, 4_B) * 4_B + pieces(request, mps) * link.completion_overhead;
    done += request;
  }
  const Bytes whole = pieces(length, dma.burst) * dma.burst;
  return {.issue = dma.issue,
          .request = link.read_overhead / lanes,
          .flights = 2 * link.latency,
          .root = 2 * root,
          .memory = memory,
          .completions = completions / lanes,
          .store = std::max(dma.setup + whole / dma.rate, whole / dma.memory_rate)};
}

}  // namespace gicsim::formulas
