// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/iommu.h"

#include <doctest/doctest.h>

#include "tests/support/bench.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"

namespace gicsim::host {
namespace {

/// Each access of a walk takes 100 ns, or 40 if there is a last-level cache that has its line.
HostParams memory_with(Llc llc) {
  HostParams p{};
  p.dram_read = 100ns;
  p.dram_rate = 800_Gbps;
  p.llc = llc;
  p.llc_read = 40ns;
  return p;
}

struct Fixture {
  Bench bench;
  HostParams memory;
  IommuParams params;
  TransferPool pool;
  Host& host;
  Iommu& iommu;
  TlpLog log;
  Script script;

  explicit Fixture(const IommuParams& p, Llc llc = Llc::off)
      : memory(memory_with(llc)),
        params(p),
        host(bench.add_named<Host>("host", memory, Address{0}, Address{1} << 40)),
        iommu(bench.add_named<Iommu>("iommu", params, host, pool)),
        log(bench.kernel),
        script(bench.kernel) {
    host.port.bind(nobody);
    iommu.out[0].bind(log);
    iommu.map(0, Address{1} << 32);
  }
  struct Nobody : MemoryPort {
    TransferPool pool;
    Transfer& make() override { return pool.take(); }
    void submit(Transfer&) override {}
  } nobody;

  Transfer& send(TlpKind kind, Address at, AddressType type = AddressType::untranslated, RequesterId who = 1) {
    Transfer& transfer = pool.take();
    transfer.kind = kind == TlpKind::write ? Transfer::Kind::write : Transfer::Kind::read;
    transfer.address = at;
    transfer.length = 64_B;
    iommu.in[0]->arrive({.kind = kind, .last = true, .requester = who, .tag = 7, .address_type = type, .length = 64_B,
                      .address = at, .transfer = &transfer});
    return transfer;
  }
  std::vector<Picoseconds> run() {
    bench.run();
    iommu.check_books();
    return log.times();
  }
};

using Times = std::vector<Picoseconds>;
constexpr IommuParams on{.mode = IommuMode::translate, .walks = 2};

TEST_CASE("iommu: off and pass-through, nothing is looked up") {
  for (const IommuMode mode : {IommuMode::off, IommuMode::pass_through}) {
    Fixture f({.mode = mode});
    f.script.at(5ns, [&] { f.send(TlpKind::read, Address{1} << 39); });  // not mapped, and nobody asks
    CHECK(f.run() == Times{5ns});
    CHECK(f.iommu.stats().requests == 0);
  }
}

TEST_CASE("iommu: a miss walks four levels, then the page is known") {
  Fixture f(on);
  f.script.at(0ns, [&] { f.send(TlpKind::read, 0); });
  f.script.at(1000ns, [&] { f.send(TlpKind::read, 4032); });
  CHECK(f.run() == Times{400ns, 1000ns});
  CHECK(f.iommu.stats().walks == 1);
  CHECK(f.iommu.stats().hits == 1);
}

TEST_CASE("iommu: larger pages end sooner, nested tables multiply") {
  const auto takes = [](IommuParams p) {
    p.mode = IommuMode::translate;
    Fixture f(p);
    f.script.at(0ns, [&] { f.send(TlpKind::read, 0); });
    return f.run().front();
  };
  CHECK(takes({.page = 2_MiB}) == 300ns);
  CHECK(takes({.page = 1_GiB}) == 200ns);
  CHECK(takes({.levels = 5}) == 500ns);
  CHECK(takes({.nested_levels = 4}) == 2400ns);                   // 5 x 5 - 1
  CHECK(takes({.page = 2_MiB, .nested_levels = 4}) == 1500ns);    // 4 x 4 - 1
}

TEST_CASE("iommu: a walk cache leaves the last level") {
  IommuParams p = on;
  p.walk_cache = 8;
  Fixture f(p);
  f.script.at(0ns, [&] { f.send(TlpKind::read, 0); });
  f.script.at(1000ns, [&] { f.send(TlpKind::read, 4096); });
  f.script.at(2000ns, [&] { f.send(TlpKind::read, Address{2} << 20); });  // another last-level table
  CHECK(f.run() == Times{400ns, 1100ns, 2400ns});
}

TEST_CASE("iommu: walks find their lines in the last-level cache, eight entries a line") {
  Fixture f(on, Llc::on);
  f.script.at(0ns, [&] { f.send(TlpKind::read, 0); });
  f.script.at(1000ns, [&] { f.send(TlpKind::read, 4096); });
  f.script.at(2000ns, [&] { f.send(TlpKind::read, 8 * 4096); });
  CHECK(f.run() == Times{400ns, 1160ns, 2220ns});
}

TEST_CASE("iommu: tables that were just written are in the cache") {
  Fixture f(on, Llc::on);
  f.iommu.warm_tables(0, 64_KiB);
  f.script.at(0ns, [&] { f.send(TlpKind::read, 15 * 4096); });
  CHECK(f.run() == Times{160ns});
}

TEST_CASE("iommu: so many walks at a time; who wants a page that is being walked shares the walk") {
  Fixture f(on);
  f.script.at(0ns, [&] {
    f.send(TlpKind::read, 0);
    f.send(TlpKind::read, 4096);
    f.send(TlpKind::read, 8192);
    f.send(TlpKind::read, 64);
  });
  CHECK(f.run() == Times{400ns, 400ns, 400ns, 800ns});
  CHECK(f.iommu.stats().walks == 3);
  CHECK(f.iommu.stats().walk_wait == 400ns);
}

TEST_CASE("iommu: the entry that wasn't used for longest goes") {
  IommuParams p = on;
  p.entries = p.ways = 2;
  Fixture f(p);
  int i = 0;
  for (const Address page : {0, 1, 0, 2, 0, 1})
    f.script.at(1000ns * i++, [&f, page] { f.send(TlpKind::read, page * 4096); });
  f.run();
  CHECK(f.iommu.stats().walks == 4);  // 0, 1, 2 and 1 again
}

TEST_CASE("iommu: reads pass each other, nothing of a device passes its write") {
  Fixture f(on);
  f.script.at(0ns, [&] { f.send(TlpKind::read, 0); });
  f.script.at(500ns, [&] {
    f.send(TlpKind::read, 4096);
    f.send(TlpKind::read, 0);  // known
  });
  f.script.at(1000ns, [&] {
    f.send(TlpKind::write, 8192);
    f.send(TlpKind::read, 0);
    f.send(TlpKind::completion, 0);
    f.send(TlpKind::read, 0, AddressType::translated, 2);  // another device's
  });
  CHECK(f.run() == Times{400ns, 500ns, 900ns, 1000ns, 1400ns, 1400ns, 1400ns});
  CHECK(f.log.all[4].tlp.kind == TlpKind::write);
  CHECK(f.log.all[5].tlp.kind == TlpKind::read);
}

TEST_CASE("iommu: a read that isn't mapped ends with UR, a write unseen; both are named") {
  Fixture f(on);
  const Address beyond = Address{1} << 32;
  TransferLog ends(f.bench.kernel);
  f.script.at(0ns, [&] { f.send(TlpKind::read, beyond); });
  f.script.at(1000ns, [&] { f.send(TlpKind::write, beyond + 64).initiator = &ends; });
  CHECK(f.run() == Times{400ns});
  CHECK(f.log.all[0].tlp.kind == TlpKind::completion);
  CHECK(f.log.all[0].tlp.status == CompletionStatus::unsupported);
  CHECK(f.log.all[0].tlp.tag == 7);
  REQUIRE(f.iommu.faults().size() == 2);
  CHECK(f.iommu.faults()[0].address == beyond);
  CHECK(f.iommu.faults()[1].kind == TlpKind::write);
}

TEST_CASE("iommu: a translation request is answered, and what comes translated isn't looked up") {
  Fixture f(on);
  f.script.at(0ns, [&] { f.send(TlpKind::read, 4096, AddressType::translation_request); });
  f.script.at(1000ns, [&] { f.send(TlpKind::read, 8192, AddressType::translated); });
  CHECK(f.run() == Times{400ns, 1000ns});
  CHECK(f.log.all[0].tlp.kind == TlpKind::completion);
  CHECK(f.log.all[0].tlp.length == 64_B);
  CHECK(f.log.all[1].tlp.kind == TlpKind::read);
  CHECK(f.iommu.stats().walks == 1);
}

TEST_CASE("iommu: a device that has asked for translations is asked to drop them, others aren't") {
  Fixture f(on);
  f.script.at(0ns, [&] { f.send(TlpKind::read, 4096, AddressType::translation_request, 3); });
  f.script.at(500ns, [&] { f.send(TlpKind::read, 0); });  // of device 1, untranslated
  f.script.at(1000ns, [&] { f.iommu.invalidate(4096, 4_KiB); });
  f.script.at(1700ns, [&] {
    Tlp answer = f.log.all.back().tlp;
    answer.code = MessageCode::invalidate_completion;
    answer.completer = unknown_id;
    answer.held = nullptr;
    f.iommu.in[0]->arrive(answer);
  });
  CHECK(f.run() == Times{400ns, 900ns, 1000ns});
  const Tlp& request = f.log.all[2].tlp;
  CHECK(request.kind == TlpKind::message);
  CHECK(request.code == MessageCode::invalidate_request);
  CHECK(request.completer == 3);
  CHECK(request.address == 4096);
  CHECK(f.iommu.stats().invalidations == 1);
  CHECK(f.iommu.stats().invalidation_time == 700ns);
}

TEST_CASE("iommu: an invalidated page is walked again") {
  Fixture f(on);
  f.script.at(0ns, [&] { f.send(TlpKind::read, 0); });
  f.script.at(1000ns, [&] { f.iommu.invalidate(0, 4_KiB); });
  f.script.at(1000ns, [&] { f.send(TlpKind::read, 0); });
  CHECK(f.run() == Times{400ns, 1400ns});
}

}  // namespace
}  // namespace gicsim::host
