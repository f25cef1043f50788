// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/protocol/packet.h"

namespace gicsim {

Bytes PacketOverhead::on_wire(const Packet& packet) const {
  const Bytes padded = pieces(packet.payload, Bytes(4)) * Bytes(4);
  const Bytes none{};
  switch (packet.kind) {
    case PacketKind::write:
      return base + padded + (packet.first ? reth : none) + (packet.immediate ? immediate : none);
    case PacketKind::read_request: return base + reth;
    case PacketKind::atomic_request: return base + atomic;
    case PacketKind::read_response: return base + padded + (packet.first || packet.last ? aeth : none);
    case PacketKind::atomic_response: return base + aeth + atomic_ack;
    case PacketKind::ack:
    case PacketKind::nak: return base + aeth;
  }
  return base;
}

}  // namespace gicsim
