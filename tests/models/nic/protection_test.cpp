// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys, ranges, rights, domains, states: each violation has its NAK, its syndrome and its words.
#include <doctest/doctest.h>

#include "models/base/errors.h"
#include "tests/models/nic/fixture.h"
#include "tests/support/nic_pair.h"

namespace gicsim::nic {
namespace {

constexpr Address memory = 1 << 20;

struct Ended {
  std::vector<std::uint8_t> naks;
  CqeStatus status;
  std::string why;
};

/// One WQE between two NICs that have a region each.
Ended run(Wqe wqe, const Region& far, std::uint32_t receive_key = 0, Bytes receive = 0_B) {
  NicPair pair(NicPair::nic_defaults(), NicPair::wire_defaults(), NicPair::wire_defaults());
  std::vector<std::uint8_t> naks;
  pair.sent.listen([&](const PacketSent& sent) {
    if (sent.packet.kind == PacketKind::nak) naks.push_back(aeth_syndrome(sent.packet));
  });
  const std::uint32_t lkey = pair.near.register_memory({memory, memory + 8192});
  const std::uint32_t rkey = pair.far.register_memory(far);
  if (wqe.lkey == 0) wqe.lkey = lkey;
  if (wqe.rkey == 0) wqe.rkey = rkey;
  if (wqe.local == 0) wqe.local = memory;
  if (receive > 0_B) {
    pair.far_memory.cells.write(NicPair::receives_at, ReceiveWqe{0, memory, receive, receive_key}, 0ns);
    pair.far.post_receives(pair.qpn, 1);
  }
  pair.post(wqe);
  pair.ring();
  pair.bench.run();
  pair.check_books();
  const auto& near = pair.near.failures();
  REQUIRE(near.size() >= 1);
  const auto& first = pair.far.failures().empty() ? near : pair.far.failures();
  return {naks, near.back().status, first[0].cause};
}

const Region all{memory, memory + 8192};
Wqe write(Address at, Bytes length) { return {.remote = at, .length = length, .value = 1}; }

TEST_CASE("protection: a wrong rkey, a range, a right and a domain are 0x62 and remote access errors") {
  Wqe stranger = write(memory, 8_B);
  stranger.rkey = 0x700;
  Ended ended = run(stranger, all);
  CHECK(ended.naks == std::vector<std::uint8_t>{0x62});
  CHECK(ended.status == CqeStatus::remote_access);
  CHECK(ended.why == "rkey 0x700 names no memory region");
  stranger.rkey = 0x10000;
  CHECK(run(stranger, all).why == "rkey 0x10000 names no memory region; 0x100, its bytes the other way round, does");

  ended = run(write(memory + 8185, 8_B), all);
  CHECK(ended.naks == std::vector<std::uint8_t>{0x62});
  CHECK(ended.why == "0x101ff9 to 0x102001 isn't inside the region of rkey 0x100, which ends at 0x102000");

  Region closed = all;
  closed.access.remote_write = false;
  CHECK(run(write(memory, 8_B), closed).why == "rkey 0x100 doesn't allow its memory to be written from afar");
  Wqe read = write(memory, 8_B);
  read.opcode = Opcode::rdma_read;
  closed.access = {.remote_read = false};
  CHECK(run(read, closed).why == "rkey 0x100 doesn't allow its memory to be read from afar");
  closed.access = {.remote_atomic = false};
  Wqe add = write(memory, 8_B);
  add.opcode = Opcode::fetch_add;
  CHECK(run(add, closed).naks == std::vector<std::uint8_t>{0x62});

  Region other = all;
  other.domain = 3;
  CHECK(run(write(memory, 8_B), other).why == "rkey 0x100 is of protection domain 3, the queue pair of 0");
}

TEST_CASE("protection: what can't be asked is 0x61") {
  Wqe add = write(memory + 4, 8_B);
  add.opcode = Opcode::fetch_add;
  Ended ended = run(add, all);
  CHECK(ended.naks == std::vector<std::uint8_t>{0x61});
  CHECK(ended.status == CqeStatus::remote_invalid_request);
  CHECK(ended.why == "an atomic at 0x100004, which isn't a multiple of 8");
  Wqe send = write(0, 100_B);
  send.opcode = Opcode::send;
  ended = run(send, all, 0x100, 99_B);
  CHECK(ended.naks == std::vector<std::uint8_t>{0x61});
  CHECK(ended.why == "a SEND of 100 B or more into a receive of 99 B");
}

TEST_CASE("protection: a receive that may not be written is the responder's own fault: 0x63") {
  Wqe send = write(0, 8_B);
  send.opcode = Opcode::send;
  const Ended ended = run(send, all, 0x900, 4_KiB);
  CHECK(ended.naks == std::vector<std::uint8_t>{0x63});
  CHECK(ended.status == CqeStatus::remote_operation);
  CHECK(ended.why == "its receive's lkey 0x900 names no memory region");
}

TEST_CASE("protection: a wrong lkey ends at home, without a packet") {
  Wqe wqe = write(memory, 8_B);
  wqe.lkey = 0x300;
  const Ended ended = run(wqe, all);
  CHECK(ended.naks.empty());
  CHECK(ended.status == CqeStatus::local_protection);
  CHECK(ended.why == "lkey 0x300 names no memory region");
}

TEST_CASE("protection: more READs at once than the responder has resources for are refused") {
  NicParams params = Fixture::defaults();
  params.fetches_outstanding = 2;
  Fixture f(params);
  const auto qpn = f.make();
  const Wqe read = f.read(qpn, 0, 8_B);
  for (std::uint32_t i = 0; i < 3; ++i) f.request(read, i, 0ns);
  f.bench.run();
  REQUIRE(f.wire.all.size() == 3);  // two answers, and behind them
  CHECK(f.wire.all[2].packet.syndrome == Syndrome::invalid_request_nak);
  CHECK(f.wire.all[2].packet.psn == 2);
}

TEST_CASE("protection: states let packets in from RTR on, and WQEs out from RTS on; SQD holds them") {
  NicPair pair(NicPair::nic_defaults(), NicPair::wire_defaults(), NicPair::wire_defaults());
  CHECK(pair.near.state(1) == QueueState::rts);
  pair.near.modify(1, QueueState::sqd);
  pair.post(write(memory, 8_B));
  pair.ring();
  pair.bench.run();
  CHECK(pair.near.stats().fetches == 0);
  pair.near.modify(1, QueueState::rts);
  pair.bench.run();
  CHECK(pair.near.stats().cqes == 1);
  pair.far.modify(1, QueueState::reset);
  pair.far.modify(1, QueueState::init);
  CHECK_THROWS_AS(pair.far.modify(1, QueueState::rts), ModelError);
  pair.post(write(memory, 8_B));
  pair.ring();
  pair.bench.run();
  REQUIRE(pair.near.failures().size() == 1);
  CHECK(pair.near.failures()[0].status == CqeStatus::retry_exceeded);
  CHECK(pair.near.state(1) == QueueState::error);
  std::vector<std::string> lines;
  pair.far.refused(lines);
  CHECK(lines == std::vector<std::string>{"far.qp1: dropped 8 packets, as its state is INIT"});
  pair.check_books();
}

}  // namespace
}  // namespace gicsim::nic
