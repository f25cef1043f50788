// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/protocol/packet.h"

#include <doctest/doctest.h>

namespace gicsim {
namespace {

// An Ethernet frame as a capture has it lacks preamble, FCS and gap.
std::int64_t frame(const Packet& packet) { return rocev2_overhead.on_wire(packet).count() - 8 - 4 - 12; }
std::int64_t infiniband(const Packet& packet) { return infiniband_overhead.on_wire(packet).count(); }

// Frame lengths: Soft-RoCE of Linux 6.1, MTU 1024, captured.
TEST_CASE("packet: each opcode's headers, as on a real wire") {
  CHECK(frame({.kind = PacketKind::write, .first = true, .payload = 1_KiB}) == 1098);
  CHECK(frame({.kind = PacketKind::write, .payload = 1_KiB}) == 1082);
  CHECK(frame({.kind = PacketKind::write, .first = true, .last = true, .payload = 64_B}) == 138);
  CHECK(frame({.kind = PacketKind::read_request, .length = 4_KiB}) == 74);
  CHECK(frame({.kind = PacketKind::read_response, .first = true, .payload = 1_KiB}) == 1086);
  CHECK(frame({.kind = PacketKind::read_response, .payload = 1_KiB}) == 1082);
  CHECK(frame({.kind = PacketKind::read_response, .first = true, .last = true, .payload = 64_B}) == 126);
  CHECK(frame({.kind = PacketKind::atomic_request}) == 86);
  CHECK(frame({.kind = PacketKind::atomic_response}) == 70);
  CHECK(frame({.kind = PacketKind::ack}) == 62);
  CHECK(frame({.kind = PacketKind::nak}) == 62);
}

TEST_CASE("packet: payload is padded to 4 B, an immediate is 4 B more") {
  CHECK(infiniband({.kind = PacketKind::write, .payload = 1_B}) == 26 + 4);
  CHECK(infiniband({.kind = PacketKind::write, .payload = 5_B}) == 26 + 8);
  CHECK(infiniband({.kind = PacketKind::write, .last = true, .immediate = true, .payload = 8_B}) == 26 + 8 + 4);
  CHECK(infiniband({.kind = PacketKind::write, .first = true, .last = true, .immediate = true}) == 26 + 16 + 4);
}

}  // namespace
}  // namespace gicsim
