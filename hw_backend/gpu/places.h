// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_backend/gpu/bench.h"

namespace gicsim::hw::gpu {

/// Does something with memory of each kind in turn, and says of a peer's why there is none.
template <class Do>
void at_each_place(Bench& bench, Pattern pattern, std::size_t bytes, Do what) {
  what(Place::host, Memory(Place::host, bytes));
  what(Place::hbm, Memory(Place::hbm, bytes));
  if (!bench.peer.gpu) return bench.session.skip({pattern, Path::none, {{"memory", plain("peer")}}}, bench.peer.reason);
  const PeerAccess access(bench.gpu, *bench.peer.gpu);
  what(Place::peer, Memory(Place::peer, bytes, bench.peer.gpu));
}

}  // namespace gicsim::hw::gpu
