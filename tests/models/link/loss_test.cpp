// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/loss.h"

#include <doctest/doctest.h>

#include <cmath>

namespace gicsim::link {
namespace {

Packet packet(PacketKind kind, bool first = true, bool last = true, Bytes wire = 4122_B) {
  return {.kind = kind, .first = first, .last = last, .wire = wire};
}

int lost_of(int n, const WireParams& params, Bytes wire, std::uint64_t seed = 1) {
  Loss loss(params, seed, "wire");
  int lost = 0;
  for (int i = 0; i < n; ++i) lost += loss.takes(packet(PacketKind::write, true, true, wire));
  return lost;
}

TEST_CASE("loss: none unless it is asked for, all if it is certain") {
  CHECK(lost_of(1000, {.rate = 1_Gbps}, 4122_B) == 0);
  CHECK(lost_of(1000, {.rate = 1_Gbps, .loss = Probability::steps(Probability::certain)}, 4122_B) == 1000);
}

TEST_CASE("loss: as often as it says, within four standard deviations, and by the seed") {
  const int n = 200'000;
  const WireParams one_per_cent{.rate = 1_Gbps, .loss = Probability::steps(Probability::certain / 100)};
  CHECK(std::abs(lost_of(n, one_per_cent, 4122_B) - n * 0.01) < 4 * std::sqrt(n * 0.01 * 0.99));
  CHECK(lost_of(n, one_per_cent, 4122_B) == lost_of(n, one_per_cent, 64_B));
  CHECK(lost_of(n, one_per_cent, 4122_B, 1) != lost_of(n, one_per_cent, 4122_B, 2));
}

TEST_CASE("loss: bit errors lose a packet with 1 - (1 - ber)^bits") {
  const int n = 200'000;
  const WireParams params{.rate = 1_Gbps, .ber = Probability::steps(1'000'000'000'000)};  // 1e-6
  for (const Bytes wire : {64_B, 4122_B}) {
    const double p = -std::expm1(static_cast<double>(wire.count()) * 8 * std::log1p(-1e-6));
    CHECK(std::abs(lost_of(n, params, wire) - n * p) < 4 * std::sqrt(n * p));
    CHECK(params.ber.any_of(wire.count() * 8).value() == doctest::Approx(p).epsilon(1e-9));
  }
}

TEST_CASE("loss: a script takes the n-th of its class and no other") {
  const WireParams params;
  Loss scripted(params, 1, "wire");
  scripted.script({PacketClass::ack, 2});
  scripted.script({PacketClass::write_middle, 1});
  scripted.script({PacketClass::any, 6});
  const Packet seen[] = {packet(PacketKind::ack),          packet(PacketKind::write, true, false),
                         packet(PacketKind::write, false, false), packet(PacketKind::ack),
                         packet(PacketKind::write, false, false), packet(PacketKind::nak),
                         packet(PacketKind::ack)};
  std::vector<bool> taken;
  for (const Packet& p : seen) taken.push_back(scripted.takes(p));
  CHECK(taken == std::vector<bool>{false, false, true, true, false, true, false});
}

TEST_CASE("loss: a write of one packet is both first and last") {
  const Packet only = packet(PacketKind::write), first = packet(PacketKind::write, true, false);
  CHECK(belongs(only, PacketClass::write_first));
  CHECK(belongs(only, PacketClass::write_last));
  CHECK_FALSE(belongs(only, PacketClass::write_middle));
  CHECK_FALSE(belongs(first, PacketClass::write_last));
  CHECK_FALSE(belongs(only, PacketClass::ack));
}

}  // namespace
}  // namespace gicsim::link
