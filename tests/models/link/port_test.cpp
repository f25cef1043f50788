// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/port.h"

#include <doctest/doctest.h>

#include "models/link/buffer.h"
#include "models/link/wire.h"
#include "tests/support/bench.h"
#include "tests/support/packets.h"
#include "tests/support/script.h"

namespace gicsim::link {
namespace {

constexpr Bytes full = 4096_B + 82_B;

Packet data(Bytes wire = full, std::uint8_t priority = 3) {
  Packet packet;
  packet.wire = wire;
  packet.priority = priority;
  return packet;
}

/// Two ports with a cable between them; what comes in at the far one is kept in a buffer that
/// nothing leaves.
struct Pair : PacketSink {
  FabricParams fabric;
  ArbitrationParams arbitration;
  WireParams cable;
  Bench bench;
  Probe<PacketSent> sent;
  Wire &forth, &back;
  Port &near, &far;
  PacketLog near_device{bench.kernel};
  Script script{bench.kernel};
  BufferParams params{.size = 1_GiB};
  SharedBuffer buffer{params, 1 << 3, 1};
  Count dropped = 0, stored = 0;
  Picoseconds full_at{};

  Pair(const FabricParams& f, const WireParams& w, const ArbitrationParams& a = {})
      : fabric(f),
        arbitration(a),
        cable(w),
        forth(bench.add_named<Wire>("forth", cable, Kernel::Lane{1}, sent)),
        back(bench.add_named<Wire>("back", cable, Kernel::Lane{2}, sent)),
        near(bench.add_named<Port>("near", fabric, arbitration, cable.rate)),
        far(bench.add_named<Port>("far", fabric, arbitration, cable.rate)) {
    near.wire_out.bind(forth.in), forth.out.bind(far.wire_in);
    far.wire_out.bind(back.in), back.out.bind(near.wire_in);
    near.device.bind(near_device), far.device.bind(*this);
  }
  void arrive(const Packet& packet) override {
    const SharedBuffer::Outcome outcome = buffer.enter(packet);
    if (outcome == SharedBuffer::Outcome::dropped) return void(++dropped);
    ++stored;
    if (outcome != SharedBuffer::Outcome::pause) return;
    full_at = bench.now();
    far.pause(packet.priority, true);
  }
};

Count drops(BitRate rate, Picoseconds flight, Picoseconds response, Bytes head,
            Picoseconds reverse_at) {
  Pair pair({.flow_control = FlowControl::pfc, .response = response},
            {.rate = rate, .flight = flight, .fec = 67ns});
  pair.params.xoff = 10 * full;
  pair.params.headroom = head;
  pair.script.at(0ns, [&] {
    for (int i = 0; i < 200; ++i) pair.near.in->send(data(), 0ns);
  });
  if (reverse_at > 0ns)
    pair.script.at(reverse_at, [&] { pair.far.in->send(data(full, 0), pair.bench.now()); });
  pair.bench.run_through(1ms);
  REQUIRE(pair.full_at > 0ns);
  CHECK(pair.near.blocked(3));
  return pair.dropped;
}

TEST_CASE("PFC: no drop with headroom 2 flight x rate + 2 MTU + response, a drop one MTU below") {
  for (const BitRate rate : {100_Gbps, 200_Gbps, 400_Gbps})
    for (const Picoseconds flight : {Picoseconds{15ns}, Picoseconds{333ns}, Picoseconds{1500ns}})
      for (const Picoseconds response : {Picoseconds{100ns}, Picoseconds{1us}}) {
        const Bytes need = headroom(flight + 67ns, rate, full, pause_frame, response);
        // The worst of moments: the other direction has just begun a packet when the eleventh
        // packet is here.
        const Picoseconds crossing = 11 * full / rate + flight + 67ns;
        CAPTURE(rate.bits_per_second());
        CAPTURE(flight.count());
        CHECK(drops(rate, flight, response, need, crossing - 1_ps) == 0);
        CHECK(drops(rate, flight, response, need - full, crossing - 1_ps) == 1);
        CHECK(drops(rate, flight, response, need - full, -1ns) <=
              1);  // an idle reverse direction needs one less
      }
}

TEST_CASE("PFC: a pause lasts its quanta of 512 bit times, unless it is said again") {
  CHECK(pause_time(1, 400_Gbps) == 1280_ps);
  CHECK(pause_time(65'535, 400_Gbps) == 83'884'800_ps);
  Pair pair({.flow_control = FlowControl::pfc, .pause_quanta = 1000, .response = 0ns},
            {.rate = 400_Gbps});
  pair.script.at(0ns, [&] { pair.far.pause(3, true); });
  pair.script.at(10us, [&] { pair.near.in->send(data(), pair.bench.now()); });
  pair.script.at(20us, [&] { pair.far.pause(3, false); });
  pair.bench.run();
  CHECK(pair.near.stats().pauses_received == 33);  // each 640 ns, and the last that ends it
  CHECK(pair.stored == 1);
  CHECK(pair.near.stats().paused == 20us);
  CHECK(pair.near.stats().wait == 10us + 1'680_ps + 82ns);  // as long as the last frame takes
}

TEST_CASE("PFC: other priorities go on") {
  Pair pair({.flow_control = FlowControl::pfc}, {.rate = 400_Gbps});
  pair.script.at(0ns, [&] { pair.far.pause(3, true); });
  pair.script.at(1us, [&] {
    for (int i = 0; i < 5; ++i)
      pair.near.in->send(data(), pair.bench.now()),
          pair.near.in->send(data(full, 0), pair.bench.now());
  });
  pair.bench.run_through(10us);
  CHECK(pair.stored == 5);
  CHECK(pair.near.queue(3).size() == 5);
  CHECK(pair.near.queue(0).empty());
}

TEST_CASE("credits: what has no room isn't sent; blocks are of 64 B, by virtual lane") {
  Pair pair({.flow_control = FlowControl::credits, .vl_buffer = 16_KiB}, {.rate = 400_Gbps});
  pair.script.at(0ns, [&] {
    for (int i = 0; i < 10; ++i)
      pair.near.in->send(data(4122_B, 0), 0ns);  // 65 blocks each, of 256
    for (int i = 0; i < 2; ++i) pair.near.in->send(data(4122_B, 1), 0ns);
  });
  pair.bench.run();
  CHECK(pair.stored == 3 + 2);
  CHECK(pair.near.blocked(0));
  pair.script.at(10us, [&] { pair.far.release(data(4122_B, 0)); });
  pair.bench.run();
  CHECK(pair.stored == 3 + 2 + 1);
  CHECK(pair.far.stats().credits_sent == 1);
  CHECK(pair.bench.now() == 10us + 8_B / 400_Gbps + 82ns + 4122_B / 400_Gbps + 82ns);
}

TEST_CASE("arbiter: lanes share the low table by weight, the high one goes first up to its limit") {
  ArbitrationParams params;
  params.high_6 = 0, params.low_0 = 64, params.low_1 = 192;  // 4 KiB, 12 KiB a turn
  Arbiter weighted(params);
  int sent[8] = {};
  for (int i = 0; i < 4000; ++i) {
    const int lane = weighted.pick(0b11);
    ++sent[lane];
    weighted.sent(lane, 4096_B);
  }
  CHECK(sent[0] == 1000);
  CHECK(sent[1] == 3000);
  params.high_6 = 255, params.low_6 = 0, params.limit = 2;
  Arbiter limited(params);
  int strict[8] = {};
  for (int i = 0; i < 400; ++i) {
    const int lane = limited.pick(0b1000001);
    ++strict[lane];
    limited.sent(lane, 4096_B);
  }
  CHECK(strict[6] == 300);  // three, until more than 8 KiB went, then one of the low table
  params.limit = 255;
  Arbiter unlimited(params);
  for (int i = 0; i < 100; ++i) {
    CHECK(unlimited.pick(0b1000001) == 6);
    unlimited.sent(6, 4096_B);
  }
}

TEST_CASE("ECN: from kmin to kmax the chance grows in proportion, beyond it is one") {
  const EcnParams params{
      .kmin = 100_KiB, .kmax = 300_KiB, .pmax = Probability::steps(Probability::certain / 5)};
  CHECK(marking(params, 100_KiB).raw() == 0);
  CHECK(marking(params, 200_KiB).raw() == Probability::certain / 10);
  CHECK(marking(params, 300_KiB).raw() == Probability::certain / 5);
  CHECK(marking(params, 300_KiB + 1_B).raw() == Probability::certain);
}

}  // namespace
}  // namespace gicsim::link
