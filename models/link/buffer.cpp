// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/buffer.h"

#include <algorithm>
#include <utility>

namespace gicsim::link {

SharedBuffer::Outcome SharedBuffer::enter(const Packet& packet) {
  Side &in = in_[packet.ingress], &out = out_[packet.egress];
  const auto p = static_cast<std::size_t>(packet.priority);
  const bool safe = lossless(packet.priority), late = safe && in.paused[p];
  if (held_ + packet.wire > params_.size ||
      (late && in.headroom[p] + packet.wire > params_.headroom) ||
      (!safe && out.bytes[p] + packet.wire > params_.queue))
    return Outcome::dropped;
  if (late) in.headroom[p] += packet.wire;
  in.bytes[p] += packet.wire, in.all += packet.wire;
  out.bytes[p] += packet.wire, out.all += packet.wire;
  held_ += packet.wire;
  peak_ = std::max(peak_, held_);
  const bool pause = safe && in.bytes[p] > params_.xoff && !std::exchange(in.paused[p], true);
  return pause ? Outcome::pause : Outcome::stored;
}

bool SharedBuffer::leave(const Packet& packet) {
  Side &in = in_[packet.ingress], &out = out_[packet.egress];
  const auto p = static_cast<std::size_t>(packet.priority);
  in.bytes[p] -= packet.wire, in.all -= packet.wire;
  in.headroom[p] -= std::min(in.headroom[p], packet.wire);
  out.bytes[p] -= packet.wire, out.all -= packet.wire;
  held_ -= packet.wire;
  return in.bytes[p] <= params_.xon && std::exchange(in.paused[p], false);
}

}  // namespace gicsim::link
