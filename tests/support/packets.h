// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/base/kernel.h"
#include "models/protocol/packet.h"

namespace gicsim {

/// Packets as somebody noted them.
struct Packets {
  struct Noted {
    Packet packet;
    Picoseconds at;
  };
  Kernel& kernel;
  std::vector<Noted> all;
  explicit Packets(Kernel& k) : kernel(k) {}
  std::vector<Picoseconds> times() const {
    std::vector<Picoseconds> list;
    for (const Noted& noted : all) list.push_back(noted.at);
    return list;
  }
};

/// The far end of a wire.
struct PacketLog : Packets, PacketSink {
  using Packets::Packets;
  void arrive(const Packet& packet) override { all.push_back({packet, kernel.now()}); }
};

/// A wire that only notes what it is given, and takes no time to send it.
struct PacketTray : Packets, PacketPort {
  using Packets::Packets;
  Picoseconds send(const Packet& packet, Picoseconds ready) override {
    all.push_back({packet, ready});
    return ready;
  }
};

}  // namespace gicsim
