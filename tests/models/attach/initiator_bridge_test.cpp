// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/attach/initiator_bridge.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "models/base/errors.h"
#include "models/base/random.h"
#include "tests/support/bench.h"
#include "tests/support/dma.h"
#include "tests/support/foreign.h"

namespace gicsim::attach {
namespace {

using foreign::AtInitiator;
using foreign::Data;
using foreign::LtInitiator;
using foreign::ns;
using Lines = std::vector<std::string>;
using Pieces = std::vector<std::pair<Address, std::int64_t>>;


Pieces pieces_of(const std::vector<Dma::Access>& list) {
  Pieces all;
  for (const Dma::Access& access : list) all.push_back({access.address, access.length.count()});
  return all;
}
std::int64_t sum(const Pieces& list) {
  return std::accumulate(list.begin(), list.end(), std::int64_t{0}, [](auto n, const auto& p) { return n + p.second; });
}

/// A blocking initiator at a memory 100 ns away and back.
struct Lt {
  Bench bench;
  Dma dma{bench.kernel, 100ns};
  TlmInitiatorBridge<>& bridge;
  LtInitiator& initiator;

  explicit Lt(std::function<void(LtInitiator&)> script, InitiatorOptions options = {},
              Kernel::Steps steps = Kernel::Steps::run_ahead)
      : bench(steps),
        bridge(bench.add_named<TlmInitiatorBridge<>>("bridge", std::move(options))),
        initiator(bench.add_named<LtInitiator>("engine", std::move(script))) {
    bridge.memory.bind(dma);
    initiator.socket.bind(bridge.socket);
    dma.stores = true;
  }
  void run() {
    bench.run_through(1ms);
    bridge.check_books();
    CHECK(dma.pool.out() == 0);
  }
};

TEST_CASE("attach: a blocking read ends when its data are here, and its initiator is in step again") {
  for (const Kernel::Steps steps : {Kernel::Steps::run_ahead, Kernel::Steps::exact}) {
    Data seen;
    Lt lt(
        [&](LtInitiator& engine) {
          engine.local = ns(5);
          seen = engine.read(0x1000, 16);
          CHECK(engine.local == sc_core::SC_ZERO_TIME);
        },
        {}, steps);
    lt.dma.cells.write(0x1000, std::uint64_t{0x0807060504030201}, 0ns);
    lt.run();
    CHECK(lt.initiator.log == Lines{"105000 TLM_OK_RESPONSE"});
    CHECK(Dma::times(lt.dma.reads) == std::vector<Picoseconds>{5ns});
    CHECK(seen == Data{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0});
  }
}

TEST_CASE("attach: a posted write is answered at once and keeps the caller's local time; it begins there") {
  Lt lt([](LtInitiator& engine) {
    engine.local = ns(7);
    engine.write(0x40, {9});
    engine.local += ns(3);
    engine.write(0x80, {1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(engine.local == ns(10));
  });
  lt.run();
  CHECK(lt.initiator.log == Lines{"7000 TLM_OK_RESPONSE", "10000 TLM_OK_RESPONSE"});
  CHECK(Dma::times(lt.dma.writes) == std::vector<Picoseconds>{7ns, 10ns});
  CHECK(std::get<std::uint64_t>(lt.dma.writes[0].content) == 9);
  CHECK(std::get<std::uint64_t>(lt.dma.writes[1].content) == 0x0807060504030201);
}

TEST_CASE("attach: a write that waits to be visible takes its way, no more and no less") {
  Lt lt([](LtInitiator& engine) { engine.write(0x40, {1}); }, {.writes = InitiatorOptions::Writes::visible});
  lt.run();
  CHECK(lt.initiator.log == Lines{"50000 TLM_OK_RESPONSE"});
}

TEST_CASE("attach: with two under way the third write isn't accepted before the first has ended") {
  Lt lt(
      [](LtInitiator& engine) {
        for (std::uint64_t i = 0; i < 4; ++i) engine.write(64 * i, {1});
      },
      {.outstanding = 2});
  lt.run();
  CHECK(lt.initiator.log == Lines{"0 TLM_OK_RESPONSE", "0 TLM_OK_RESPONSE", "50000 TLM_OK_RESPONSE",
                                  "50000 TLM_OK_RESPONSE"});
  CHECK(lt.bridge.stats().most == 3);
}

TEST_CASE("attach: a flag is read back by whoever wrote it") {
  Data flag, lines;
  Lt lt([&](LtInitiator& engine) {
    engine.write(0x100, {42});
    engine.write(0x140, {43});
    engine.local += ns(60);
    flag = engine.read(0x100, 8);
    lines = engine.read(0x100, 80);
  });
  lt.run();
  CHECK(flag == Data{42, 0, 0, 0, 0, 0, 0, 0});
  CHECK(lines[0] == 42);
  CHECK(lines[64] == 43);
  CHECK(std::accumulate(lines.begin(), lines.end(), 0) == 85);
}

TEST_CASE("attach: what can't be carried out is answered by the fitting error, and moves nothing") {
  Data eight(8), none;
  std::vector<tlm::tlm_response_status> said;
  Lt lt(
      [&](LtInitiator& engine) {
        said.push_back(engine.access(tlm::TLM_WRITE_COMMAND, 0x1000, none));
        said.push_back(engine.access(tlm::TLM_WRITE_COMMAND, 0x1000, eight, 0));
        said.push_back(engine.write(0x0ff8, Data(9)));
        said.push_back(engine.write(0x1ff9, Data(8)));
        said.push_back(engine.write(0x1ff8, Data(8)));
        said.push_back(engine.access(tlm::TLM_IGNORE_COMMAND, 0x1000, eight));
        said.push_back(engine.access(tlm::TLM_READ_COMMAND, 0x1000, eight, 8, Data{0}));
        tlm::tlm_generic_payload odd;
        odd.set_write();
        odd.set_address(0x1000);
        odd.set_data_ptr(eight.data());
        odd.set_data_length(8);
        odd.set_streaming_width(8);
        odd.set_byte_enable_ptr(eight.data());
        engine.socket->b_transport(odd, engine.local);
        said.push_back(odd.get_response_status());
      },
      {.reach = {{0x1000, 0x1000}}});
  lt.run();
  CHECK(said == std::vector<tlm::tlm_response_status>{
                    tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                    tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE, tlm::TLM_OK_RESPONSE, tlm::TLM_OK_RESPONSE,
                    tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE});
  CHECK(pieces_of(lt.dma.writes) == Pieces{{0x1ff8, 8}});
  CHECK(lt.dma.reads.empty());
  CHECK(lt.bridge.stats().refused == 5);
}

TEST_CASE("attach: enabled bytes go in runs, streaming beats go to one address") {
  Data data{1, 2, 3, 4, 5, 6, 7, 8};
  Lt lt([&](LtInitiator& engine) {
    engine.access(tlm::TLM_WRITE_COMMAND, 0x10, data, 8, Data{0, 0xff, 0xff, 0});
    engine.access(tlm::TLM_WRITE_COMMAND, 0x20, data, 4);
    engine.access(tlm::TLM_WRITE_COMMAND, 0x30, data, 3);
  });
  lt.run();
  CHECK(pieces_of(lt.dma.writes) ==
        Pieces{{0x11, 2}, {0x15, 2}, {0x20, 4}, {0x20, 4}, {0x30, 3}, {0x30, 3}, {0x30, 2}});
  CHECK(std::get<std::uint64_t>(lt.dma.writes[1].content) == 0x0706);
  CHECK(std::get<std::uint64_t>(lt.dma.writes[6].content) == 0x0807);
}

TEST_CASE("attach: whatever the length, width and byte enables, bytes in are bytes out") {
  RandomStream random(3, "attach");
  std::int64_t asked = 0;
  Lt lt([&](LtInitiator& engine) {
    for (int i = 0; i < 300; ++i) {
      Data data(1 + random.below(300)), enables(random.below(9));
      for (auto& byte : enables) byte = random.below(3) == 0 ? 0 : 0xff;
      for (std::size_t b = 0; b < data.size(); ++b) asked += enables.empty() || enables[b % enables.size()] != 0;
      const auto width = static_cast<unsigned>(1 + random.below(data.size() + 8));
      const auto command = random.below(2) == 0 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
      engine.access(command, random.below(1 << 20), data, width, enables);
    }
  });
  lt.run();
  CHECK(asked > 10'000);
  CHECK(sum(pieces_of(lt.dma.writes)) + sum(pieces_of(lt.dma.reads)) == asked);
  CHECK((lt.bridge.stats().read + lt.bridge.stats().written).count() == asked);
}

struct At {
  Bench bench;
  Dma dma{bench.kernel, 100ns};
  TlmInitiatorBridge<>& bridge;
  AtInitiator& initiator;

  At(std::deque<AtInitiator::Request> requests, InitiatorOptions options, Kernel::Steps steps)
      : bench(steps),
        bridge(bench.add_named<TlmInitiatorBridge<>>("bridge", std::move(options))),
        initiator(bench.add_named<AtInitiator>("engine", std::move(requests), ns(20))) {
    bridge.memory.bind(dma);
    initiator.socket.bind(bridge.socket);
  }
};

TEST_CASE("attach: four phases; a response waits for the END_RESP before, a request for room") {
  for (const Kernel::Steps steps : {Kernel::Steps::run_ahead, Kernel::Steps::exact}) {
    At at({{tlm::TLM_READ_COMMAND, 0x10, 8}, {tlm::TLM_READ_COMMAND, 0x20, 8}, {tlm::TLM_READ_COMMAND, 0x30, 8},
           {tlm::TLM_READ_COMMAND, 0xff000, 8}},
          {.reach = {{0, 0x1000}}, .outstanding = 2}, steps);
    at.bench.run_through(1ms);
    CHECK(at.initiator.log ==
          Lines{"0 BEGIN_REQ 10 ", "0 END_REQ 10 ", "0 BEGIN_REQ 20 ", "0 END_REQ 20 ", "0 BEGIN_REQ 30 ",
                "100000 BEGIN_RESP 10 TLM_OK_RESPONSE", "100000 END_REQ 30 ",
                "100000 BEGIN_REQ ff000 ", "100000 COMPLETED ff000 TLM_ADDRESS_ERROR_RESPONSE",
                "120000 END_RESP 10 ", "120000 BEGIN_RESP 20 TLM_OK_RESPONSE", "140000 END_RESP 20 ",
                "200000 BEGIN_RESP 30 TLM_OK_RESPONSE", "220000 END_RESP 30 "});
    CHECK(at.initiator.live.empty());
    at.bridge.check_books();
  }
}

TEST_CASE("attach: a posted write's response comes with its acceptance") {
  At at({{tlm::TLM_WRITE_COMMAND, 0x10, 8}}, {}, Kernel::Steps::run_ahead);
  at.bench.run_through(1ms);
  CHECK(at.initiator.log == Lines{"0 BEGIN_REQ 10 ", "0 END_REQ 10 ", "0 BEGIN_RESP 10 TLM_OK_RESPONSE", "20000 END_RESP 10 "});
  at.bridge.check_books();
}

TEST_CASE("attach: what is never answered makes a run stuck, and the books say so") {
  struct Void : MemoryPort {
    TransferPool pool;
    Transfer& make() override { return pool.take(); }
    void submit(Transfer&) override {}
  } nowhere;
  Bench bench;
  auto& bridge = bench.add_named<TlmInitiatorBridge<>>("bridge");
  auto& engine = bench.add_named<LtInitiator>("engine", [](LtInitiator& e) { e.read(0, 8); });
  bridge.memory.bind(nowhere);
  engine.socket.bind(bridge.socket);
  CHECK(bench.run() == Kernel::Ended::stuck);
  CHECK_THROWS_AS(bridge.check_books(), ModelError);
}

}  // namespace
}  // namespace gicsim::attach
