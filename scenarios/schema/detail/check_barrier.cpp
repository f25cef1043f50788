// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/units/text.h"
#include "scenarios/schema/detail/checker.h"

namespace gicsim::schema::detail {

/// A CPU thread's words lie in host memory, where it polls them through its caches.
void Checker::barrier() {
  if (s_.pattern != Pattern::barrier) return;
  const std::string path(to_name(s_.path));
  if (s_.path == Path::cpu_post && !given("gdr")) s_.gdr = Gdr::none;
  if (s_.path != Path::gpu_direct && s_.path != Path::cpu_post && s_.path != Path::none)
    wrong("path", path + ", but a barrier's members post atomics themselves; write 'path: gpu_direct' or 'cpu_post'");
  if (s_.path == Path::cpu_post && s_.gdr != Gdr::none)
    wrong("gdr", std::string(to_name(s_.gdr)) + ", but the words that CPU threads poll lie in host memory; leave it out");
  if (s_.threads > 1) wrong("threads", text::write(s_.threads) + ", but a barrier has one a node; write 'threads: 1'");
  if (s_.barrier != Barrier::packet) return;
  if (s_.path != Path::gpu_direct) wrong("barrier", "packet over " + path + "; write 'path: gpu_direct'");
  if (!machine()) return;
  for (const NodeSpec& node : s_.system.nodes)
    for (const PairSpec& pair : node.pairs)
      if (!pair.nic.barrier_packet)
        return wrong("barrier", "packet, which these NICs don't have: it is a claim; write 'nic.barrier_packet: true' under 'set'");
}

}  // namespace gicsim::schema::detail
