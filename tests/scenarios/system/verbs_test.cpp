// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// One of each operation on a whole system: every TLP and packet, and the ledger to the picosecond.
#include "tests/support/verbs.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace gicsim {
namespace {

/// Beside the rings, in either node's GPU memory.
constexpr Address data = (Address{1} << 42) + (Address{1} << 40);

/// A line a link, in order of its name: what it carries.
std::string traffic_of(Verbs& v, const std::vector<Wqe>& wqes) {
  std::map<std::string, std::string> links;
  const auto note = [&](std::string_view link, std::string_view kind, Bytes length) {
    std::string& text = links[std::string(link)];
    text += (text.empty() ? "" : ", ") + std::string(kind) + " " + text::write(length);
  };
  v.system().tlps().listen([&](const TlpSent& sent) { note(sent.link, name_of(sent.tlp.kind), sent.tlp.length); });
  v.system().packets().listen(
      [&](const PacketSent& sent) { note(sent.wire, name_of(sent.packet.kind), sent.packet.wire); });
  for (const Wqe& wqe : wqes) v.post(wqe);
  v.ring();
  v.kernel().run();
  v.system().check_books();
  std::string text;
  for (const auto& [link, carried] : links) text += link + ": " + carried + "\n";
  return text;
}

std::string steps(const Ledger& ledger) {
  std::string text;
  for (const Ledger::Entry& entry : ledger.entries())
    text += std::string(name_of(entry.stage)) + " " + entry.at + " " + text::write(entry.time) + "\n";
  return text;
}

Picoseconds sum(const Ledger& ledger) {
  Picoseconds all{};
  for (const Ledger::Entry& entry : ledger.entries()) all += entry.time;
  return all;
}

/// One operation with its message, from the doorbell on.
struct One {
  Verbs v;
  Message message;
  explicit One(Wqe wqe, const Sets& sets = {}, Count receives = 0) : v(sets) {
    v.receives(receives);
    wqe.message = &message;
    message.completion.start(v.kernel().now());
    v.post(wqe);
    v.ring();
    v.kernel().run();
    v.system().check_books();
    REQUIRE(v.completions().size() == 1);
    CHECK(message.completion.total() == v.completions()[0].at);
    CHECK(sum(message.completion) == v.completions()[0].at);
    CHECK(sum(message.delivery) == message.delivery.total());
  }
};

TEST_CASE("verbs: a READ of two packets, every TLP and packet") {
  Verbs v(Sets{{"nic.mtu", "1 KiB"}});
  CHECK(traffic_of(v, {{.opcode = Opcode::rdma_read, .local = v.near(0), .remote = v.far(0), .length = 1500_B}}) ==
        "node0.gpu0_pcie_down: MRd 64 B, MWr 256 B, MWr 256 B, MWr 256 B, MWr 256 B, MWr 256 B, MWr 220 B, MWr 64 B\n"
        "node0.gpu0_pcie_up: CplD 64 B\n"
        "node0.nic0_pcie_down: CplD 64 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MWr 256 B, MWr 256 B, MWr 256 B, MWr 256 B, MWr 256 B, MWr 220 B, MWr 64 B\n"
        "node0_nic0_link_down: RDMA READ RESPONSE 1054 B, RDMA READ RESPONSE 506 B\n"  // 1024 and 476 B, 30 B each
        "node0_nic0_link_up: RDMA READ REQUEST 42 B\n"
        "node1.gpu0_pcie_down: MRd 1 KiB, MRd 476 B\n"
        "node1.gpu0_pcie_up: CplD 256 B, CplD 256 B, CplD 256 B, CplD 256 B, CplD 256 B, CplD 220 B\n"
        "node1.nic0_pcie_down: CplD 256 B, CplD 256 B, CplD 256 B, CplD 256 B, CplD 256 B, CplD 220 B\n"
        "node1.nic0_pcie_up: MRd 1 KiB, MRd 476 B\n"
        "node1_nic0_link_down: RDMA READ REQUEST 42 B\n"
        "node1_nic0_link_up: RDMA READ RESPONSE 1054 B, RDMA READ RESPONSE 506 B\n");
}

TEST_CASE("verbs: an atomic, every TLP and packet: read, write back, old value home") {
  Verbs v;
  v.set(1, v.far(0), 41);
  CHECK(traffic_of(v, {{.opcode = Opcode::fetch_add, .local = v.near(8), .remote = v.far(0), .length = 8_B,
                        .value = 2}}) ==
        "node0.gpu0_pcie_down: MRd 64 B, MWr 8 B, MWr 64 B\n"
        "node0.gpu0_pcie_up: CplD 64 B\n"
        "node0.nic0_pcie_down: CplD 64 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MWr 8 B, MWr 64 B\n"
        "node0_nic0_link_down: ATOMIC ACKNOWLEDGE 38 B\n"
        "node0_nic0_link_up: ATOMIC REQUEST 54 B\n"
        "node1.gpu0_pcie_down: MRd 8 B, MWr 8 B\n"
        "node1.gpu0_pcie_up: CplD 8 B\n"
        "node1.nic0_pcie_down: CplD 8 B\n"
        "node1.nic0_pcie_up: MRd 8 B, MWr 8 B\n"
        "node1_nic0_link_down: ATOMIC REQUEST 54 B\n"
        "node1_nic0_link_up: ATOMIC ACKNOWLEDGE 38 B\n");
  CHECK(v.get(1, v.far(0)) == 43);
  CHECK(v.get(0, v.near(8)) == 41);
}

TEST_CASE("verbs: a write with immediate is a write, 4 B longer, and a CQE behind its data") {
  Verbs v;
  v.receives(1);
  CHECK(traffic_of(v, {{.opcode = Opcode::rdma_write_imm, .inlined = true, .immediate = 7, .remote = v.far(0),
                        .length = 8_B, .value = 5}}) ==
        "node0.gpu0_pcie_down: MRd 64 B, MWr 64 B\n"
        "node0.gpu0_pcie_up: CplD 64 B\n"
        "node0.nic0_pcie_down: CplD 64 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MWr 64 B\n"
        "node0_nic0_link_down: ACK 30 B\n"
        "node0_nic0_link_up: RDMA WRITE 54 B\n"
        "node1.gpu0_pcie_down: MWr 8 B, MWr 64 B\n"
        "node1.nic0_pcie_up: MWr 8 B, MWr 64 B\n"
        "node1_nic0_link_down: RDMA WRITE 54 B\n"
        "node1_nic0_link_up: ACK 30 B\n");
  REQUIRE(v.received().size() == 1);
  CHECK(v.received()[0].cqe.opcode == CqeOpcode::write_imm_received);
  CHECK(v.received()[0].cqe.immediate == 7);
  CHECK(v.get(1, v.far(0)) == 5);
}

/// From the doorbell to a request of `wire` at the far NIC.
std::string out(const char* wire) {
  const std::string serialise = std::string(wire) + " ns\n";
  return "nic_doorbell node0.nic0 150 ns\n"
         "wqe_read node0.nic0 611.444 ns\n"
         "wqe_decode node0.nic0 100 ns\n"
         "nic_tx node0.nic0 300 ns\n"
         "serialise node0_nic0_link_up " + serialise +
         "propagate node0_nic0_link_up 82 ns\n"
         "switch fabric_switch0 130 ns\n"
         "serialise node1_nic0_link_down " + serialise +
         "propagate node1_nic0_link_down 82 ns\n"
         "nic_rx node1.nic0 300 ns\n";
}

/// The responder reads 8 B.
const std::string far_read =
    "nic_execute node1.nic0 100 ns\n"
    "remote_read node1.nic0_pcie_up 72.381 ns\n"  // 24 B at 504.12 Gb/s
    "remote_read node1.switch0 105 ns\n"
    "remote_read node1.gpu0_pcie_down 72.381 ns\n"
    "remote_read node1.gpu0_port 110.002 ns\n"
    "remote_read node1.gpu0_pcie_up 72.445 ns\n"  // 28 B
    "remote_read node1.switch0 105 ns\n"
    "remote_read node1.nic0_pcie_down 72.445 ns\n";

/// A response of 38 B at 200 Gb/s, at the near NIC.
const std::string home =
    "nic_tx node1.nic0 300 ns\n"
    "serialise node1_nic0_link_up 1.52 ns\n"
    "propagate node1_nic0_link_up 82 ns\n"
    "switch fabric_switch0 130 ns\n"
    "serialise node0_nic0_link_down 1.52 ns\n"
    "propagate node0_nic0_link_down 82 ns\n"
    "nic_rx node0.nic0 300 ns\n";

const std::string completion =
    "nic_ack node0.nic0 170 ns\n"
    "cqe_write node0.nic0_pcie_up 73.397 ns\n"
    "cqe_write node0.switch0 105 ns\n"
    "cqe_write node0.gpu0_pcie_down 73.397 ns\n";

const std::string delivery =
    "response_write node0.nic0_pcie_up 72.508 ns\n"
    "response_write node0.switch0 105 ns\n"
    "response_write node0.gpu0_pcie_down 72.508 ns\n";

TEST_CASE("verbs: where a READ's time goes, hop by hop: 42 B out, 38 B home") {
  One one({.opcode = Opcode::rdma_read, .local = data, .remote = data, .length = 8_B});
  CHECK(steps(one.message.completion) == out("1.68") + far_read + home + completion);
  CHECK(steps(one.message.delivery) == out("1.68") + far_read + home + delivery);
}

TEST_CASE("verbs: where an atomic's time goes: 54 B out, 38 B home, and the atomic unit between") {
  One one({.opcode = Opcode::fetch_add, .local = data, .remote = data, .length = 8_B, .value = 1});
  CHECK(steps(one.message.completion) ==
        out("2.16") + far_read + "nic_execute node1.nic0 50 ns\n" + home + completion);
  CHECK(steps(one.message.delivery) == out("2.16") + far_read +  // delivered where the sum is in the far memory
                                           "nic_execute node1.nic0 50 ns\n"
                                           "remote_write node1.nic0_pcie_up 72.508 ns\n"
                                           "remote_write node1.switch0 105 ns\n"
                                           "remote_write node1.gpu0_pcie_down 72.508 ns\n");
}

TEST_CASE("verbs: where a write with immediate's time goes: 54 B out, and the receive's CQE is its delivery") {
  One one({.opcode = Opcode::rdma_write_imm, .inlined = true, .remote = data, .length = 8_B}, {}, 1);
  CHECK(steps(one.message.delivery) ==
        out("2.16") +
            "nic_execute node1.nic0 170 ns\n"
            "cqe_write node1.nic0_pcie_up 73.397 ns\n"
            "cqe_write node1.switch0 105 ns\n"
            "cqe_write node1.gpu0_pcie_down 73.397 ns\n");
  CHECK(one.message.delivery.total() == one.v.received()[0].at);
}

TEST_CASE("verbs: a lost packet's time is retransmit, and the rest is as it would have been") {
  const Wqe write{.inlined = true, .remote = data, .length = 8_B};
  std::string whole = [&] { return steps(One(write).message.completion); }();
  One again(write, Sets{{"drop", "node0.nic0.link up write 1"}, {"nic.ack_timeout", "3"}});
  whole.insert(whole.find("serialise"), "retransmit node0.nic0 32.768 us\nnic_tx node0.nic0 300 ns\n");
  CHECK(steps(again.message.completion) == whole);
}

}  // namespace
}  // namespace gicsim
