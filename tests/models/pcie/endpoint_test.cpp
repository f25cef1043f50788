// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/endpoint.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/base/errors.h"
#include "models/base/random.h"
#include "models/pcie/link.h"
#include "tests/support/bench.h"
#include "tests/support/files.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"
#include "validate/reference/dataset.h"

namespace gicsim::pcie {
namespace {

using Pieces = std::vector<std::pair<Address, std::int64_t>>;

struct Fixture {
  EndpointParams params;
  TransferPool pool;
  Bench bench;
  TlpTray tray;
  SlowMemory device;
  TransferLog ends{bench.kernel};
  Script script{bench.kernel};
  Endpoint* endpoint;

  explicit Fixture(const EndpointParams& p, Picoseconds latency = 0ns) : params(p), device(latency) {
    endpoint = &bench.add_named<Endpoint>("port", params, RequesterId{7}, pool);
    endpoint->out.bind(tray);
    endpoint->device.bind(device);
    bench.run();
  }
  Transfer& submit(Transfer::Kind kind, Address address, Bytes length) {
    Transfer& transfer = endpoint->memory->make();
    transfer.kind = kind;
    transfer.address = address;
    transfer.length = length;
    transfer.initiator = &ends;
    endpoint->memory->submit(transfer);
    return transfer;
  }
  /// The completion of a whole request.
  void answer(const Tlp& request) {
    Tlp completion = request;
    completion.kind = TlpKind::completion;
    endpoint->in->arrive(completion);
  }
  Pieces pieces() const {
    Pieces list;
    for (const auto& given : tray.all) list.push_back({given.tlp.address, given.tlp.length.count()});
    return list;
  }
};

TEST_CASE("endpoint: a write goes in pieces of MPS that don't cross 4 KiB") {
  Fixture f({.mps = 256_B});
  f.submit(Transfer::Kind::write, 0x1f80, 600_B);
  CHECK(f.pieces() == Pieces{{0x1f80, 128}, {0x2000, 256}, {0x2100, 216}});
  CHECK_FALSE(f.tray.all[1].tlp.last);
  CHECK(f.tray.all[2].tlp.last);
  CHECK(f.tray.all[2].tlp.requester == 7);
}

TEST_CASE("endpoint: halving MPS doubles the writes of an aligned transfer") {
  for (const auto& [mps, count] : {std::pair{512_B, 8}, {256_B, 16}, {128_B, 32}}) {
    Fixture f({.mps = mps});
    f.submit(Transfer::Kind::write, 0, 4_KiB);
    CHECK(static_cast<int>(f.tray.all.size()) == count);
    CHECK(f.endpoint->stats().writes == count);
  }
}

TEST_CASE("endpoint: a read goes in requests of MRRS that don't cross 4 KiB, whatever MPS is") {
  Fixture f({.mps = 4_KiB, .mrrs = 512_B});
  f.submit(Transfer::Kind::read, 0xf00, 1300_B);
  CHECK(f.pieces() == Pieces{{0xf00, 256}, {0x1000, 512}, {0x1200, 512}, {0x1400, 20}});
  Fixture g({.mps = 128_B, .mrrs = 4_KiB});
  g.submit(Transfer::Kind::read, 0, 8_KiB);
  CHECK(g.pieces() == Pieces{{0, 4096}, {0x1000, 4096}});
}

TEST_CASE("endpoint: completions end on the read completion boundary, but for the last") {
  const auto completions = [](Bytes mps, Bytes rcb, Address address, Bytes length) {
    Fixture f({.mps = mps, .rcb = rcb}, 10ns);
    Transfer transfer;
    f.script.at(5ns, [&] {
      f.endpoint->in->arrive({.kind = TlpKind::read, .last = true, .requester = 3, .tag = 9, .length = length,
                              .address = address, .transfer = &transfer});
    });
    f.bench.run();
    CHECK(f.tray.all.front().ready == 15ns);
    CHECK(f.device.samples == std::vector<Picoseconds>{15ns});
    CHECK(f.tray.all.back().tlp.tag == 9);
    CHECK(f.tray.all.back().tlp.requester == 3);
    CHECK(f.tray.all.back().tlp.last);
    return f.pieces();
  };
  CHECK(completions(256_B, 64_B, 0x1000, 64_B) == Pieces{{0x1000, 64}});
  CHECK(completions(256_B, 64_B, 0x1000, 600_B) == Pieces{{0x1000, 256}, {0x1100, 256}, {0x1200, 88}});
  CHECK(completions(256_B, 64_B, 0x1024, 600_B) == Pieces{{0x1024, 220}, {0x1100, 256}, {0x1200, 124}});
  CHECK(completions(256_B, 128_B, 0x10c0, 300_B) == Pieces{{0x10c0, 192}, {0x1180, 108}});
  CHECK(completions(128_B, 128_B, 0x1004, 200_B) == Pieces{{0x1004, 124}, {0x1080, 76}});
}

TEST_CASE("endpoint: whatever the transfer, pieces add up, fit their limit and keep to 4 KiB") {
  RandomStream random(5, "endpoint");
  const auto power = [&](int from, int to) {
    return Bytes(std::int64_t{1} << (from + static_cast<int>(random.below(static_cast<std::uint64_t>(to - from + 1)))));
  };
  for (int round = 0; round < 20'000; ++round) {
    const Bytes limit = power(7, 12), rcb = power(6, 7);
    const Address address = random.below(1 << 20);
    const Bytes length(1 + static_cast<std::int64_t>(random.below(20'000)));
    Bytes done;
    while (done < length) {
      const Address at = address + static_cast<Address>(done.count());
      const Bytes piece = first_piece(at, length - done, limit);
      REQUIRE(piece > 0_B);
      REQUIRE(piece <= limit);
      REQUIRE(at / 4096 == (at + static_cast<Address>(piece.count()) - 1) / 4096);
      if (piece < limit && done + piece < length)  // cut short by a line alone
        REQUIRE((at + static_cast<Address>(piece.count())) % 4096 == 0);
      done += piece;
    }
    REQUIRE(done == length);
    done = 0_B;
    while (done < length) {
      const Address at = address + static_cast<Address>(done.count());
      const Bytes piece = first_completion(at, length - done, limit, rcb);
      REQUIRE(piece > 0_B);
      REQUIRE(piece <= limit);
      if (done + piece < length)
        REQUIRE((at + static_cast<Address>(piece.count())) % static_cast<Address>(rcb.count()) == 0);
      done += piece;
    }
    REQUIRE(done == length);
  }
}

TEST_CASE("endpoint: with two tags the third read waits for exactly the first's return") {
  Fixture f({.tags = 2});
  f.script.at(0ns, [&] {
    for (int i = 0; i < 3; ++i) f.submit(Transfer::Kind::read, static_cast<Address>(i) * 4096, 64_B);
  });
  f.script.at(100ns, [&] { f.answer(f.tray.all[0].tlp); });
  f.bench.run_through(100ns - 1_ps);
  CHECK(f.tray.all.size() == 2);
  f.bench.run_through(100ns);
  REQUIRE(f.tray.all.size() == 3);
  CHECK(f.tray.all[2].ready == 100ns);
  CHECK(f.tray.all[2].tlp.tag == f.tray.all[0].tlp.tag);
  CHECK(f.endpoint->stats().tag_wait == 100ns);
  CHECK(f.endpoint->stats().tags_peak == 2);
  CHECK_THROWS_AS(f.endpoint->check_books(), ModelError);
  f.answer(f.tray.all[1].tlp);
  f.answer(f.tray.all[2].tlp);
  CHECK(f.ends.ends.size() == 3);
  f.endpoint->check_books();
}

TEST_CASE("endpoint: a read reserves room for its completions before it leaves") {
  Fixture f({.mrrs = 128_B, .completion_buffer = 256_B});
  f.script.at(0ns, [&] { f.submit(Transfer::Kind::read, 0, 512_B); });
  for (int i = 0; i < 4; ++i)
    f.script.at(10ns * (i + 1), [&f, i] { f.answer(f.tray.all[static_cast<std::size_t>(i)].tlp); });
  f.bench.run_through(9ns);
  CHECK(f.tray.all.size() == 2);
  f.bench.run_through(10ns);
  CHECK(f.tray.all.size() == 3);
  f.bench.run();
  CHECK(f.tray.all.size() == 4);
  CHECK(f.ends.ends == std::vector<Picoseconds>{40ns});
  f.endpoint->check_books();
}

TEST_CASE("endpoint: one tag, and requests larger than the buffer, still come to an end") {
  Fixture f({.mrrs = 4_KiB, .tags = 1, .completion_buffer = 128_B});
  f.script.at(0ns, [&] { f.submit(Transfer::Kind::read, 64, 1_KiB); });
  for (int i = 0; i < 8; ++i)
    f.script.at(1ns * (i + 1), [&f, i] { f.answer(f.tray.all[static_cast<std::size_t>(i)].tlp); });
  f.bench.run();
  CHECK(f.tray.all.size() == 8);
  CHECK(f.ends.ends == std::vector<Picoseconds>{8ns});
  CHECK(f.pool.out() == 0);
}

TEST_CASE("endpoint: a write is there with its last TLP") {
  Fixture f({.mps = 128_B});
  f.script.at(0ns, [&] { f.submit(Transfer::Kind::write, 0, 256_B); });
  f.script.at(10ns, [&] { f.endpoint->in->arrive(f.tray.all[0].tlp); });
  f.script.at(25ns, [&] { f.endpoint->in->arrive(f.tray.all[1].tlp); });
  f.bench.run();
  REQUIRE(f.device.writes.size() == 1);
  CHECK(f.device.writes[0].second == 25ns);
  CHECK(f.ends.ends == std::vector<Picoseconds>{25ns});
  CHECK(f.pool.out() == 0);
}

// pcie-bench takes 8.1 % off the lanes' rate for flow control and acknowledgements, ours come with
// the 8 B a TLP: its 57.88 Gb/s stand against our 63.02. Beyond that the two must agree: what a
// TLP costs and where transfers are cut.
TEST_CASE("endpoint and link: bytes on the wire are those of the pcie-bench model, Gen3 x8") {
  constexpr double lanes = 57.88;
  const auto datasets = reference::load_datasets(source_root() + "/validate/reference/measurements.yaml");
  const auto* model = reference::find(datasets, "pciebench_model_bw");
  REQUIRE(model);
  for (const auto& row : model->rows) {
    const Bytes length(static_cast<std::int64_t>(*row[0].number));
    LinkParams params{.generation = 3, .lanes = 8, .posted_headers = 4096, .posted_data = 16_MiB,
                      .non_posted_headers = 4096};
    EndpointParams port{.mps = 256_B, .mrrs = 512_B, .tags = 512, .completion_buffer = 1_MiB};
    const auto bandwidth = [&](TlpKind kind) {
      TransferPool pool;
      Probe<TlpSent> sent;
      Bench bench;
      Endpoint& endpoint = bench.add_named<Endpoint>("port", port, RequesterId{1}, pool);
      Link& link = bench.add_named<Link>("link", params, Kernel::Lane{1}, sent);
      TlpLog log(bench.kernel);
      SlowMemory memory;
      Transfer read{.kind = Transfer::Kind::read, .length = length};
      endpoint.out.bind(link.in);
      endpoint.device.bind(memory);
      link.out.bind(log);
      Script script(bench.kernel);
      for (int i = 0; i < 100; ++i)
        script.at(0ns, [&] {
          if (kind != TlpKind::completion) {
            Transfer& transfer = endpoint.memory->make();
            transfer.kind = kind == TlpKind::write ? Transfer::Kind::write : Transfer::Kind::read;
            transfer.length = length;
            return endpoint.memory->submit(transfer);
          }
          for (Bytes asked; asked < length;) {
            const Bytes piece = first_piece(static_cast<Address>(asked.count()), length - asked, port.mrrs);
            endpoint.in->arrive({.kind = TlpKind::read, .length = piece,
                                 .address = static_cast<Address>(asked.count()), .transfer = &read});
            asked += piece;
          }
        });
      bench.run();
      if (kind != TlpKind::read) CHECK(link.stats().payload == 100 * length);
      const double full = static_cast<double>(rate(params).bits_per_second()) / 1e9;
      return static_cast<double>(100 * length.count() * 8) / static_cast<double>(link.stats().busy.count()) * 1000 *
             lanes / full;
    };
    CAPTURE(length.count());
    if (length < 4_B) continue;  // their model counts bytes; a TLP carries whole words
    CHECK(bandwidth(TlpKind::write) == doctest::Approx(*row[1].number).epsilon(0.01));
    const double read = std::min(bandwidth(TlpKind::completion), bandwidth(TlpKind::read));  // both directions
    CHECK(read == doctest::Approx(*row[2].number).epsilon(0.01));
  }
}

}  // namespace
}  // namespace gicsim::pcie
