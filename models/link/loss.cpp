// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/loss.h"

namespace gicsim::link {

bool belongs(const Packet& p, PacketClass to) {
  switch (to) {
    case PacketClass::any: return true;
    case PacketClass::write: return p.kind == PacketKind::write;
    case PacketClass::write_first: return p.kind == PacketKind::write && p.first;
    case PacketClass::write_middle: return p.kind == PacketKind::write && !p.first && !p.last;
    case PacketClass::write_last: return p.kind == PacketKind::write && p.last;
    case PacketClass::read_request: return p.kind == PacketKind::read_request;
    case PacketClass::read_response: return p.kind == PacketKind::read_response;
    case PacketClass::atomic_request: return p.kind == PacketKind::atomic_request;
    case PacketClass::atomic_response: return p.kind == PacketKind::atomic_response;
    case PacketClass::ack: return p.kind == PacketKind::ack;
    case PacketClass::nak: return p.kind == PacketKind::nak;
    case PacketClass::cnp: return p.kind == PacketKind::cnp;
  }
  return false;
}

bool Loss::decide(const Packet& packet) {
  bool lost = false;
  if (params_.loss.raw() != 0 || params_.ber.raw() != 0)
    lost = either(params_.loss, params_.ber.any_of(packet.wire.count() * 8)).happens(random_.next());
  if (burst_ && burst_->takes()) lost = true;
  if (stress_ && stress_->damages(packet)) lost = true;
  for (Scripted& scripted : drops_)
    if (belongs(packet, scripted.drop.packet) && ++scripted.seen == scripted.drop.nth) lost = true;
  return lost;
}

}  // namespace gicsim::link
