// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/nic.h"

namespace gicsim::nic {

/// A packet to its own sender turns round inside, behind the packetiser, and comes in as from the wire, which it doesn't
/// use. Not modelled: what limits loopback to less than the wire's rate.
Picoseconds Nic::emit(const Packet& packet) {
  const Picoseconds now = kernel_.now();
  if (packet.to != number_) [[likely]] return wire_->send(packet, now);
  looped_.push(packet, now);
  kernel_.at<&Nic::on_looped>(now, this);
  return now;
}

void Nic::on_looped() { arrive(*looped_.pop_due(kernel_.now())); }

}  // namespace gicsim::nic
