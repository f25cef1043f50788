// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets of two NICs, as a file: what each port sees of them, and what it can't.
#include <map>

#include "tests/support/files.h"
#include "tests/traces/export/pcap_pair.h"

namespace gicsim::exports {
namespace {

using Settings = CapturedPair::Settings;
using Frames = std::vector<std::unique_ptr<Taken>>;

std::vector<const Taken*> at(const Frames& frames, const std::string& place, roce::Direction direction) {
  std::vector<const Taken*> some;
  for (const auto& one : frames)
    if (one->place == place && one->direction == direction) some.push_back(one.get());
  return some;
}

TEST_CASE("pcap: a WRITE of three packets and its ACK, at both ports") {
  for (const bool infiniband : {false, true}) {
    CapturedPair of(Settings{.infiniband = infiniband});
    of.pair.post(of.wqe(Opcode::rdma_write, 10'000_B));
    const Frames frames = taken(of.file());
    REQUIRE(frames.size() == 8);
    const auto sent = at(frames, "near.nic0", roce::Direction::out), arrived = at(frames, "far.nic0", roce::Direction::in);
    REQUIRE(sent.size() == 3);
    REQUIRE(arrived.size() == 3);
    std::uint64_t address = 0x2000'0000;
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(sent[i]->icrc);
      CHECK(sent[i]->h().opcode == 6 + i);
      CHECK(sent[i]->h().psn == i);
      CHECK(sent[i]->ns < arrived[i]->ns);
      const roce::Octets data = sent[i]->h().data;
      CHECK(roce::big(data, 0, 8) == address);
      address += 4096;
      if (!infiniband) CHECK(sent[i]->octets == arrived[i]->octets);
    }
    CHECK(roce::big(sent[2]->h().data, sent[2]->h().data.size() - 8, 8) == 7);
    CHECK(sent[0]->h().reth->length == 10'000);
    CHECK(at(frames, "far.nic0", roce::Direction::out).at(0)->h().opcode == 0x11);
    CHECK(at(frames, "near.nic0", roce::Direction::in).at(0)->h().aeth->msn == 1);
  }
}

TEST_CASE("pcap: a READ's responses hold what lies at the addresses that it asked for") {
  CapturedPair of(Settings{});
  of.pair.post(of.wqe(Opcode::rdma_read, 9000_B));
  const std::string file = of.file();
  const Frames frames = taken(file);
  const auto responses = at(frames, "far.nic0", roce::Direction::out);
  REQUIRE(responses.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(responses[i]->icrc);
    CHECK(responses[i]->h().opcode == 0x0d + i);
    CHECK(roce::big(responses[i]->h().data, 8, 8) == 0x2000'0008 + 4096 * i);
  }
  CHECK(holds(file, "qp1 to qp1 WQE 0"));
}

TEST_CASE("pcap: atomics, their operands and what they found") {
  CapturedPair of(Settings{.infiniband = true});
  of.pair.post(of.wqe(Opcode::fetch_add, 8_B));
  of.pair.post(of.wqe(Opcode::compare_swap, 8_B));
  const Frames frames = taken(of.file());
  const auto sent = at(frames, "near.nic0", roce::Direction::out), found = at(frames, "near.nic0", roce::Direction::in);
  REQUIRE(sent.size() == 2);
  CHECK(sent[0]->h().opcode == 0x14);
  CHECK(sent[0]->h().atomic->swap == 7);
  CHECK(sent[1]->h().opcode == 0x13);
  CHECK(sent[1]->h().atomic->compare == 6);
  REQUIRE(found.size() == 2);
  CHECK(found[0]->h().old_value == 0);
  CHECK(found[1]->h().old_value == 7);
}

TEST_CASE("pcap: a packet that is lost is seen by its sender alone; sent again it says what its WQE said") {
  for (const auto how : {nic::Retransmission::go_back_n, nic::Retransmission::selective_repeat}) {
    nic::TransportParams transport;
    transport.retransmission = how;
    CapturedPair of(Settings{.loss = Probability::steps(Probability::certain / 10), .transport = transport});
    for (int i = 0; i < 40; ++i) {
      Wqe wqe = of.wqe(i % 4 == 3 ? Opcode::rdma_read : Opcode::rdma_write, 20'000_B);
      wqe.remote += static_cast<Address>(i) << 20;
      wqe.rkey = 100 + static_cast<std::uint32_t>(i);
      of.pair.post(wqe);
    }
    const std::string file = of.file();
    const Frames frames = taken(file);
    const link::WireStats &forth = of.pair.forth.stats(), &back = of.pair.back.stats();
    const auto left = at(frames, "near.nic0", roce::Direction::out), came = at(frames, "far.nic0", roce::Direction::in);
    CHECK(static_cast<Count>(left.size()) == forth.packets);
    CHECK(static_cast<Count>(came.size()) == forth.packets - forth.lost);
    CHECK(static_cast<Count>(at(frames, "far.nic0", roce::Direction::out).size()) == back.packets);
    CHECK(static_cast<Count>(at(frames, "near.nic0", roce::Direction::in).size()) == back.packets - back.lost);
    CHECK(forth.lost > 5);
    CHECK(holds(file, ", sent 2 times"));
    CHECK(holds(file, ", lost"));
    std::map<std::uint32_t, const Taken*> first;
    for (const Taken* one : left) {
      CHECK(one->icrc);
      if (const auto& reth = one->h().reth) CHECK(reth->key == 100 + (reth->address - 0x2000'0000) / (1 << 20));
      const auto [known, fresh] = first.emplace(one->h().psn, one);
      if (!fresh && one->h().opcode != 0x0c) CHECK(one->h().data.size() == known->second->h().data.size());
    }
    std::int64_t before = 0;
    for (const auto& one : frames) {
      CHECK(one->ns >= before);
      before = one->ns;
    }
    // Each word of every response is its address, however often the READ was asked for, and from where on.
    for (const Taken* one : at(frames, "far.nic0", roce::Direction::out)) {
      const roce::Octets data = one->h().data;
      if (data.size() < 16 || !is_response(one->h().operation)) continue;
      const std::uint64_t address = roce::big(data, 0, 8), offset = (address - 0x2000'0000) % (1 << 20);
      CHECK(offset % 4096 == 0);
      CHECK((address - 0x2000'0000) / (1 << 20) % 4 == 3);
      CHECK(roce::big(data, data.size() - 16, 8) == address + data.size() - 16);
    }
  }
}

TEST_CASE("pcap: a SEND that finds no receive") {
  CapturedPair of(Settings{.infiniband = true});
  of.pair.post(of.wqe(Opcode::send_imm, 64_B));
  of.pair.ring();
  of.pair.bench.run();
  of.pair.receive(0x3000'0000, 4_KiB);
  const Frames frames = taken(of.file());
  const auto answers = at(frames, "near.nic0", roce::Direction::in), sent = at(frames, "near.nic0", roce::Direction::out);
  REQUIRE(answers.size() == 2);
  CHECK(answers[0]->h().aeth->syndrome == 0x2c);
  CHECK(answers[1]->h().aeth->syndrome == 0x1f);
  REQUIRE(sent.size() == 2);
  CHECK(sent[1]->h().immediate == 0x99);
}

TEST_CASE("pcap: the section says when it is cut, and no frame stands behind a gap") {
  const auto all = [](Bytes limit) {
    CapturedPair of(Settings{.limit = limit});
    for (int i = 0; i < 20; ++i) of.pair.post(of.wqe(Opcode::rdma_write, 20'000_B));
    const std::string file = of.file();
    return std::tuple{file, of.writer.left_out()};
  };
  const auto [whole, none] = all(Options::standard_limit);
  const auto [part, some] = all(300_KiB);
  CHECK(none.empty());
  REQUIRE(some.size() == 1);
  CHECK(some[0].file == "packets.pcapng");
  CHECK(part.size() <= 300 * 1024);
  CHECK(part.size() > 290 * 1024);
  const Frames one = taken(whole), other = taken(part);
  CHECK(static_cast<std::size_t>(some[0].of) == one.size());
  CHECK(other.size() + static_cast<std::size_t>(some[0].left_out) == one.size());
  for (std::size_t i = 0; i < other.size(); ++i) {
    REQUIRE(one[i]->octets == other[i]->octets);
    REQUIRE(one[i]->place == other[i]->place);
  }
  CHECK(holds(part, "; cut at 300 KiB: "));
  const auto [empty, everything] = all(1_B);
  CHECK(taken(empty).empty());
  CHECK(static_cast<std::size_t>(everything[0].left_out) == one.size());
}

}  // namespace
}  // namespace gicsim::exports
