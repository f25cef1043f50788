// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/attach/target_bridge.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "models/attach/initiator_bridge.h"
#include "models/base/errors.h"
#include "models/base/random.h"
#include "models/pcie/endpoint.h"
#include "models/pcie/link.h"
#include "tests/support/bench.h"
#include "tests/support/foreign.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"

namespace gicsim::attach {
namespace {

using foreign::ns;

using Lines = std::vector<std::string>;
using Style = TargetOptions::Style;


/// A port that asks, a link each way, and a foreign target behind the far port, from `base` on. The link is
/// gen 1 x1: 4 ns a byte, no latency.
struct Machine {
  static constexpr Address base = 0x10000;
  pcie::EndpointParams params{.mps = 128_B, .mrrs = 256_B};
  pcie::LinkParams link_params{.generation = 1, .lanes = 1, .latency = 0ns, .ack = 0_B};
  TransferPool pool;
  Probe<TlpSent> sent;
  Bench bench;
  SlowMemory nobody;
  Script script{bench.kernel};
  pcie::Endpoint& near;
  pcie::Endpoint& far;
  pcie::Link& there;
  pcie::Link& back;
  TlmTargetBridge<>& bridge;

  explicit Machine(Style style, Kernel::Steps steps = Kernel::Steps::run_ahead, Bytes posted_data = 32_KiB)
      : link_params{.generation = 1, .lanes = 1, .latency = 0ns, .ack = 0_B, .posted_data = posted_data},
        bench(steps),
        near(bench.add_named<pcie::Endpoint>("near", params, RequesterId{1}, pool)),
        far(bench.add_named<pcie::Endpoint>("far", params, RequesterId{2}, pool)),
        there(bench.add_named<pcie::Link>("link_down", link_params, Kernel::Lane{1}, sent)),
        back(bench.add_named<pcie::Link>("link_up", link_params, Kernel::Lane{2}, sent)),
        bridge(bench.add_named<TlmTargetBridge<>>("bridge", TargetOptions{base, style})) {
    near.out.bind(there.in);
    near.device.bind(nobody);
    there.out.bind(bridge.in);
    bridge.port.bind(far.in);
    far.device.bind(bridge.device);
    far.out.bind(back.in);
    back.out.bind(near.in);
  }
  void balance() {
    for (const pcie::Endpoint* port : {&near, &far}) port->check_books();
    there.check_books(), back.check_books();
    bridge.check_books();
    CHECK(pool.out() == 0);
  }
};

/// Asks a machine for transfers, and notes how each ended.
struct Asker : Initiator {
  Machine& machine;
  Lines log;
  explicit Asker(Machine& m) : machine(m) {}
  void ask(Picoseconds t, Transfer::Kind kind, Address address, Bytes length, Content content = {}, std::uint32_t lines = 1) {
    machine.script.at(t, [=, this] {
      Transfer& transfer = machine.near.memory->make();
      transfer.kind = kind, transfer.address = address, transfer.length = length;
      transfer.content = content, transfer.lines = lines, transfer.initiator = this;
      machine.near.memory->submit(transfer);
    });
  }
  void on_transferred(Transfer& t) override {
    std::string line = std::to_string(machine.bench.now().count());
    line += (t.kind == Transfer::Kind::write ? " W" : " R") + std::to_string(t.length.count());
    const auto add = [&](const Content& content) {
      if (const auto* word = std::get_if<std::uint64_t>(&content)) line += " " + std::to_string(*word);
    };
    if (t.kind == Transfer::Kind::read) {
      add(t.content);
      for (const Content& content : t.more) add(content);
      if (t.status != CompletionStatus::successful) line += " " + std::string(name_of(t.status));
    }
    log.push_back(line);
  }
};

constexpr auto write = Transfer::Kind::write, read = Transfer::Kind::read;
constexpr Address base = Machine::base;

// 32 B of MWr and 24 B of MRd at 4 ns a byte arrive after 128 and 96 ns; 28 B of CplD take 112 ns.
TEST_CASE("attach: a foreign memory takes a write and gives it back, its latency on top of the wire's time") {
  for (const Kernel::Steps steps : {Kernel::Steps::run_ahead, Kernel::Steps::exact})
    for (const bool waits : {false, true}) {
      Machine machine(Style::loosely_timed, steps);
      Asker asker(machine);
      auto& memory = machine.bench.add_named<foreign::LtMemory>("memory", ns(50), waits);
      machine.bridge.socket.bind(memory.socket);
      asker.ask(0ns, write, base + 0x40, 8_B, std::uint64_t{77});
      asker.ask(1us, read, base + 0x40, 8_B);
      machine.bench.run();
      CHECK(memory.store.log == Lines{"178000 W 40+8", "1146000 R 40+8"});
      CHECK(asker.log == Lines{"178000 W8", "1258000 R8 77"});
      machine.balance();
    }
}

TEST_CASE("attach: one TLP is one generic payload; what isn't carried is zero, and lines come back as numbers") {
  Machine machine(Style::loosely_timed);
  Asker asker(machine);
  auto& memory = machine.bench.add_named<foreign::LtMemory>("memory", ns(0), false);
  machine.bridge.socket.bind(memory.socket);
  asker.ask(0ns, write, base + 0x1f80, 300_B, std::uint64_t{0x0102030405060708});
  asker.ask(0ns, write, base + 0x1fc0, 8_B, std::uint64_t{5});
  asker.ask(5us, read, base + 0x1f80, 300_B, {}, 5);
  machine.bench.run();
  for (std::string& line : memory.store.log) line.erase(0, line.find(' ') + 1);
  CHECK(memory.store.log == Lines{"W 1f80+128", "W 2000+128", "W 2080+44", "W 1fc0+8", "R 1f80+128", "R 2000+172"});
  CHECK(memory.store.bytes[0x1f80] == 8);
  CHECK(memory.store.bytes[0x1f87] == 1);
  CHECK(memory.store.bytes[0x1f88] == 0);
  CHECK(asker.log.back().substr(asker.log.back().find('R')) == "R300 72623859790382856 5 0 0 0");
  CHECK(machine.bridge.stats().written == 308_B);
  CHECK(machine.bridge.stats().read == 300_B);
  machine.balance();
}

TEST_CASE("attach: a target that waits has one access at a time, one that annotates has them overlap") {
  for (const bool waits : {true, false}) {
    Machine machine(Style::loosely_timed);
    Asker asker(machine);
    auto& memory = machine.bench.add_named<foreign::LtMemory>("memory", ns(132), waits);
    machine.bridge.socket.bind(memory.socket);
    asker.ask(0ns, read, base, 8_B);
    asker.ask(0ns, read, base + 64, 8_B);
    machine.bench.run();  // requests at 96 and 192 ns
    CHECK(asker.log.front() == "340000 R8 0");
    CHECK(asker.log.back() == (waits ? "472000 R8 0" : "452000 R8 0"));
    machine.balance();
  }
}

TEST_CASE("attach: a read behind a slow write is answered after it; a flush of no bytes, too") {
  Machine machine(Style::loosely_timed);
  Asker asker(machine);
  auto& memory = machine.bench.add_named<foreign::LtMemory>("memory", ns(1000), false);
  machine.bridge.socket.bind(memory.socket);
  asker.ask(0ns, write, base, 8_B, std::uint64_t{1});
  asker.ask(0ns, read, base, 8_B);
  machine.bench.run();
  CHECK(asker.log == Lines{"1128000 W8", "1336000 R8 1"});
}

TEST_CASE("attach: a slow target holds its buffer, and the sender's credits run out") {
  const auto last = [](Picoseconds latency) {
    Machine machine(Style::loosely_timed, Kernel::Steps::run_ahead, 256_B);
    Asker asker(machine);
    auto& memory = machine.bench.add_named<foreign::LtMemory>("memory", ns(static_cast<double>(latency.count()) / 1000), true);
    machine.bridge.socket.bind(memory.socket);
    asker.ask(0ns, write, base, 1_KiB);
    machine.bench.run();
    machine.balance();
    CHECK(machine.bridge.stats().most <= 2);
    return machine.bench.now();
  };
  CHECK(last(0ns) == 8 * 608ns);  // 152 B a TLP
  CHECK(last(2us) == 608ns + 8 * 2us);
}

TEST_CASE("attach: a foreign error ends a read as unsupported, and is counted for a write") {
  Machine machine(Style::loosely_timed);
  Asker asker(machine);
  auto& memory = machine.bench.add_named<foreign::LtMemory>("memory", ns(10), false);
  memory.store.size = 0x1000;
  machine.bridge.socket.bind(memory.socket);
  asker.ask(0ns, read, base + 0x2000, 8_B);
  asker.ask(1us, write, base + 0x2000, 8_B, std::uint64_t{1});
  machine.bench.run();
  REQUIRE(asker.log.size() == 2);
  CHECK(asker.log[0].find("UR") != std::string::npos);
  CHECK(machine.bridge.stats().failed_reads == 1);
  CHECK(machine.bridge.stats().failed_writes == 1);
}

TEST_CASE("attach: an approximately timed memory: its request phase and its latency, to the picosecond") {
  for (const Kernel::Steps steps : {Kernel::Steps::run_ahead, Kernel::Steps::exact}) {
    Machine machine(Style::approximately_timed, steps);
    Asker asker(machine);
    auto& memory = machine.bench.add_named<foreign::AtMemory>("memory", ns(200), ns(30));
    machine.bridge.socket.bind(memory.socket);
    asker.ask(0ns, write, base, 8_B, std::uint64_t{6});
    asker.ask(0ns, read, base, 8_B);
    machine.bench.run();
    CHECK(memory.store.log == Lines{"358000 W 0+8", "558000 R 0+8"});
    CHECK(asker.log == Lines{"358000 W8", "670000 R8 6"});
    CHECK(memory.ends_of_response == 2);
    machine.balance();
  }
}

TEST_CASE("attach: a target that never answers makes a run stuck, and the books say so") {
  struct Silent : sc_core::sc_module {
    tlm_utils::simple_target_socket<Silent> socket{"socket"};
    explicit Silent(sc_core::sc_module_name name) : sc_module(name) {
      socket.register_nb_transport_fw(this, &Silent::on_phase);
    }
    tlm::tlm_sync_enum on_phase(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
      return tlm::TLM_ACCEPTED;
    }
  };
  Machine machine(Style::approximately_timed);
  Asker asker(machine);
  machine.bridge.socket.bind(machine.bench.add_named<Silent>("silent").socket);
  asker.ask(0ns, write, base, 8_B);
  CHECK(machine.bench.run() == Kernel::Ended::stuck);
  CHECK_THROWS_AS(machine.bridge.check_books(), ModelError);
}

/// A foreign engine at the near port and a foreign memory at the far one, with random traffic of our own beside; all
/// that anybody saw.
Lines history(Kernel::Steps steps, Style style, InitiatorOptions::Writes writes) {
  Machine machine(style, steps);
  Asker asker(machine);
  auto& master = machine.bench.add_named<TlmInitiatorBridge<>>("master", InitiatorOptions{.writes = writes, .outstanding = 3});
  master.memory.bind(machine.near.memory);
  auto& engine = machine.bench.add_named<foreign::LtInitiator>("engine", [](foreign::LtInitiator& e) {
    RandomStream random(11, "engine");
    for (int i = 0; i < 120; ++i) {
      const Address at = base + 8 * random.below(64);
      if (random.below(3) == 0) e.log.push_back("read " + std::to_string(e.read(at, 1 + random.below(700))[0]));
      else e.write(at, foreign::Data(1 + random.below(500), static_cast<unsigned char>(i)));
      e.local += sc_core::sc_time(static_cast<double>(random.below(900)), sc_core::SC_NS);
      if (random.below(4) == 0) {
        sc_core::wait(e.local);
        e.local = sc_core::SC_ZERO_TIME;
      }
    }
  });
  engine.socket.bind(master.socket);
  foreign::LtMemory* lt = nullptr;
  foreign::AtMemory* at = nullptr;
  if (style == Style::loosely_timed) {
    lt = &machine.bench.add_named<foreign::LtMemory>("memory", ns(37), true);
    machine.bridge.socket.bind(lt->socket);
  } else {
    at = &machine.bench.add_named<foreign::AtMemory>("memory", ns(11), ns(37));
    machine.bridge.socket.bind(at->socket);
  }
  RandomStream random(12, "asker");
  for (int i = 0; i < 150; ++i)
    asker.ask(Picoseconds{static_cast<std::int64_t>(random.below(400'000'000))}, random.below(2) == 0 ? write : read,
              base + random.below(512), Bytes(1 + static_cast<std::int64_t>(random.below(400))), std::uint64_t{1000} + i);
  machine.bench.run_through(2ms);
  machine.balance();
  master.check_books();
  Lines all = engine.log;
  const Lines& stored = lt ? lt->store.log : at->store.log;
  all.insert(all.end(), stored.begin(), stored.end());
  all.insert(all.end(), asker.log.begin(), asker.log.end());
  return all;
}

TEST_CASE("attach: with foreign models at both ends, running ahead gives the history of exact steps") {
  for (const Style style : {Style::loosely_timed, Style::approximately_timed})
    for (const auto writes : {InitiatorOptions::Writes::accepted, InitiatorOptions::Writes::visible}) {
      const Lines exact = history(Kernel::Steps::exact, style, writes);
      CHECK(exact.size() > 700);
      CHECK(history(Kernel::Steps::run_ahead, style, writes) == exact);
    }
}

}  // namespace
}  // namespace gicsim::attach
