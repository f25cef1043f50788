// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "models/protocol/ending.h"
#include "models/protocol/interrupt.h"
#include "tests/support/ports.h"

namespace gicsim::pcie {
namespace {

constexpr auto on = Ability::on;
using Kind = Transfer::Kind;

TEST_CASE("completer: a flush is one request without bytes and one DWORD back, behind what was written before") {
  Ports p;
  p.submit_at(0ns, Kind::write, 0x1000, 64_B);
  p.submit_at(0ns, Kind::read, 0x1000, 0_B);
  p.bench.run();
  REQUIRE(p.forth.all.size() == 2);
  CHECK(p.forth.all[0].kind == TlpKind::write);
  CHECK(p.forth.all[1].kind == TlpKind::read);
  CHECK(p.forth.all[1].length == 0_B);
  REQUIRE(p.back.all.size() == 1);
  CHECK(p.back.all[0].length == 4_B);
  CHECK(p.log.ends == std::vector<Picoseconds>{100ns, 250ns});
  p.check_books();
}

TEST_CASE("completer: AtomicOps execute in order and bring the old value") {
  Ports p({}, {.atomic_completer = on});
  const auto submit = [&](AtomicOp op, std::uint64_t operand, std::uint64_t compare) {
    Transfer& atomic = p.make(Kind::atomic, 0x40, 8_B);
    atomic.op = op;
    atomic.operand = operand;
    atomic.compare = compare;
    p.near.memory->submit(atomic);
  };
  p.script.at(0ns, [&] {
    p.far_memory.cells.write(0x40, std::uint64_t{5}, 0ns);
    submit(AtomicOp::fetch_add, 3, 0);
    submit(AtomicOp::compare_swap, 100, 8);
    submit(AtomicOp::compare_swap, 200, 8);  // no longer
    submit(AtomicOp::swap, 7, 0);
  });
  p.bench.run();
  std::vector<std::uint64_t> old;
  for (const Transfer& transfer : p.log.all) old.push_back(std::get<std::uint64_t>(transfer.content));
  CHECK(old == std::vector<std::uint64_t>{5, 8, 100, 100});
  CHECK(std::get<std::uint64_t>(*p.far_memory.cells.read(0x40, p.bench.now()).content) == 7);
  CHECK(p.log.ends == std::vector<Picoseconds>(4, 250ns));
  CHECK(p.forth.all[0].length == 8_B);
  CHECK(p.forth.all[1].length == 16_B);  // what it compares with, and what it leaves
  CHECK(p.back.all[1].length == 8_B);
  CHECK(p.near.stats().atomics == 4);
  p.check_books();
}

TEST_CASE("completer: who executes no AtomicOps answers UR, without data and at once") {
  Ports p;
  p.submit_at(0ns, Kind::atomic, 0x40, 8_B);
  p.bench.run();
  REQUIRE(p.back.all.size() == 1);
  CHECK(p.back.all[0].status == CompletionStatus::unsupported);
  CHECK(p.back.all[0].length == 0_B);
  CHECK(p.log.ends == std::vector<Picoseconds>{200ns});
  CHECK(how_ended(p.log.all[0]) == "atomic of 8 B at 0x40: UR of far, it completes no AtomicOps");
  CHECK(p.far.stats().refused == 1);
  p.check_books();
}

TEST_CASE("completer: a poisoned write is dropped and counted, a poisoned completion ends its read so") {
  Ports p;
  p.script.at(0ns, [&] {
    Transfer& write = p.make(Kind::write, 0x1000, 300_B);
    write.poisoned = true;
    write.content = std::uint64_t{1};
    p.near.memory->submit(write);
  });
  p.far.script(Misanswer::poisoned, 2);
  p.submit_at(10ns, Kind::read, 0x1000, 64_B);
  p.submit_at(20ns, Kind::read, 0x2000, 64_B);
  p.bench.run();
  CHECK(p.far.stats().poisoned == 1);
  CHECK(p.far_memory.writes.empty());
  REQUIRE(p.log.all.size() == 3);
  CHECK_FALSE(failed(p.log.all[1]));
  CHECK(failed(p.log.all[2]));
  CHECK(p.log.all[2].status == CompletionStatus::successful);
  CHECK(p.log.ends[2] == 270ns);
  CHECK(how_ended(p.log.all[2]) == "read of 64 B at 0x2000: poisoned data from far");
  p.check_books();
}

TEST_CASE("completer: an abort ends the transfer once its other requests are back; nothing more is asked for") {
  Ports p({.mrrs = 256_B, .tags = 2});
  p.far.script(Misanswer::aborted, 1);
  p.submit_at(0ns, Kind::read, 0, 2_KiB);
  p.bench.run();
  CHECK(p.near.stats().reads == 2);
  REQUIRE(p.log.all.size() == 1);
  CHECK(p.log.all[0].status == CompletionStatus::abort);
  CHECK(std::get<std::uint64_t>(p.log.all[0].content) == ~std::uint64_t{0});
  CHECK(p.log.ends[0] == 250ns);
  p.check_books();
}

TEST_CASE("completer: an endpoint's completions end on 128 B, a root complex's on 64 B") {
  const auto pieces = [](const EndpointParams& far) {
    Ports p({}, far);
    p.submit_at(0ns, Kind::read, 0x40, 512_B);
    p.bench.run();
    std::vector<Bytes> lengths;
    for (const Tlp& tlp : p.back.all) lengths.push_back(tlp.length);
    return lengths;
  };
  CHECK(pieces({}) == std::vector<Bytes>{192_B, 256_B, 64_B});
  CHECK(pieces(root_complex_port) == std::vector<Bytes>{256_B, 256_B});
}

TEST_CASE("completer: relaxed ordering and ID-based ordering go along, and back") {
  Ports p({.relaxed_ordering = on});
  p.script.at(0ns, [&] {
    Transfer& read = p.make(Kind::read, 0, 64_B);
    read.by_id = true;
    p.near.memory->submit(read);
    p.near.memory->submit(p.make(Kind::write, 0, 64_B));
    Transfer& flag = p.make(Kind::write, 64, 64_B);
    flag.ordered = true;
    p.near.memory->submit(flag);
  });
  p.bench.run();
  CHECK(p.forth.all[0].relaxed);
  CHECK(p.forth.all[0].by_id);
  CHECK(p.forth.all[1].relaxed);
  CHECK_FALSE(p.forth.all[2].relaxed);
  CHECK(p.back.all[0].relaxed);
  CHECK(p.back.all[0].by_id);
}

TEST_CASE("completer: an MSI-X write is an ordered DWORD to the host's window") {
  Ports p;
  p.script.at(0ns, [&] { interrupt(*p.near.memory.operator->()); });
  p.bench.run();
  REQUIRE(p.forth.all.size() == 1);
  CHECK(p.forth.all[0].length == 4_B);
  CHECK(is_interrupt(p.forth.all[0].address));
  CHECK_FALSE(is_interrupt(0xfef0'0000));
  p.check_books();
}

}  // namespace
}  // namespace gicsim::pcie
