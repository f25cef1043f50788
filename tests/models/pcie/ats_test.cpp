// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/ats.h"

#include <doctest/doctest.h>

#include <deque>

#include "tests/support/bench.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"

namespace gicsim::pcie {
namespace {

/// A port whose transfers all end 100 ns after they came, in order; notes what it was given.
struct Port : MemoryPort {
  struct Given {
    AddressType type;
    Address address;
    Picoseconds at;
  };
  Kernel& kernel;
  TransferPool pool;
  std::vector<Given> all;
  std::deque<Transfer*> inside;
  CompletionStatus answer = CompletionStatus::successful;

  explicit Port(Kernel& k) : kernel(k) {}
  Transfer& make() override { return pool.take(); }
  void submit(Transfer& transfer) override {
    all.push_back({transfer.address_type, transfer.address, kernel.now()});
    inside.push_back(&transfer);
    kernel.at<&Port::on_end>(kernel.now() + 100ns, this);
  }
  void on_end() {
    Transfer& transfer = *inside.front();
    inside.pop_front();
    if (transfer.address_type == AddressType::translation_request) transfer.status = answer;
    transfer.initiator->on_transferred(transfer);
    pool.give(transfer);
  }
};

struct Fixture : Invalidator {
  Bench bench;
  AtsParams params;
  Port port;
  Ats& ats;
  TransferLog ends;
  Script script;
  std::vector<Picoseconds> invalidated;

  explicit Fixture(const AtsParams& p)
      : params(p), port(bench.kernel), ats(bench.add_named<Ats>("ats", params)), ends(bench.kernel), script(bench.kernel) {
    ats.port.bind(port);
  }
  void submit(Address at, Bytes length) {
    Transfer& transfer = ats.memory->make();
    transfer.kind = Transfer::Kind::read;
    transfer.address = at;
    transfer.length = length;
    transfer.initiator = &ends;
    ats.memory->submit(transfer);
  }
  void on_invalidated() override { invalidated.push_back(bench.now()); }
  void run() {
    bench.run();
    ats.check_books();
    CHECK(port.pool.out() == 0);
  }
};

constexpr AtsParams on{.ats = AtsMode::on, .entries = 4, .ways = 4, .requests = 2};

TEST_CASE("ats: off, a transfer goes straight on, untranslated") {
  Fixture f({});
  f.script.at(0ns, [&] { f.submit(0, 64_B); });
  f.run();
  REQUIRE(f.port.all.size() == 1);
  CHECK(f.port.all[0].type == AddressType::untranslated);
}

TEST_CASE("ats: the first transfer of a page waits for its translation, the next one has it") {
  Fixture f(on);
  f.script.at(0ns, [&] { f.submit(4096, 64_B); });
  f.script.at(500ns, [&] { f.submit(4160, 64_B); });
  f.run();
  REQUIRE(f.port.all.size() == 3);
  CHECK(f.port.all[0].type == AddressType::translation_request);
  CHECK(f.port.all[0].address == 4096);
  CHECK(f.port.all[1].type == AddressType::translated);
  CHECK(f.port.all[1].at == 100ns);
  CHECK(f.port.all[2].at == 500ns);
  CHECK(f.ends.ends == std::vector<Picoseconds>{200ns, 600ns});
  CHECK(f.ats.stats().hits == 1);
}

TEST_CASE("ats: a transfer over more pages than the cache keeps still goes on") {
  Fixture f({.ats = AtsMode::on, .entries = 1, .ways = 1, .requests = 1});
  f.script.at(0ns, [&] { f.submit(0, 12_KiB); });
  f.run();
  CHECK(f.ends.ends == std::vector<Picoseconds>{400ns});  // three translations, one after the other
}

TEST_CASE("ats: transfers go on in order, and ask while they wait, two at a time") {
  Fixture f(on);
  f.script.at(0ns, [&] {
    f.submit(0, 64_B);
    f.submit(4096, 64_B);
    f.submit(8192, 64_B);
    f.submit(0, 64_B);  // its page is asked for already
  });
  f.run();
  CHECK(f.ats.stats().requests == 3);
  CHECK(f.ends.ends == std::vector<Picoseconds>{200ns, 200ns, 300ns, 300ns});
}

TEST_CASE("ats: what is refused goes untranslated, for others to end") {
  Fixture f(on);
  f.port.answer = CompletionStatus::unsupported;
  f.script.at(0ns, [&] { f.submit(0, 64_B); });
  f.run();
  CHECK(f.port.all[1].type == AddressType::untranslated);
}

TEST_CASE("ats: an invalidation is answered when what used the page has ended, and it is asked for again") {
  Fixture f(on);
  f.script.at(0ns, [&] { f.submit(0, 64_B); });
  f.script.at(150ns, [&] { f.ats.invalidate(0, 4_KiB, f); });      // under way until 200 ns
  f.script.at(160ns, [&] { f.ats.invalidate(8192, 4_KiB, f); });   // used by nobody, but behind the other
  f.script.at(300ns, [&] { f.submit(0, 64_B); });
  f.run();
  CHECK(f.invalidated == std::vector<Picoseconds>{200ns, 200ns});
  CHECK(f.ats.stats().requests == 2);
}

TEST_CASE("ats: an invalidation that came as a message is answered by one, behind the transfers that used the page") {
  struct Messages : MessagePort {
    Kernel& kernel;
    std::vector<Tlp> all;
    std::vector<Picoseconds> at;
    explicit Messages(Kernel& k) : kernel(k) {}
    void message(const Tlp& message) override { all.push_back(message), at.push_back(kernel.now()); }
  };
  Fixture f(on);
  Messages messages(f.bench.kernel);
  f.ats.answers_by(messages);
  Transfer first, second;
  first.length = second.length = 4_KiB;
  second.address = 4096;
  f.script.at(0ns, [&] { f.submit(0, 64_B); });
  f.script.at(150ns, [&] {
    f.ats.on_message({.kind = TlpKind::message, .code = MessageCode::invalidate_request, .length = 8_B, .transfer = &first});
    f.ats.on_message({.kind = TlpKind::message, .code = MessageCode::invalidate_request, .length = 8_B, .transfer = &second});
  });
  f.run();
  CHECK(messages.at == std::vector<Picoseconds>{200ns, 200ns});
  REQUIRE(messages.all.size() == 2);
  CHECK(messages.all[0].transfer == &first);
  CHECK(messages.all[0].code == MessageCode::invalidate_completion);
  CHECK(messages.all[0].completer == unknown_id);
  CHECK(messages.all[1].transfer == &second);
}

}  // namespace
}  // namespace gicsim::pcie
