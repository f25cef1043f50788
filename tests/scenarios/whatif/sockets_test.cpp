// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// GPU and NIC on different sockets, without a PCIe switch, NICs back to back.
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

constexpr const char* loopback = "h200nvl_cx7_loopback";

Picoseconds stage(const report::Finished& f, const std::string& name) { return stages(f.ledger)[name].first; }

TEST_CASE("sockets: a doorbell crosses two root complexes and the link between them") {
  // x8: 32 B in 1.016 ns; peers' rate: 8 B in 0.534; wires: 24 B in 0.4; x16: 32 B in 0.508
  const Picoseconds across = 72ns + 1016_ps + 50ns + 534_ps + 400_ps + 15ns + 50ns + 72ns + 508_ps;
  CHECK(stage(run({}, loopback), "doorbell_flight") == across);
  const Picoseconds same = across - (534_ps + 400_ps + 15ns + 50ns);
  CHECK(stage(run({{"nic.slot.socket", "0"}}, loopback), "doorbell_flight") == same);
}

TEST_CASE("sockets: a WQE in GPU memory costs the peers' read, one in host memory doesn't") {
  const auto wqe_read = [](const Sets& sets) { return stage(run(sets, loopback), "wqe_read"); };
  const Picoseconds gpu = wqe_read({});
  CHECK(gpu - wqe_read({{"upi.peer_read", "0 ns"}}) == 800ns);
  CHECK(wqe_read({{"queues", "host"}}) == wqe_read({{"queues", "host"}, {"upi.peer_read", "0 ns"}}));
}

TEST_CASE("sockets: host memory on the NIC's socket saves the way across, both ways") {
  const auto wqe_read = [](const char* socket) {
    return stage(run({{"queues", "host"}, {"system.host_socket", socket}}, loopback), "wqe_read");
  };
  // there 16 B at 480 Gb/s, back 80 B
  CHECK(wqe_read("0") - wqe_read("1") == 2 * (50ns + 15ns) + 267_ps + 1334_ps);
}

TEST_CASE("sockets: two of them with devices on the first alone cost nothing") {
  const Sets one{{"nic.slot.socket", "0"}, {"upi.latency", "5 us"}, {"upi.peer_rate", "1 Gbps"}};
  CHECK(value(run(one, loopback), Quantity::put_completion) ==
        value(run({{"nic.slot.socket", "0"}}, loopback), Quantity::put_completion));
}

TEST_CASE("sockets: a stream between devices of two sockets goes at the peers' rate, and that binds") {
  const Sets stream{{"pattern", "put_bw"}, {"bytes", "1 MiB"}, {"iterations", "40"}, {"warmup", "4"}};
  schema::Scenario s = scenario(stream, loopback);
  const report::Finished f = whatif::run_scenario(s, {});
  CHECK(record(f, Quantity::bandwidth).value == doctest::Approx(15.0).epsilon(0.01));
  REQUIRE(f.bound_by);
  CHECK(f.bound_by->resource == "node0.upi0to1.peers");
  CHECK(*f.bound_by->gain > 0.5);
}

TEST_CASE("back to back: one cable each way and no switch") {
  const report::Finished f = run({}, loopback);
  CHECK(stages(f.ledger).count("switch") == 0);
  CHECK(stage(f, "propagate") == 2 * 82ns);
  CHECK(stage(run({{"link.flight", "1 us"}}, loopback), "propagate") == 2 * (1us + 67ns));
}

}  // namespace
}  // namespace gicsim
