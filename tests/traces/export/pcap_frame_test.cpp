// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets as octets: what the reader makes of them is what they were, on RoCEv2 and on InfiniBand.
#include "traces/export/frame.h"

#include <doctest/doctest.h>

#include "tests/traces/export/pcap_support.h"

namespace gicsim::exports {
namespace {

constexpr Bytes not_captured{8 + 4 + 12};  ///< of Ethernet: preamble, FCS, gap

struct Written {
  std::string frame;
  roce::Datagram datagram;
  roce::Header header;
  bool icrc = false;
};

Wqe wqe_of(Opcode opcode, Bytes length) {
  Wqe wqe;
  wqe.opcode = opcode, wqe.qpn = 3, wqe.index = 7;
  wqe.remote = 0x7000'0000'1000, wqe.length = length, wqe.rkey = 0x1122, wqe.immediate = 0xabcd;
  wqe.value = 0x1122'3344'5566'7788, wqe.compare = 41;
  return wqe;
}

Packet packet_of(PacketKind kind, const Wqe& wqe, Bytes payload = {}) {
  Packet packet;
  packet.kind = kind;
  packet.first = packet.last = true;
  packet.from = 0, packet.to = 1, packet.qpn = 5, packet.source_qpn = 3, packet.psn = 0xfffffe;
  packet.address = wqe.remote, packet.length = wqe.length, packet.payload = payload;
  packet.flow = 0xc0de, packet.msn = 9, packet.ack_request = is_request(kind);
  packet.immediate = wqe.opcode == Opcode::rdma_write_imm || wqe.opcode == Opcode::send_imm;
  return packet;
}

/// And its length is the one that the model's wire was busy with.
Written write(Packet packet, const Wqe& wqe, bool infiniband) {
  const Asked asked = asked_by(wqe);
  const Payload payload{packet.address, Bytes{}, wqe.length, wqe.value};
  const std::string transport = transport_octets(packet, &asked, payload, infiniband);
  Written written;
  written.frame = infiniband ? infiniband_frame(packet, transport) : rocev2_frame(packet, transport);
  packet.wire = (infiniband ? infiniband_overhead : rocev2_overhead).on_wire(packet);
  const Bytes on_wire = Bytes(static_cast<std::int64_t>(written.frame.size())) + (infiniband ? Bytes{} : not_captured);
  CHECK(on_wire == packet.wire);
  roce::Frame frame;
  frame.link = infiniband ? 247 : 1;
  frame.length = static_cast<std::uint32_t>(written.frame.size());
  frame.octets = octets_of(written.frame);
  const auto datagram = roce::dissect(frame);
  REQUIRE(std::holds_alternative<roce::Datagram>(datagram));
  written.datagram = std::get<roce::Datagram>(datagram);
  written.icrc = roce::icrc_right(written.datagram) == true;
  CHECK(written.icrc);
  if (infiniband) {
    const std::string_view all = written.frame;
    const std::uint16_t sent = static_cast<std::uint16_t>(static_cast<std::uint8_t>(all[all.size() - 2]) |
                                                          static_cast<std::uint8_t>(all.back()) << 8);
    CHECK(sent == vcrc_by_bits(all.substr(0, all.size() - 2)));
  }
  const auto header = roce::decode(written.datagram);
  if (const auto* h = std::get_if<roce::Header>(&header)) written.header = *h;
  return written;
}

TEST_CASE("pcap: a WRITE's first packet has the whole message's length, its last one the value that it leaves") {
  for (const bool infiniband : {false, true}) {
    const Wqe wqe = wqe_of(Opcode::rdma_write, 13_B);
    const Written w = write(packet_of(PacketKind::write, wqe, 13_B), wqe, infiniband);
    CHECK(w.header.opcode == 0x0a);
    CHECK(w.header.psn == 0xfffffe);
    CHECK(w.header.qp == 0x105);
    CHECK(w.header.ack_request);
    CHECK(w.header.pad == 3);
    CHECK(w.header.payload == 13);
    CHECK(w.header.reth->address == wqe.remote);
    CHECK(w.header.reth->key == 0x1122);
    CHECK(w.header.reth->length == 13);
    const std::string data(w.header.data.begin(), w.header.data.end());
    CHECK(data == std::string("\x00\x00\x70\x00\x00", 5) + "\x11\x22\x33\x44\x55\x66\x77\x88");
    CHECK(to_text(w.datagram.from) == (infiniband ? "LID 1" : "10.0.0.1"));
    CHECK(to_text(w.datagram.to) == (infiniband ? "LID 2" : "10.0.0.2"));
    if (!infiniband) CHECK(w.datagram.source_port == 0xc0de);
  }
}

TEST_CASE("pcap: packets of a message, by their place in it") {
  const Wqe wqe = wqe_of(Opcode::rdma_write_imm, 10'000_B);
  Packet packet = packet_of(PacketKind::write, wqe, 4096_B);
  packet.last = packet.immediate = false;
  CHECK(write(packet, wqe, false).header.reth->length == 10'000);
  packet.first = false, packet.ack_request = false;
  CHECK(write(packet, wqe, true).header.opcode == 0x07);
  packet.last = packet.immediate = true, packet.payload = 1808_B;
  const Written last = write(packet, wqe, false);
  CHECK(last.header.opcode == 0x09);
  CHECK(last.header.immediate == 0xabcd);
}

TEST_CASE("pcap: each aligned word of payload is its own address") {
  const std::string text = octets_of(Payload{0x1'0000'0ffe, Bytes{}, 4096_B, 0}, 12_B);
  CHECK(text == std::string("\x0f\xf8" "\x00\x00\x00\x01\x00\x00\x10\x00" "\x00\x00", 12));
}

TEST_CASE("pcap: SEND, READ, atomics and their answers") {
  for (const bool infiniband : {false, true}) {
    const Wqe send = wqe_of(Opcode::send_imm, 64_B), read = wqe_of(Opcode::rdma_read, 9000_B),
              add = wqe_of(Opcode::fetch_add, 8_B), swap = wqe_of(Opcode::compare_swap, 8_B);
    CHECK(write(packet_of(PacketKind::send, send, 64_B), send, infiniband).header.immediate == 0xabcd);
    const Written request = write(packet_of(PacketKind::read_request, read), read, infiniband);
    CHECK(request.header.opcode == 0x0c);
    CHECK(request.header.reth->length == 9000);
    const Written added = write(packet_of(PacketKind::atomic_request, add), add, infiniband);
    CHECK(added.header.opcode == 0x14);
    CHECK(added.header.atomic->swap == 0x1122'3344'5566'7788);
    CHECK(added.header.atomic->compare == 0);
    const Written swapped = write(packet_of(PacketKind::atomic_request, swap), swap, infiniband);
    CHECK(swapped.header.opcode == 0x13);
    CHECK(swapped.header.atomic->compare == 41);
    CHECK(swapped.header.atomic->key == 0x1122);
    Packet response = packet_of(PacketKind::read_response, read, 4096_B);
    response.last = false;
    CHECK(write(response, read, infiniband).header.aeth->msn == 9);
    response.first = false;
    CHECK_FALSE(write(response, read, infiniband).header.aeth);
    Packet old = packet_of(PacketKind::atomic_response, add);
    old.value = 77;
    CHECK(write(old, add, infiniband).header.old_value == 77);
  }
}

TEST_CASE("pcap: acknowledgements by their syndromes; a gap's NAK says what is missing") {
  const Wqe wqe = wqe_of(Opcode::rdma_write, 8_B);
  Packet ack = packet_of(PacketKind::ack, wqe);
  CHECK(write(ack, wqe, false).header.aeth->syndrome == 0x1f);
  ack.kind = PacketKind::nak, ack.syndrome = Syndrome::rnr_nak, ack.rnr_timer = 12;
  CHECK(write(ack, wqe, true).header.aeth->syndrome == 0x2c);
  ack.syndrome = Syndrome::sequence_nak, ack.gap = 0x010203, ack.missing = 1000;
  const Written gap = write(ack, wqe, false);
  CHECK(gap.header.aeth->syndrome == 0x60);
  CHECK(std::string(gap.header.data.begin(), gap.header.data.end()) == "\xff\x01\x02\x03");
}

TEST_CASE("pcap: datagrams name both queue pairs and the Q_Key; DC's own opcodes aren't anybody's") {
  const Wqe wqe = wqe_of(Opcode::send, 100_B);
  Packet datagram = packet_of(PacketKind::send, wqe, 100_B);
  datagram.service = Service::ud, datagram.key = 0x1234, datagram.ack_request = false;
  for (const bool infiniband : {false, true}) {
    const Written w = write(datagram, wqe, infiniband);
    CHECK(w.header.opcode == 0x64);
    CHECK(w.header.deth->key == 0x1234);
    CHECK(w.header.deth->source == 0x103);
    Packet dc = datagram;
    dc.service = Service::dc;
    CHECK(static_cast<std::uint8_t>(write(dc, wqe, infiniband).datagram.payload[0]) == 0xc4);
  }
}

TEST_CASE("pcap: congestion: marks where routers leave them, CNPs, pause frames") {
  const Wqe wqe = wqe_of(Opcode::rdma_write, 8_B);
  Packet packet = packet_of(PacketKind::write, wqe, 8_B);
  packet.ecn = Ecn::congested, packet.priority = 3;
  CHECK(write(packet, wqe, false).datagram.ecn == 3);
  CHECK(static_cast<std::uint8_t>(write(packet, wqe, false).frame[15]) == 0x63);
  const Written marked = write(packet, wqe, true);
  CHECK(marked.header.fecn);
  CHECK(static_cast<std::uint8_t>(marked.frame[0]) == 0x30);
  Packet cnp = packet_of(PacketKind::cnp, wqe);
  CHECK(write(cnp, wqe, false).datagram.payload[0] == 0x81);
  CHECK(write(cnp, wqe, false).header.becn);
  CHECK(write(cnp, wqe, true).datagram.payload[0] == 0x80);
  Packet pause;
  pause.kind = PacketKind::pause, pause.priority = 4, pause.value = 0xffff;
  const std::string frame = pfc_frame(pause, 2, true);
  CHECK(frame.size() == 60);
  CHECK(frame.substr(0, 18) == std::string("\x01\x80\xc2\x00\x00\x01\x02\x01\x00\x00\x00\x03\x88\x08\x01\x01\x00\x10", 18));
  CHECK(frame.substr(26, 2) == "\xff\xff");
  CHECK(pfc_frame(pause, 2, false)[7] == 0);
}

TEST_CASE("pcap: a frame with one bit flipped has a wrong ICRC, wherever nobody may change it") {
  const Wqe wqe = wqe_of(Opcode::rdma_write, 24_B);
  for (const bool infiniband : {false, true}) {
    std::string text = write(packet_of(PacketKind::write, wqe, 24_B), wqe, infiniband).frame;
    int accepted = 0;
    const std::size_t begin = infiniband ? 0 : 14, end = infiniband ? text.size() - 2 : text.size();
    for (std::size_t bit = begin * 8; bit < end * 8; ++bit) {
      text[bit / 8] ^= static_cast<char>(1 << bit % 8);
      roce::Frame frame;
      frame.link = infiniband ? 247 : 1;
      frame.length = static_cast<std::uint32_t>(text.size());
      frame.octets = octets_of(text);
      const auto datagram = roce::dissect(frame);
      const auto* of = std::get_if<roce::Datagram>(&datagram);
      accepted += of && roce::icrc_right(*of) == true;
      text[bit / 8] ^= static_cast<char>(1 << bit % 8);
    }
    CHECK(accepted == (infiniband ? 4 + 8 : 8 * 7));  // VL, BTH; ToS, TTL, checksums of IP and UDP, BTH
  }
}

}  // namespace
}  // namespace gicsim::exports
