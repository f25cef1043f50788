// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "models/base/errors.h"
#include "models/pcie/switch.h"
#include "models/protocol/ending.h"
#include "tests/support/ports.h"

namespace gicsim::pcie {
namespace {

using Kind = Transfer::Kind;

TEST_CASE("time-out: a lost completion ends its read after exactly that time, not a picosecond sooner") {
  Ports p({.completion_timeout = 50us});
  p.far.script(Misanswer::lost, 2);
  p.submit_at(0ns, Kind::read, 0, 64_B);
  p.submit_at(1us, Kind::read, 64, 64_B);
  p.submit_at(2us, Kind::read, 128, 64_B);
  p.bench.run_through(51us - 1_ps);
  CHECK(p.log.ends == std::vector<Picoseconds>{250ns, 2us + 250ns});
  p.bench.run();
  REQUIRE(p.log.ends.size() == 3);
  CHECK(p.log.ends[2] == 51us);
  CHECK(how_ended(p.log.all[2]) == "read of 64 B at 0x40: completion time-out at far");
  CHECK(std::get<std::uint64_t>(p.log.all[2].content) == ~std::uint64_t{0});
  CHECK(p.near.stats().timeouts == 1);
  p.check_books();
}

TEST_CASE("time-out: each outstanding request has its own, with one timer") {
  Ports p({.completion_timeout = 50us});
  for (Count nth = 1; nth <= 3; ++nth) p.far.script(Misanswer::lost, nth);
  for (int i = 0; i < 4; ++i) p.submit_at(10us * i, Kind::read, 64 * static_cast<Address>(i), 64_B);
  p.bench.run();
  CHECK(p.log.ends == std::vector<Picoseconds>{30us + 250ns, 50us, 60us, 70us});
  p.check_books();
}

TEST_CASE("time-out: a timer without a request leaves no trace, and 0 is never") {
  Ports p;
  p.submit_at(0ns, Kind::read, 0, 64_B);
  CHECK(p.bench.run() == Kernel::Ended::idle);
  CHECK(p.bench.now() == 250ns);
  Ports never({.completion_timeout = 0ns});
  never.far.script(Misanswer::lost, 1);
  never.submit_at(0ns, Kind::read, 0, 64_B);
  never.bench.run();
  CHECK(never.log.ends.empty());
  CHECK_THROWS_AS(never.near.check_books(), ModelError);
}

TEST_CASE("time-out: the tag rests until the late completion comes, which nobody is told of") {
  Ports p({.tags = 1, .completion_timeout = 200ns});
  p.submit_at(0ns, Kind::read, 0, 64_B);
  p.submit_at(0ns, Kind::read, 64, 64_B);
  p.bench.run();
  CHECK(p.log.ends == std::vector<Picoseconds>{200ns, 450ns});  // the second one is sent at 250 ns and late, too
  CHECK(p.log.all[1].status == CompletionStatus::timed_out);
  CHECK(p.near.stats().unexpected == 2);
  p.check_books();
}

TEST_CASE("port: dead, it swallows requests; writes vanish, reads time out") {
  Ports p({.completion_timeout = 50us});
  p.submit_at(0ns, Kind::read, 0, 64_B);      // arrives before, would be answered after
  p.script.at(120ns, [&] { p.far.set(PortState::dead); });
  p.submit_at(1us, Kind::write, 0, 512_B);
  p.submit_at(2us, Kind::read, 64, 64_B);
  p.bench.run();
  CHECK(p.far_memory.writes.empty());
  CHECK(p.log.ends == std::vector<Picoseconds>{1100ns, 50us, 52us});
  CHECK(p.log.all[0].status == CompletionStatus::successful);  // posted: its sender doesn't know
  CHECK(p.log.all[1].status == CompletionStatus::timed_out);
  CHECK(p.far.stats().dropped == 3);
  p.check_books();
}

TEST_CASE("port: what is its own ends at once, and it takes no more") {
  Ports p;
  p.submit_at(0ns, Kind::read, 0, 64_B);
  p.script.at(120ns, [&] { p.near.set(PortState::dead); });
  p.submit_at(130ns, Kind::read, 64, 64_B);
  p.submit_at(140ns, Kind::write, 64, 64_B);
  p.bench.run();
  CHECK(p.log.ends == std::vector<Picoseconds>{120ns, 130ns, 140ns});
  for (const Transfer& transfer : p.log.all) CHECK(transfer.status == CompletionStatus::unsupported);
  CHECK(how_ended(p.log.all[2]) == "write of 64 B at 0x40: UR of near, its link is down");
  CHECK(p.near.stats().unexpected == 1);
  p.check_books();
}

TEST_CASE("port: after a reset its BARs are disabled, and it answers UR until it is set up again") {
  Ports p;
  p.script.at(0ns, [&] { p.far.set(PortState::unconfigured); });
  p.submit_at(0ns, Kind::read, 0, 64_B);
  p.script.at(1us, [&] { p.far.set(PortState::up); });
  p.submit_at(1us, Kind::read, 0, 64_B);
  p.bench.run();
  CHECK(p.log.ends == std::vector<Picoseconds>{200ns, 1250ns});
  CHECK(how_ended(p.log.all[0]) == "read of 64 B at 0x0: UR of far, it was reset");
  CHECK_FALSE(failed(p.log.all[1]));
  p.check_books();
}

TEST_CASE("port: a silent reset loses writes and reads ones, and no status tells") {
  Ports p;
  p.far.set(PortState::silent);
  p.script.at(0ns, [&] {
    Transfer& write = p.make(Kind::write, 0, 8_B);
    write.content = std::uint64_t{3};
    p.near.memory->submit(write);
  });
  p.submit_at(10ns, Kind::read, 0, 8_B);
  p.bench.run();
  CHECK(p.far_memory.writes.empty());
  CHECK(p.log.ends == std::vector<Picoseconds>{100ns, 260ns});
  CHECK_FALSE(failed(p.log.all[1]));
  CHECK(std::get<std::uint64_t>(p.log.all[1].content) == ~std::uint64_t{0});
  CHECK(p.far.stats().dropped == 1);
  p.check_books();
}

TEST_CASE("tags: as many as the shorter of two tag fields has") {
  CHECK(tags_of(5) == 32);
  CHECK(tags_of(8) == 256);
  CHECK(tags_of(10) == 768);
  CHECK(tags_of(14) == 15'360);
  const auto peak = [](Count bits, Count peer) {
    Ports p({.tags = 15'360, .tag_bits = bits, .completion_buffer = 16_MiB});
    p.near.limit_tags(peer);
    for (Address i = 0; i < 1000; ++i) p.submit_at(0ns, Kind::read, i * 4096, 64_B);
    p.bench.run();
    p.check_books();
    return p.near.stats().tags_peak;
  };
  CHECK(peak(14, 14) == 1000);
  CHECK(peak(14, 10) == 768);
  CHECK(peak(10, 14) == 768);
  CHECK(peak(8, 10) == 256);
  CHECK(peak(10, 5) == 32);
}

/// A switch between the two ports, which nothing else is plugged into.
struct Switched {
  Ports p;
  Picoseconds latency = 10ns;
  Switch& at = p.bench.add_named<Switch>("switch", latency, 2);
  gicsim::Way to_near{p.bench.kernel, 100ns}, to_far{p.bench.kernel, 100ns};
  Unclaimed unclaimed{"unclaimed", p.pool};
  Switched() {
    at.out[0].bind(to_near), at.out[1].bind(to_far);
    at.route_address(0, 0x1000, 1);
    at.route_requester(1, 0), at.route_requester(2, 1);
    at.refuse_by(unclaimed);
    p.forth.far = at.in[0].operator->(), p.back.far = at.in[1].operator->();
    to_near.far = p.near.in.operator->(), to_far.far = p.far.in.operator->();
  }
};

TEST_CASE("unclaimed: a read of what no window claims ends as UR, a write vanishes, a claimed one goes on") {
  Switched s;
  s.p.submit_at(0ns, Kind::read, 0x1000, 64_B);
  s.p.submit_at(0ns, Kind::write, 0x1000, 512_B);
  s.p.submit_at(0ns, Kind::read, 0xfc0, 64_B);
  s.p.bench.run();
  CHECK(s.p.log.ends == std::vector<Picoseconds>{100ns, 210ns, 470ns});
  CHECK(how_ended(s.p.log.all[1]) == "read of 64 B at 0x1000: UR of switch, no window claims the address");
  CHECK(s.unclaimed.stats().refused == 1);
  CHECK(s.unclaimed.stats().writes == 2);
  s.p.check_books();
}

TEST_CASE("unclaimed: a closed port answers at once, and drops what comes back through it") {
  Switched s;
  s.p.near_params.completion_timeout = 10us;
  s.p.submit_at(0ns, Kind::read, 0, 64_B);  // past the port when it closes: its completion still comes
  s.p.script.at(150ns, [&] { s.at.close(1, "contained"); });
  s.p.submit_at(1us, Kind::read, 0, 64_B);
  s.p.script.at(2us, [&] { s.at.close(1, nullptr); });
  s.p.submit_at(2us, Kind::read, 0, 64_B);
  s.p.bench.run();
  CHECK(s.p.log.ends == std::vector<Picoseconds>{470ns, 1210ns, 2470ns});
  CHECK(how_ended(s.p.log.all[1]) == "read of 64 B at 0x0: UR of switch, contained");
  s.p.check_books();
}

}  // namespace
}  // namespace gicsim::pcie
