// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// How a link's queue uses the ordering rules, and finite completion credits. Gen1 x16 carries a byte in 250 ps exactly.
#include "models/pcie/link.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "models/base/errors.h"
#include "models/base/random.h"
#include "tests/support/bench.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"

namespace gicsim::pcie {
namespace {

struct Fixture {
  LinkParams params;
  Bench bench;
  Probe<TlpSent> sent;
  Link* link;
  TlpLog log{bench.kernel};
  Script script{bench.kernel};
  std::deque<Transfer> transfers;

  explicit Fixture(const LinkParams& p)
      : params(p), link(&bench.add_named<Link>("link", params, Kernel::Lane{1}, sent)) {
    link->out.bind(log);
  }
  void send(Tlp tlp, Picoseconds at = 0ns) {
    tlp.last = true, tlp.transfer = &transfers.emplace_back();
    script.at(at, [this, tlp] { link->in->send(tlp, bench.now()); });
  }
  std::vector<std::uint16_t> tags() const {
    std::vector<std::uint16_t> list;
    for (const auto& arrival : log.all) list.push_back(arrival.tlp.tag);
    return list;
  }
};

using Tags = std::vector<std::uint16_t>;
constexpr LinkParams gen1 = {.generation = 1, .lanes = 16};

LinkParams with(Count posted, Bytes data, Count non_posted = 128) {
  LinkParams params = gen1;
  params.posted_headers = posted, params.posted_data = data, params.non_posted_headers = non_posted;
  return params;
}

TEST_CASE("pcie link: a relaxed write passes one that lacks data credits; a strict one, and a read, don't") {
  for (const auto& [third, order] : {std::pair<Tlp, Tags>{{.kind = TlpKind::write, .relaxed = true}, {1, 3, 2}},
                                     {{.kind = TlpKind::write}, {1, 2, 3}},
                                     {{.kind = TlpKind::write, .requester = 9, .by_id = true}, {1, 3, 2}},
                                     {{.kind = TlpKind::write, .by_id = true}, {1, 2, 3}},
                                     {{.kind = TlpKind::read, .relaxed = true}, {1, 2, 3}},
                                     {{.kind = TlpKind::read, .requester = 9, .by_id = true}, {1, 3, 2}},
                                     {{.kind = TlpKind::atomic, .relaxed = true}, {1, 3, 2}},
                                     {{.kind = TlpKind::completion, .relaxed = true}, {1, 3, 2}},
                                     {{.kind = TlpKind::completion}, {1, 2, 3}}}) {
    Fixture f(with(128, 272_B));  // 17 units: the first takes 16
    f.send({.kind = TlpKind::write, .tag = 1, .length = 256_B});
    f.send({.kind = TlpKind::write, .tag = 2, .length = 256_B});
    Tlp last = third;
    last.tag = 3, last.length = 8_B;
    f.send(last);
    f.bench.run();
    CHECK(f.tags() == order);
    CHECK(f.link->stats().passed == (order[1] == 3 && flow_of(third.kind) == Flow::posted));
    f.link->check_books();
  }
}

TEST_CASE("pcie link: with all credits there, attributes change nothing: order of arrival") {
  Fixture f(gen1);
  for (std::uint16_t n = 0; n < 5; ++n)
    f.send({.kind = static_cast<TlpKind>(n % 3), .requester = n, .tag = n, .relaxed = true, .by_id = true,
            .length = 8_B});
  f.bench.run();
  CHECK(f.tags() == Tags{0, 1, 2, 3, 4});
}

TEST_CASE("pcie link: a write is passed by so many of its flow, then it is its turn") {
  for (const Count most : {0, 1, 3, 8}) {
    LinkParams params = with(128, 272_B);
    params.overtaking = most;
    Fixture f(params);
    f.send({.kind = TlpKind::write, .tag = 1, .length = 256_B});
    f.send({.kind = TlpKind::write, .tag = 2, .length = 256_B});
    for (std::uint16_t tag = 3; tag < 20; ++tag)
      f.send({.kind = TlpKind::write, .tag = tag, .relaxed = true, .length = 8_B}, (tag - 2) * 200ns);
    f.send({.kind = TlpKind::write, .tag = 20, .length = 8_B}, 1ns);  // strict: stays behind the second
    f.bench.run();
    const Tags order = f.tags();
    const auto place = [&](std::uint16_t tag) { return std::find(order.begin(), order.end(), tag) - order.begin(); };
    CHECK(place(2) <= 1 + most);
    CHECK(place(20) > place(2));
    CHECK(f.link->stats().passed <= most);
    f.link->check_books();
  }
}

TEST_CASE("pcie link: finite completion credits hold completions back to the picosecond, and nothing else") {
  LinkParams params = gen1;
  params.completion_headers = 2;
  Fixture f(params);
  for (std::uint16_t tag = 1; tag <= 3; ++tag)
    f.send({.kind = TlpKind::completion, .tag = tag, .length = 60_B});  // 80 B: 20 ns; credits back 144 ns later
  f.send({.kind = TlpKind::write, .tag = 4, .length = 8_B});             // A5: may pass
  f.send({.kind = TlpKind::read, .tag = 5, .length = 8_B});              // B5: may pass
  f.bench.run();
  CHECK(f.tags() == Tags{1, 2, 4, 5, 3});
  CHECK(f.log.times() == std::vector<Picoseconds>{92ns, 112ns, 120ns, 126ns, 164ns + 20ns + 72ns});
  f.link->check_books();
}

TEST_CASE("pcie link: completion data credits: of several requests what fits goes, of one request none passes") {
  for (const bool same : {false, true}) {
    LinkParams params = gen1;
    params.completion_data = 272_B;
    Fixture f(params);
    f.send({.kind = TlpKind::completion, .tag = 1, .length = 256_B});
    f.send({.kind = TlpKind::completion, .tag = 2, .length = 256_B});
    f.send({.kind = TlpKind::completion, .tag = static_cast<std::uint16_t>(same ? 2 : 3), .length = 16_B});
    f.bench.run();
    CHECK(f.log.all[1].tlp.length == (same ? 256_B : 16_B));
    f.link->check_books();
  }
}

TEST_CASE("pcie link: what must be able to pass does, however much is stuck before it, and whatever its attributes") {
  for (const bool attributes : {false, true}) {
    LinkParams params = with(128, 32_KiB, 1);
    params.completion_headers = 1;
    Fixture f(params);
    f.log.keep = true;  // no credit comes back: reads and completions stay for ever
    for (std::uint16_t n = 0; n < 50; ++n) {
      f.send({.kind = TlpKind::read, .requester = n, .by_id = attributes, .length = 8_B});
      f.send({.kind = TlpKind::completion, .requester = n, .relaxed = attributes, .length = 8_B});
    }
    for (int n = 0; n < 20; ++n) f.send({.kind = TlpKind::write, .relaxed = attributes, .length = 8_B});
    f.bench.run();
    const auto of = [&](TlpKind kind) {
      return std::count_if(f.log.all.begin(), f.log.all.end(), [&](const auto& a) { return a.tlp.kind == kind; });
    };
    CHECK(of(TlpKind::write) == 20);
    CHECK(of(TlpKind::completion) == 1);
    CHECK(of(TlpKind::read) == 1);
  }
}

TEST_CASE("pcie link: random traffic with attributes: no pair ever swaps that the table keeps in order") {
  RandomStream random(5, "link order");
  for (int round = 0; round < 40; ++round) {
    LinkParams params = with(1 + static_cast<Count>(random.below(3)), 16_B * (4 + static_cast<Count>(random.below(8))),
                             1 + static_cast<Count>(random.below(3)));
    params.completion_headers = static_cast<Count>(random.below(3));
    params.overtaking = static_cast<Count>(random.below(5));
    Fixture f(params);
    std::vector<Tlp> given;
    Picoseconds now{};
    for (std::uint16_t n = 0; n < 200; ++n) {
      now += Picoseconds{static_cast<std::int64_t>(random.below(30'000))};
      given.push_back({.kind = static_cast<TlpKind>(random.below(5)),
                       .requester = static_cast<RequesterId>(random.below(2)),
                       .tag = static_cast<std::uint16_t>(random.below(4)),
                       .completer = static_cast<RequesterId>(random.below(2)),
                       .relaxed = random.below(3) == 0,
                       .by_id = random.below(3) == 0,
                       .length = Bytes(1 + static_cast<std::int64_t>(random.below(64))),
                       .address = n});
      f.send(given.back(), now);
    }
    f.bench.run();
    REQUIRE(f.log.all.size() == given.size());
    for (std::size_t i = 0; i < given.size(); ++i)
      for (std::size_t j = i + 1; j < given.size(); ++j) {
        const Tlp &first = f.log.all[i].tlp, &second = f.log.all[j].tlp;
        if (second.address < first.address) REQUIRE(may_pass(first, second));
      }
    f.link->check_books();
  }
}

TEST_CASE("pcie link: requests below 4 GiB take a 3-DW header where short headers are on, and only requests") {
  constexpr Address low = 0xffff'fffc, high = Address{1} << 32;
  LinkParams params = gen1;
  for (const bool on : {false, true}) {
    params.short_headers = on;
    const Bytes saved = on ? 4_B : 0_B;
    const auto bytes = [&](TlpKind kind, Address address) {
      return on_wire(params, {.kind = kind, .length = 4_B, .address = address});
    };
    CHECK(bytes(TlpKind::write, low) == 28_B - saved);
    CHECK(bytes(TlpKind::write, high) == 28_B);
    CHECK(bytes(TlpKind::read, low) == 24_B - saved);
    CHECK(bytes(TlpKind::read, high) == 24_B);
    CHECK(bytes(TlpKind::atomic, low) == 28_B - saved);
    CHECK(bytes(TlpKind::completion, low) == 24_B);
    CHECK(bytes(TlpKind::message, low) == 28_B);
  }
}

TEST_CASE("pcie rate: what is left after line coding, Gen 3 to 5, x1 to x32") {
  for (const Count generation : {3, 4, 5})
    for (const Count lanes : {1, 2, 4, 8, 16, 32}) {
      const Count raw = 8'000'000'000 << (generation - 3);
      const LinkParams params{.generation = generation, .lanes = lanes};
      CHECK(rate(params).bits_per_second() == raw * lanes / 130 * 128 + raw * lanes % 130 * 128 / 130);
    }
}

}  // namespace
}  // namespace gicsim::pcie
