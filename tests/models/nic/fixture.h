// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "models/nic/nic.h"
#include "tests/support/bench.h"
#include "tests/support/dma.h"
#include "tests/support/packets.h"
#include "tests/support/script.h"

namespace gicsim::nic {

/// When one write's first packet leaves: doorbell, fetch of 600 ns, decode, transmit.
inline constexpr Picoseconds sent_at = 150ns + 600ns + 100ns + 300ns;

/// A NIC between a memory without links and a wire that only notes, or acknowledges each message
/// after `acknowledges`.
struct Fixture {
  struct Wire : PacketTray {
    Fixture& f;
    explicit Wire(Fixture& fixture) : PacketTray(fixture.bench.kernel), f(fixture) {}
    Picoseconds send(const Packet& packet, Picoseconds ready) override {
      if (f.acknowledges >= Picoseconds{} && packet.ack_request) {
        acks.push_back(packet);
        kernel.at<&Wire::on_ack>(ready + f.acknowledges, this);
      }
      return PacketTray::send(packet, ready);
    }
    void on_ack() {
      f.ack(acks.front().psn);
      acks.pop_front();
    }
    std::deque<Packet> acks;
  };

  NicParams params;
  TransportParams transport;
  Bench bench;
  Dma dma;
  Nic& nic;
  Picoseconds acknowledges{-1};
  Wire wire{*this};
  Script script{bench.kernel};
  std::deque<Transfer> rings;

  static NicParams defaults() { return {.qp_window = 16, .nic_window = 64, .ack_handle = 170ns, .ack_timeout = 0}; }

  explicit Fixture(const NicParams& p = defaults(), Picoseconds round_trip = 600ns, const TransportParams& t = {})
      : params(p),
        transport(t),
        dma(bench.kernel, round_trip),
        nic(bench.add_named<Nic>("nic", params, PortNumber{4}, infiniband_overhead, Address{1} << 46,
                                 transport)) {
    nic.port.bind(dma);
    nic.wire_out.bind(wire);
  }

  static Address ring_of(std::uint32_t qpn) { return Address{qpn} << 24; }
  static Address completion_of(std::uint32_t qpn) { return ring_of(qpn) + (1 << 23); }
  static Address received_of(std::uint32_t qpn) { return completion_of(qpn) + 64; }
  /// A queue pair connected to the one of the same number at port 9.
  std::uint32_t make(std::uint32_t depth = 1024, std::uint32_t first_psn = 0) {
    QueuePairConfig config;
    config.depth = depth;
    config.first_psn = first_psn;
    const std::uint32_t qpn = nic.make_queue_pair(config);
    nic.place(qpn, ring_of(qpn), completion_of(qpn), received_of(qpn));
    nic.connect(qpn, 9, qpn);
    depth_ = depth;
    return qpn;
  }
  Wqe wqe(std::uint32_t qpn, std::uint32_t index, Bytes length = 8_B, bool inlined = true) const {
    Wqe wqe;
    wqe.inlined = inlined;
    wqe.qpn = qpn;
    wqe.index = index;
    wqe.local = 0x5000;
    wqe.remote = 0x9000;
    wqe.length = length;
    wqe.value = index + 1;
    return wqe;
  }
  Wqe read(std::uint32_t qpn, std::uint32_t index, Bytes length) const {
    Wqe wqe = this->wqe(qpn, index, length, false);
    wqe.opcode = Opcode::rdma_read;
    return wqe;
  }
  Wqe atomic(std::uint32_t qpn, std::uint32_t index, Opcode opcode, std::uint64_t value,
             std::uint64_t compare = 0) const {
    Wqe wqe = this->wqe(qpn, index, 8_B, false);
    wqe.opcode = opcode;
    wqe.value = value;
    wqe.compare = compare;
    return wqe;
  }
  void write(const Wqe& wqe, Picoseconds visible = Picoseconds{}) {
    dma.cells.write(ring_of(wqe.qpn) + wqe.index % depth_ * Address{64}, wqe, visible);
  }
  void write_all(std::uint32_t qpn, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) write(wqe(qpn, i));
  }
  void ring(Content value, Picoseconds at) {
    script.at(at, [this, value] {
      Transfer& transfer = rings.emplace_back();
      transfer.address = nic.doorbell_address();
      transfer.length = std::holds_alternative<Wqe>(value) ? wqe_unit : 8_B;
      transfer.content = value;
      nic.target->on_write(transfer, bench.now());
    });
  }
  void ring(std::uint32_t qpn, std::uint32_t producer, Picoseconds at = Picoseconds{}) {
    ring(Content(std::uint64_t{qpn} << 32 | producer), at);
  }
  void ack(std::uint32_t psn, std::uint32_t qpn = 1) {
    nic.wire_in->arrive({.kind = PacketKind::ack, .from = 9, .to = 4, .qpn = qpn, .psn = psn});
  }
  /// A RNR NAK asks for 640 us.
  void nak(std::uint32_t psn, Syndrome why = Syndrome::sequence_nak, std::uint32_t qpn = 1) {
    nic.wire_in->arrive({.kind = PacketKind::nak, .syndrome = why, .from = 9, .to = 4, .qpn = qpn, .psn = psn,
                         .rnr_timer = 12});
  }
  /// A response packet from the far side; its place in the message is of no interest to a requester.
  void respond(PacketKind kind, std::uint32_t psn, Bytes payload, std::uint64_t value = 0, std::uint32_t qpn = 1) {
    nic.wire_in->arrive({.kind = kind, .last = true, .from = 9, .to = 4, .qpn = qpn, .psn = psn, .payload = payload,
                         .value = value});
  }
  /// A whole message of one packet from the far side.
  void receive(const Wqe& wqe, std::uint32_t psn, Picoseconds at) {
    script.at(at, [this, &wqe, psn] {
      nic.wire_in->arrive({.first = true, .last = true, .ack_request = true,
                           .immediate = wqe.opcode == Opcode::rdma_write_imm, .from = 9, .to = 4, .qpn = wqe.qpn,
                           .psn = psn, .payload = wqe.length, .address = wqe.remote, .wqe = &wqe});
    });
  }
  /// A READ or atomic request from the far side, for what lies from `skip` on.
  void request(const Wqe& wqe, std::uint32_t psn, Picoseconds at, Bytes skip = 0_B) {
    script.at(at, [this, &wqe, psn, skip] {
      nic.wire_in->arrive({.kind = is_atomic(wqe.opcode) ? PacketKind::atomic_request : PacketKind::read_request,
                           .first = true, .last = true, .ack_request = true, .from = 9, .to = 4, .qpn = wqe.qpn,
                           .psn = psn, .address = wqe.remote + static_cast<Address>(skip.count()),
                           .length = wqe.length - skip, .wqe = &wqe});
    });
  }

 private:
  std::uint32_t depth_ = 1024;
};

using Times = std::vector<Picoseconds>;

}  // namespace gicsim::nic
