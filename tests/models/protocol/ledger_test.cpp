// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/protocol/ledger.h"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "models/base/random.h"

namespace gicsim {
namespace {

constexpr const char *a = "a", *b = "b";

Picoseconds sum(const Ledger& ledger) {
  Picoseconds all{};
  for (const Ledger::Entry& entry : ledger.entries()) all += entry.time;
  return all;
}

TEST_CASE("ledger: stages are gapless from start to the last close") {
  Ledger ledger;
  ledger.start(100ns);
  ledger.close(Stage::api, a, 130ns);
  ledger.waited(4ns);
  ledger.close(Stage::fence, a, 150ns);
  REQUIRE(ledger.entries().size() == 2);
  CHECK(ledger.entries()[0] == Ledger::Entry{a, 30ns, 0ns, Stage::api});
  CHECK(ledger.entries()[1] == Ledger::Entry{a, 20ns, 4ns, Stage::fence});
  CHECK(ledger.begun() == 100ns);
  CHECK(ledger.last() == 150ns);
  CHECK(ledger.total() == 50ns);
}

TEST_CASE("ledger: equal stages at one place merge, at two places they are two hops") {
  Ledger ledger;
  ledger.start(0ns);
  ledger.close(Stage::wqe_read, a, 10ns);
  ledger.waited(1ns);
  ledger.close(Stage::wqe_read, a, 15ns);
  ledger.close(Stage::wqe_read, b, 16ns);
  ledger.close(Stage::wqe_read, a, 18ns);
  REQUIRE(ledger.entries().size() == 3);
  CHECK(ledger.entries()[0] == Ledger::Entry{a, 15ns, 1ns, Stage::wqe_read});
  CHECK(ledger.entries()[2] == Ledger::Entry{a, 2ns, 0ns, Stage::wqe_read});
}

TEST_CASE("ledger: a stage without time leaves nothing, and waiting is never more than the stage") {
  Ledger ledger;
  ledger.start(5ns);
  ledger.close(Stage::nic_tx, a, 5ns);
  CHECK(ledger.entries().empty());
  ledger.waited(9ns);
  ledger.close(Stage::nic_tx, a, 8ns);
  CHECK(ledger.entries()[0].waiting == 3ns);
  ledger.close(Stage::nic_rx, a, 20ns);
  CHECK(ledger.entries()[1].waiting == 0ns);
}

TEST_CASE("ledger: time never runs backwards, and the message says where") {
  Ledger ledger;
  ledger.start(10ns);
  CHECK_THROWS_WITH_AS(ledger.close(Stage::poll, a, 9ns), "ledger: poll at a ends 1000 ps before it begins",
                       std::logic_error);
}

TEST_CASE("ledger: a fork goes its own way, and starting again forgets") {
  Ledger completion;
  completion.start(0ns);
  completion.close(Stage::nic_rx, a, 10ns);
  Ledger delivery = completion;
  delivery.close(Stage::remote_write, b, 15ns);
  completion.close(Stage::nic_ack, a, 40ns);
  CHECK(delivery.total() == 15ns);
  CHECK(completion.total() == 40ns);
  CHECK(completion.entries()[0] == delivery.entries()[0]);
  completion.start(50ns);
  CHECK(completion.entries().empty());
  CHECK(completion.total() == 0ns);
}

TEST_CASE("ledger: a way of many hops is kept whole") {
  Ledger ledger;
  ledger.start(0ns);
  for (int i = 1; i <= 200; ++i) ledger.close(Stage::wqe_read, i % 2 ? a : b, 1ns * i);
  CHECK(ledger.entries().size() == 200);
  CHECK(sum(ledger) == 200ns);
}

TEST_CASE("ledger: whatever is closed, the entries add up to the total") {
  RandomStream random(7, "ledger");
  for (int round = 0; round < 500; ++round) {
    Ledger ledger;
    Picoseconds now{static_cast<std::int64_t>(random.below(1'000'000))};
    ledger.start(now);
    for (int i = 0; i < 80; ++i) {
      now += Picoseconds{static_cast<std::int64_t>(random.below(5'000))};
      if (random.below(3) == 0) ledger.waited(Picoseconds{static_cast<std::int64_t>(random.below(3'000))});
      ledger.close(static_cast<Stage>(random.below(8)), random.below(2) ? a : b, now);
    }
    REQUIRE(sum(ledger) == ledger.total());
    REQUIRE(ledger.begun() + ledger.total() == now);
    for (const Ledger::Entry& entry : ledger.entries()) REQUIRE(entry.waiting <= entry.time);
  }
}

TEST_CASE("ledger: one that goes on with another's record has its entries, and its time") {
  Ledger first, second;
  first.start(10ns);
  first.close(Stage::poll, "cpu", 15ns);
  second.start(15ns);
  second.close(Stage::call, "cpu", 18ns);
  second.waited(2ns);
  second.close(Stage::copy, "engine", 25ns);
  first.append(second);
  CHECK(first.total() == 15ns);
  REQUIRE(first.entries().size() == 3);
  CHECK(first.entries()[1].stage == Stage::call);
  CHECK(first.entries()[2].time == 7ns);
  CHECK(first.entries()[2].waiting == 2ns);
}

TEST_CASE("stage: every stage has a name of its own and a layer") {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Stage::retransmit); ++i) names.insert(name_of(static_cast<Stage>(i)));
  CHECK(names.size() == static_cast<std::size_t>(Stage::retransmit) + 1);
  CHECK(std::size(stage_names) == names.size());
  CHECK(layer_of(Stage::proxy_work) == "L1");
  CHECK(layer_of(Stage::compute) == "L2");
  CHECK(layer_of(Stage::poll) == "L2");
  CHECK(layer_of(Stage::doorbell_flight) == "L3");
  CHECK(layer_of(Stage::cqe_write) == "L3");
  CHECK(layer_of(Stage::nic_doorbell) == "L4");
  CHECK(layer_of(Stage::nic_wait) == "L4");
  CHECK(layer_of(Stage::serialise) == "L5");
  CHECK(name_of(Stage::switching) == "switch");
}

TEST_CASE("ledger: one that was taken back is out of its carriers' reach, and has nothing beyond that moment") {
  Ledger ledger;
  ledger.start(0ns);
  ledger.close(Stage::nic_tx, a, 100ns);
  LedgerRef first = &ledger;
  CHECK(static_cast<Ledger*>(first) == &ledger);
  ledger.waited(3ns);
  ledger.close(Stage::payload_read, b, 160ns);  // a switch knows when it will forward
  ledger.take_back(130ns);
  CHECK(static_cast<Ledger*>(first) == nullptr);
  CHECK(ledger.last() == 130ns);
  ledger.close(Stage::retransmit, a, 200ns);
  CHECK(sum(ledger) == 200ns);
  ledger.take_back(50ns);
  CHECK(ledger.entries().size() == 1);
  CHECK(sum(ledger) == 50ns);
  LedgerRef second = &ledger;
  ledger.start(300ns);
  CHECK_FALSE(static_cast<bool>(second));
  CHECK_FALSE(static_cast<bool>(LedgerRef()));
}

}  // namespace
}  // namespace gicsim
