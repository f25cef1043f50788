// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "models/protocol/interrupt.h"
#include "tests/models/nic/fixture.h"
#include "tests/support/nic_pair.h"

namespace gicsim::nic {
namespace {

std::vector<std::pair<std::uint32_t, CqeStatus>> cqes(const Dma& dma) {
  std::vector<std::pair<std::uint32_t, CqeStatus>> all;
  for (const Dma::Access& write : dma.writes)
    if (const auto* cqe = std::get_if<Cqe>(&write.content)) all.push_back({cqe->index, cqe->status});
  return all;
}
using Cqes = std::vector<std::pair<std::uint32_t, CqeStatus>>;

auto of_stage(Stage stage) {
  return [stage](const Transfer& transfer) { return transfer.stage == stage; };
}

Count interrupts(const Dma& dma) {
  Count n = 0;
  for (const Dma::Access& write : dma.writes) n += is_interrupt(write.address);
  return n;
}

TEST_CASE("dma error: WQEs that can't be fetched end the queue pair: 0x02 for the first, flushed the last and what comes") {
  Fixture f;
  f.dma.fails = of_stage(Stage::wqe_read);
  f.dma.ending = CompletionStatus::timed_out;
  const auto qpn = f.make();
  f.write_all(qpn, 5);
  f.ring(qpn, 4);
  f.ring(qpn, 5, 10us);
  CHECK(f.bench.run() == Kernel::Ended::idle);
  CHECK(f.wire.all.empty());
  CHECK(cqes(f.dma) == Cqes{{0, CqeStatus::local_qp_operation}, {3, CqeStatus::flushed}, {4, CqeStatus::flushed}});
  REQUIRE(f.nic.failures().size() == 1);
  CHECK(f.nic.failures()[0].cause == "its fetch, a read of 256 B at 0x1000000: completion time-out at memory");
  CHECK(f.nic.failures()[0].at == 150ns + 600ns);
  CHECK(f.nic.stats().stale == 0);
  f.nic.check_books();
}

TEST_CASE("dma error: a WQE whose payload can't be read ends as 0x04, those before and behind are flushed") {
  Fixture f;
  const auto qpn = f.make();
  f.dma.fails = [](const Transfer& t) { return t.stage == Stage::payload_read && t.address == 0x7000; };
  f.write(f.wqe(qpn, 0));
  Wqe bad = f.wqe(qpn, 1, 300_B, false);
  bad.local = 0x7000;
  f.write(bad);
  f.write(f.wqe(qpn, 2, 300_B, false));
  f.ring(qpn, 3);
  f.bench.run();
  CHECK(cqes(f.dma) == Cqes{{0, CqeStatus::flushed}, {1, CqeStatus::local_protection}, {2, CqeStatus::flushed}});
  REQUIRE(f.nic.failures().size() == 1);
  CHECK(f.nic.failures()[0].index == 1);
  CHECK(f.nic.failures()[0].cause == "payload, a read of 300 B at 0x7000: UR of memory");
  f.nic.check_books();
}

TEST_CASE("dma error: of a long message, what is under way comes back to nobody") {
  NicParams params = Fixture::defaults();
  Fixture f(params);
  const auto qpn = f.make();
  f.dma.fails = [](const Transfer& t) { return t.stage == Stage::payload_read && t.address == 0x5000 + 2 * 4096; };
  f.write(f.wqe(qpn, 0, 64_KiB, false));
  f.ring(qpn, 1);
  f.bench.run();
  CHECK(cqes(f.dma) == Cqes{{0, CqeStatus::local_protection}});
  CHECK(f.wire.all.size() == 2);  // what was there before
  f.nic.check_books();
}

struct Failing : NicPair {
  Failing() : NicPair(nic_defaults(), wire_defaults(), wire_defaults()) {}
  Wqe wqe(Opcode opcode, Bytes length) const {
    Wqe wqe;
    wqe.opcode = opcode;
    wqe.inlined = opcode == Opcode::rdma_write;
    wqe.local = 0x5000;
    wqe.remote = 0x9000;
    wqe.length = length;
    wqe.value = 1;
    return wqe;
  }
  void go() {
    ring();
    bench.run();
    check_books();
  }
};

TEST_CASE("dma error: a READ of memory that answers UR: the responder NAKs, 0x14, both queue pairs are in error") {
  Failing p;
  p.far_memory.fails = of_stage(Stage::remote_read);
  p.post(p.wqe(Opcode::rdma_write, 8_B));
  p.post(p.wqe(Opcode::rdma_read, 10'000_B));
  p.post(p.wqe(Opcode::rdma_write, 8_B));
  p.go();
  CHECK(cqes(p.near_memory) ==
        Cqes{{0, CqeStatus::ok}, {1, CqeStatus::remote_operation}, {2, CqeStatus::flushed}});
  REQUIRE(p.far.failures().size() == 1);
  CHECK(p.far.failures()[0].responder);
  CHECK(p.far.failures()[0].psn == 1);
  CHECK(p.far.failures()[0].cause == "read of 4 KiB at 0x9000: UR of memory");
  CHECK(p.far.stats().naks_sent == 1);
  CHECK(interrupts(p.far_memory) == 1);
  CHECK(p.near.stats().timeouts == 0);
}

TEST_CASE("dma error: what could be answered before is, then comes the NAK; what is behind isn't executed") {
  Failing p;
  p.far_memory.fails = [](const Transfer& t) { return t.stage == Stage::remote_read && t.address == 0xa000; };
  p.post(p.wqe(Opcode::rdma_read, 8_B));
  Wqe bad = p.wqe(Opcode::fetch_add, 8_B);
  bad.remote = 0xa000;
  p.post(bad);
  p.post(p.wqe(Opcode::fetch_add, 8_B));
  p.post(p.wqe(Opcode::rdma_read, 8_B));
  p.go();
  CHECK(cqes(p.near_memory) == Cqes{{0, CqeStatus::ok},
                                    {1, CqeStatus::remote_operation},
                                    {2, CqeStatus::flushed},
                                    {3, CqeStatus::flushed}});
  CHECK(p.far.stats().atomics == 0);
}

TEST_CASE("dma error: a write that the responder's own port refuses is NAKed; what is lost further on, nobody tells") {
  Failing p;
  p.far_memory.fails = of_stage(Stage::remote_write);
  p.post(p.wqe(Opcode::rdma_write, 8_B));
  p.go();
  CHECK(cqes(p.near_memory) == Cqes{{0, CqeStatus::remote_operation}});
  CHECK(p.far.failures()[0].cause == "write of 8 B at 0x9000: UR of memory");
}

TEST_CASE("dma error: a NIC that was reset answers nobody, and ends what it had") {
  Failing p;
  p.params.ack_timeout = 2, p.params.retries = 1;
  p.far.lose_all("reset");
  p.post(p.wqe(Opcode::rdma_write, 8_B));
  p.go();
  CHECK(cqes(p.near_memory) == Cqes{{0, CqeStatus::retry_exceeded}});
  CHECK(p.far.failures()[0].cause == "reset");
  REQUIRE(p.far.flushed_by_driver().size() == 1);
  CHECK(p.far.flushed_by_driver()[0].second.status == CqeStatus::flushed);
}

TEST_CASE("atomic over PCIe: the memory executes it, one access and no write back") {
  Failing p;
  p.params.atomics = AtomicUnit::pcie;
  p.far_memory.cells.write(0x9000, std::uint64_t{41}, 0ns);
  p.post(p.wqe(Opcode::fetch_add, 8_B));
  Wqe swap = p.wqe(Opcode::compare_swap, 8_B);
  swap.compare = 42, swap.value = 7;
  p.post(swap);
  p.go();
  CHECK(p.far_memory.writes.empty());
  CHECK(p.far_memory.reads.size() == 2);
  CHECK(std::get<std::uint64_t>(*p.far_memory.cells.read(0x9000, p.bench.now()).content) == 7);
  CHECK(p.far.stats().atomics == 2);
  CHECK(cqes(p.near_memory) == Cqes{{0, CqeStatus::ok}, {1, CqeStatus::ok}});
}

}  // namespace
}  // namespace gicsim::nic
