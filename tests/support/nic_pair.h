// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "models/base/errors.h"
#include "models/link/wire.h"
#include "models/nic/nic.h"
#include "tests/support/bench.h"
#include "tests/support/dma.h"

namespace gicsim {

/// Marks every other packet that may be marked, as a switch that is always congested a little.
struct Marker final : PacketSink {
  PacketSink* to = nullptr;
  Count seen = 0;
  void arrive(const Packet& packet) override {
    Packet marked = packet;
    if (packet.ecn == Ecn::capable && ++seen % 2 == 0) marked.ecn = Ecn::congested;
    to->arrive(marked);
  }
};

/// Two NICs, a cable between them, memories without links behind them: the transport and nothing
/// else. The near one posts.
struct NicPair {
  static nic::NicParams nic_defaults() {
    return {.qp_window = 16, .nic_window = 64, .ack_handle = 170ns, .ack_timeout = 4};
  }
  static link::WireParams wire_defaults() { return {.rate = 200_Gbps}; }

  nic::NicParams params;
  nic::TransportParams transport;
  link::WireParams forth_params, back_params;
  Bench bench;
  Probe<PacketSent> sent;
  Dma near_memory, far_memory;
  nic::Nic &near, &far;
  link::Wire &forth, &back;
  std::uint32_t depth, qpn = 0, producer = 0, receives = 0;
  std::deque<Transfer> rings;
  Marker marker;

  static constexpr Address ring_at = 1 << 24, near_cq = 1 << 28, far_cq = (1 << 28) + 64, receives_at = 1 << 29;

  NicPair(const nic::NicParams& p, const link::WireParams& f, const link::WireParams& b, std::uint64_t seed = 1,
          std::uint32_t queue_depth = 1024, Picoseconds round_trip = 600ns, const nic::TransportParams& t = {},
          const nic::DcqcnParams* dcqcn = nullptr)
      : params(p),
        transport(t),
        forth_params(f),
        back_params(b),
        near_memory(bench.kernel, round_trip),
        far_memory(bench.kernel, round_trip),
        near(bench.add_named<nic::Nic>("near", params, PortNumber{1}, link::overhead(f.protocol), Address{1} << 46,
                                       transport)),
        far(bench.add_named<nic::Nic>("far", params, PortNumber{2}, link::overhead(f.protocol), Address{1} << 46,
                                      transport)),
        forth(bench.add_named<link::Wire>("forth", forth_params, Kernel::Lane{1}, sent, seed)),
        back(bench.add_named<link::Wire>("back", back_params, Kernel::Lane{2}, sent, seed)),
        depth(queue_depth) {
    near_memory.stores = far_memory.stores = true;
    near.port.bind(near_memory), far.port.bind(far_memory);
    near.wire_out.bind(forth.in);
    if (dcqcn) {
      near.control(dcqcn, nullptr, f.rate), far.control(dcqcn, nullptr, f.rate);
      marker.to = far.wire_in.operator->();
      forth.out.bind(marker);
    } else {
      forth.out.bind(far.wire_in);
    }
    far.wire_out.bind(back.in), back.out.bind(near.wire_in);
    nic::QueuePairConfig config;
    config.depth = depth;
    config.receive_queue = receives_at;
    config.receive_depth = 64;
    qpn = near.make_queue_pair(config);
    far.make_queue_pair(config);
    near.place(qpn, ring_at, near_cq, near_cq + 64), far.place(qpn, ring_at, far_cq - 64, far_cq);
    near.connect(qpn, 2, qpn), far.connect(qpn, 1, qpn);
  }

  void post(Wqe wqe) {
    wqe.qpn = qpn;
    wqe.index = producer;
    producer += nic::wqe_units(wqe);
    near_memory.cells.write(ring_at + wqe.index % depth * Address{64}, wqe, bench.now());
  }
  /// A receive at the far side, into `address`.
  void receive(Address address, Bytes length) {
    far_memory.cells.write(receives_at + receives % 64 * 64, ReceiveWqe{receives, address, length}, bench.now());
    ++receives;
    far.post_receives(qpn, 1);
  }
  void ring() {
    Transfer& doorbell = rings.emplace_back();
    doorbell.address = near.doorbell_address();
    doorbell.content = std::uint64_t{qpn} << 32 | producer;
    near.target->on_write(doorbell, bench.now());
  }
  void check_books() const {
    near.check_books(), far.check_books();
    forth.check_books(), back.check_books();
    const auto &a = near.stats(), &b = far.stats();
    if (a.payload_sent + b.payload_sent != a.payload_received + b.payload_received + a.payload_discarded +
                                               b.payload_discarded + forth.stats().payload_lost +
                                               back.stats().payload_lost)
      throw ModelError("pair", bench.now(), "payload bytes don't balance");
  }
};

}  // namespace gicsim
