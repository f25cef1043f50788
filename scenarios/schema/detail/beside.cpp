// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/beside.h"

namespace gicsim::schema::detail {

void put_beside(SystemSpec& system) {
  if (!system.kernel_beside) return;
  for (NodeSpec& node : system.nodes)
    for (PairSpec& pair : node.pairs) gpu::beside(system.beside, pair.gpu, pair.front_end, pair.copy_engine);
  paths::LibraryParams& library = system.library;
  paths::ProxyParams& proxy = system.proxy;
  for (Cycles* executed : {&library.call, &library.call_read, &library.completion, &library.receive,
                           &library.quiet_queue, &proxy.enqueue, &proxy.gpu_completion, &proxy.receive})
    *executed = gpu::shared(*executed, system.beside.issue_left);
}

}  // namespace gicsim::schema::detail
