// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/formulas/dma.h"

#include <doctest/doctest.h>

#include "tests/support/dma_rig.h"

namespace gicsim::formulas {
namespace {

// What a bandwidth formula doesn't give: the latency of a DMA read, as the sum of its terms.
TEST_CASE("dma formula: reads of 4 B to 2 KiB take the sum of their terms") {
  for (const Bytes length : {4_B, 64_B, 128_B, 256_B, 512_B, 1_KiB, 1536_B, 2_KiB}) {
    const DmaRig::Params p;
    DmaRig rig(p);
    rig.host.warm(0, length);
    rig.submit(dma::Kind::read, 0, length);
    rig.run();
    const DmaRead terms = dma_read(p.dma, p.link, p.port, p.root, p.host.llc_read, 256_B, length);
    CAPTURE(length.count());
    CHECK(std::abs((rig.ends.front() - terms.total()).count()) <= 1);  // rounded once, or once a TLP
  }
}

}  // namespace
}  // namespace gicsim::formulas
