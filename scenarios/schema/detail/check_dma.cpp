// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/units/text.h"
#include "scenarios/schema/detail/checker.h"

namespace gicsim::schema::detail {

void Checker::dma() {
  if (s_.system.nodes.empty()) return;
  const std::string pattern(to_name(s_.pattern));
  const NodeSpec& node = s_.system.nodes[0];
  if (!is_dma(s_.pattern)) {
    if (s_.system.gpus == 0)
      wrong("system", s_.system.name + " has no GPU, and " + pattern + " needs one; write another system, or 'dma_read', "
                      "'dma_write_read', 'dma_read_bw', 'dma_write_bw', 'dma_rw_bw'");
    return;
  }
  if (node.dmas.empty())
    wrong("system", s_.system.name + " has no DMA device, and " + pattern + " needs one; write 'system: hsw_nfp6000', "
                    "or another one with 'attach: dma', or a tree with a dma0");
  if (s_.window < s_.bytes)
    wrong("window", text::write(s_.window) + ", but one access touches " + text::write(s_.bytes) +
                        "; write at least as much");
}

}  // namespace gicsim::schema::detail
