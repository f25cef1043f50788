// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Bit errors, replay and credit updates, to the picosecond: Gen1 x16 carries a byte in 250 ps, so a write of 256 B
// takes 70 ns and a DLLP 2 ns. Which bits are wrong follows from the seed; each case takes the first that has its pattern.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "models/base/errors.h"
#include "models/base/random.h"
#include "models/pcie/link.h"
#include "models/pcie/replay_timer.h"
#include "tests/support/bench.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"

namespace gicsim::pcie {
namespace {

using Times = std::vector<Picoseconds>;
constexpr Bytes write_256 = 280_B, dllp = 8_B;

enum Hit : char { good, content, framing };

/// Whether the stream of a direction has these hits, packet by packet, and then none for a while.
bool has_pattern(const LinkParams& params, std::uint64_t seed, const char* who, Bytes packet, Bytes head,
                 const std::vector<Hit>& hits) {
  BitErrors errors(params.ber, seed, who);
  for (const Hit hit : hits) {
    const auto first = errors.first_in(packet.count() * 8);
    if ((first ? *first < head.count() * 8 ? framing : content : good) != hit) return false;
  }
  return !errors.first_in(100 * packet.count() * 8);
}

struct Fixture {
  LinkParams params;
  Bench bench;
  Probe<TlpSent> sent;
  Link *link, *back;
  TlpLog log{bench.kernel}, returned{bench.kernel};
  Script script{bench.kernel};
  std::deque<Transfer> transfers;

  explicit Fixture(const LinkParams& p)
      : params(p),
        link(&bench.add_named<Link>("link", params, Kernel::Lane{1}, sent)),
        back(&bench.add_named<Link>("back", params, Kernel::Lane{2}, sent)) {
    link->out.bind(log), back->out.bind(returned);
    link->acknowledged_by(*back), back->acknowledged_by(*link);
  }
  /// The first seed whose errors hit these TLPs of `link` and these DLLPs of `back`, in order of sending.
  void hit(const std::vector<Hit>& tlps, const std::vector<Hit>& dllps = {}) {
    const Bytes head = params.generation < 3 ? 2_B : 4_B;
    for (std::uint64_t seed = 1;; ++seed) {
      REQUIRE(seed < 10'000'000);
      if (!has_pattern(params, seed, "link", write_256, head, tlps)) continue;
      if (!has_pattern(params, seed, "back", dllp, 2_B, dllps)) continue;
      link->vary({.seed = seed}), back->vary({.seed = seed});
      return;
    }
  }
  void write(int n, Picoseconds at = 0ns, Bytes length = 256_B) {
    for (int i = 0; i < n; ++i)
      script.at(at, [this, length] {
        link->in->send({.last = true, .length = length, .transfer = &transfers.emplace_back()}, bench.now());
      });
  }
  void check_books() const { link->check_books(), back->check_books(); }
};

LinkParams gen1(double ber) {
  return {.generation = 1, .lanes = 16, .ber = Probability::steps(std::llround(ber * 1e18)), .replay_timer = 1us};
}

/// TLPs one after another from `first` on, each 70 ns.
void add(Times& times, Picoseconds first, int n) {
  for (int i = 0; i < n; ++i) times.push_back(first + i * 70ns);
}

TEST_CASE("data link: one bad TLP, one Nak, and all from it on once more") {
  Fixture f(gen1(1e-5));
  f.hit({good, good, content});  // the third: 140 .. 210, there at 282, Nak 282 .. 284, back at 356
  f.write(10);
  f.bench.run();
  Times times;
  add(times, 142ns, 2), add(times, 420ns + 70ns + 72ns, 8);  // the sixth has the lanes until 420
  CHECK(f.log.times() == times);
  CHECK(f.link->stats().bad_tlp == 1);
  CHECK(f.link->stats().discarded == 3);
  CHECK(f.link->stats().replays == 4);
  CHECK(f.link->stats().replayed == 4 * 280_B);
  CHECK(f.link->stats().tlps == 10);
  CHECK(f.link->stats().wire == 14 * 280_B);
  CHECK(f.link->stats().payload == 10 * 256_B);
  CHECK(f.link->stats().timeout == 0);
  CHECK(f.back->stats().naks == 1);
  CHECK(f.back->stats().acks == 10);
  f.check_books();
}

TEST_CASE("data link: a TLP bad twice isn't NAKed twice: the replay timer finds it") {
  Fixture f(gen1(1e-5));
  f.hit({good, good, content, good, good, good, content});  // the seventh sending is the third TLP again: 420 .. 490
  f.write(10);
  f.bench.run();
  Times times;
  add(times, 142ns, 2), add(times, 490ns + 1us + 70ns + 72ns, 8);
  CHECK(f.log.times() == times);
  CHECK(f.link->stats().bad_tlp == 2);
  CHECK(f.link->stats().timeout == 1);
  CHECK(f.link->stats().rollover == 0);
  CHECK(f.back->stats().naks == 1);
  f.check_books();
}

TEST_CASE("data link: a lost Ack in a stream costs nothing, the next one covers it") {
  Fixture f(gen1(1e-5));
  f.hit({}, {good, content});
  f.write(5);
  f.bench.run();
  Times times;
  add(times, 142ns, 5);
  CHECK(f.log.times() == times);
  CHECK(f.back->stats().bad_dllp == 1);
  CHECK(f.link->stats().timeout == 0);
  CHECK(f.link->stats().replays == 0);
  f.check_books();
}

TEST_CASE("data link: the last Ack lost, the timer sends the TLP again, and it isn't delivered twice") {
  Fixture f(gen1(1e-5));
  f.hit({}, {content});
  f.write(1);
  f.bench.run();
  CHECK(f.log.times() == Times{142ns});
  CHECK(f.back->stats().bad_dllp == 1);
  CHECK(f.link->stats().timeout == 1);
  CHECK(f.link->stats().replays == 1);
  CHECK(f.link->stats().duplicates == 1);
  CHECK(f.bench.now() == 70ns + 1us + 70ns + 72ns + 2ns + 72ns);  // until its second Ack is back
  f.check_books();
}

TEST_CASE("data link: a lost Nak waits for the timer as well") {
  Fixture f(gen1(1e-5));
  f.hit({good, content}, {good, content});
  f.write(3);
  f.bench.run();
  // The Ack of the first, back at 216 ns, started the timer anew.
  CHECK(f.log.times() == Times{142ns, 216ns + 1us + 70ns + 72ns, 216ns + 1us + 140ns + 72ns});
  CHECK(f.back->stats().bad_dllp == 1);
  CHECK(f.link->stats().timeout == 1);
  f.check_books();
}

TEST_CASE("data link: a start symbol hit up to Gen 2: RxErr, and the gap is found by the TLP behind") {
  Fixture f(gen1(1e-5));
  f.hit({good, good, framing, good, good, good, good, good, good, good, good, good});
  f.write(5);
  f.bench.run();
  // The fourth is there at 352, the Nak back at 426; the fifth ended at 350.
  CHECK(f.log.times() == Times{142ns, 212ns, 426ns + 142ns, 426ns + 212ns, 426ns + 282ns});
  CHECK(f.link->stats().rx_err == 1);
  CHECK(f.link->stats().bad_tlp == 1);
  CHECK(f.link->stats().discarded == 1);
  CHECK(f.link->stats().retrains == 0);
  f.check_books();
}

TEST_CASE("data link: from Gen 3 on a token hit sends the link through Recovery") {
  LinkParams params = gen1(1e-5);
  params.generation = 3, params.lanes = 4, params.retrain = 5us;
  Fixture f(params);
  f.hit({good, framing, good, good, good, good, good, good});
  f.write(3);
  f.bench.run();
  const Picoseconds t = 280_B / rate(params), found = 2 * t + 72ns;
  REQUIRE(f.log.all.size() == 3);
  CHECK(f.log.all[0].at == t + 72ns);
  // Nobody asks for it again after Recovery; the timer stands still until then, and starts with the first one's Ack.
  CHECK(std::chrono::abs(f.log.all[1].at - (found + 5us + 1us + t + 72ns)) <= 2_ps);
  CHECK(f.link->stats().rx_err == 1);
  CHECK(f.link->stats().retrains == 1);
  CHECK(f.link->stats().discarded == 1);
  CHECK(f.link->stats().timeout == 1);
  f.check_books();
}

TEST_CASE("data link: at the worst rate that may be set TLPs of 4 KiB roll the replay count over, and all arrive") {
  LinkParams params = gen1(1e-4);
  params.retrain = 3us;
  Fixture f(params);
  f.link->vary({.seed = 3}), f.back->vary({.seed = 3});
  f.write(60, 0ns, 4_KiB);
  f.bench.run();
  CHECK(f.log.all.size() == 60);
  CHECK(f.link->stats().rollover > 0);
  CHECK(f.link->stats().retrains == f.link->stats().rollover);
  CHECK(f.link->stats().timeout >= 4 * f.link->stats().rollover - f.back->stats().naks);
  CHECK(f.log.all.back().at > 60 * (4120_B / rate(params)) + f.link->stats().rollover * 3us);
  f.check_books();
}

TEST_CASE("data link: a replay buffer of two TLPs sends two an Ack's round trip") {
  LinkParams params = gen1(0);
  params.replay_buffer = 2 * 280_B + 279_B;
  Fixture f(params);
  f.write(40);
  f.bench.run();
  for (int n = 0; n < 40; ++n)
    REQUIRE(f.log.all[static_cast<std::size_t>(n)].at == n / 2 * (70ns + 72ns + 2ns + 72ns) + n % 2 * 70ns + 142ns);
  CHECK(f.link->stats().replay_buffer_wait == 19 * (216ns - 140ns));
  f.check_books();
}

TEST_CASE("data link: where it changes nothing, arrivals are those of the link without it") {
  RandomStream random(3, "data link");
  for (int round = 0; round < 30; ++round) {
    LinkParams plain{.generation = 1 + static_cast<Count>(random.below(5)), .lanes = 1 << random.below(5),
                     .posted_headers = 1 + static_cast<Count>(random.below(6)), .posted_data = 1_KiB,
                     .non_posted_headers = 1 + static_cast<Count>(random.below(3))};
    LinkParams careful = plain;
    careful.replay_buffer = 16_MiB;
    Times times[2];
    for (const bool with : {false, true}) {
      RandomStream traffic(static_cast<std::uint64_t>(round), "traffic");
      Fixture f(with ? careful : plain);
      Picoseconds now{};
      for (int n = 0; n < 200; ++n) {
        now += Picoseconds{static_cast<std::int64_t>(traffic.below(50'000))};
        const auto kind = static_cast<TlpKind>(traffic.below(3));
        const Bytes length(1 + static_cast<std::int64_t>(traffic.below(512)));
        f.script.at(now, [&f, kind, length] {
          f.link->in->send({.kind = kind, .length = length, .transfer = &f.transfers.emplace_back()}, f.bench.now());
        });
      }
      f.bench.run();
      times[with] = f.log.times();
      f.check_books();
    }
    REQUIRE(times[0] == times[1]);
  }
}

TEST_CASE("data link: UpdateFCs take 8 B of the other direction's lanes, behind the Ack, and bring the credits") {
  LinkParams params = gen1(0);
  params.credit_updates = true, params.posted_headers = 1;
  Fixture f(params);
  f.write(20, 0ns, 8_B);  // 8 ns; there at 80, Ack until 82, UpdateFC until 84, back at 156
  f.bench.run();
  for (int n = 0; n < 20; ++n) REQUIRE(f.log.all[static_cast<std::size_t>(n)].at == n * 156ns + 80ns);
  CHECK(f.back->stats().credit_updates == 20);
  CHECK(f.back->stats().busy == 20 * 4ns);
  f.check_books();
}

TEST_CASE("data link: a lost UpdateFC is made up for by the next, or repeated after 30 us") {
  LinkParams params = gen1(1e-5);
  params.credit_updates = true, params.posted_headers = 1;
  Fixture f(params);
  f.hit({}, {good, content, good, good, good, good, good, good});
  f.write(2, 0ns, 8_B);
  f.bench.run();
  CHECK(f.log.times() == Times{80ns, 84ns + 72ns + 30us + 2ns + 72ns + 80ns});
  CHECK(f.back->stats().bad_dllp == 1);
  CHECK(f.back->stats().credit_updates == 3);
  f.check_books();
}

TEST_CASE("data link: what replays take has a row of its own") {
  Fixture f(gen1(1e-5));
  f.hit({content});
  Ledger ledger;
  ledger.start(0ns);
  f.script.at(0ns, [&] {
    Transfer& transfer = f.transfers.emplace_back();
    transfer.stage = Stage::remote_write, transfer.ledger = &ledger;
    f.link->in->send({.last = true, .length = 256_B, .transfer = &transfer}, f.bench.now());
  });
  f.bench.run();
  REQUIRE(f.log.times() == Times{142ns + 2ns + 72ns + 142ns});
  REQUIRE(ledger.entries().size() == 2);
  CHECK(ledger.entries()[0].time == 142ns);
  CHECK(ledger.entries()[0].waiting == 0ns);
  CHECK(ledger.entries()[1].stage == Stage::retransmit);
  CHECK(std::string(ledger.entries()[1].at) == f.link->name() + std::string(".replay"));
  CHECK(ledger.entries()[1].time == 358ns - 142ns);
}

TEST_CASE("data link: it needs the other direction, and says so") {
  CHECK_THROWS_AS(
      [] {
        const LinkParams params = gen1(1e-9);
        Bench bench;
        Probe<TlpSent> sent;
        TlpLog log(bench.kernel);
        bench.add_named<Link>("link", params, Kernel::Lane{1}, sent).out.bind(log);
        bench.run();
      }(),
      ModelError);
}

TEST_CASE("replay timer: limits by rate, width and payload") {
  CHECK(replay_timer_limit(1, 1, 128_B) == 711 * 4ns);
  CHECK(replay_timer_limit(1, 8, 256_B) == 321 * 4ns);
  CHECK(replay_timer_limit(1, 16, 512_B) == 258 * 4ns);
  CHECK(replay_timer_limit(1, 32, 4_KiB) == 828 * 4ns);
  CHECK(replay_timer_limit(2, 1, 128_B) == 864 * 2ns);
  CHECK(replay_timer_limit(3, 16, 128_B) == 432 * 1ns);
  CHECK(replay_timer_limit(4, 16, 256_B) == 12us);
  CHECK(replay_timer_limit(5, 16, 4_KiB) == 6us);
}

}  // namespace
}  // namespace gicsim::pcie
