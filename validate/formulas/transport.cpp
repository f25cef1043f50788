// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/formulas/transport.h"

namespace gicsim::formulas {

double payload_rate(const link::WireParams& wire, PacketOverhead overhead, Bytes mtu) {
  const auto payload = static_cast<double>(mtu.count());
  return static_cast<double>(wire.rate.bits_per_second()) / 8 * payload /
         (payload + static_cast<double>(overhead.base.count()));
}

double GoBackN::picoseconds_per_packet(double p) const {
  const auto t = static_cast<double>(packet.count()), again = static_cast<double>(nak.count()),
             late = static_cast<double>(time_out.count());
  return t + p * (again + t * p / (1 - p)) + p * p / (1 - p) * late;
}

double selective_repeat(Picoseconds packet, double p) { return static_cast<double>(packet.count()) / (1 - p); }

double OneOutstanding::picoseconds_per_message(double p) const {
  return static_cast<double>(undisturbed.count()) + p / (1 - p) * static_cast<double>(time_out.count());
}

OneOutstanding one_outstanding(const nic::NicParams& nic, const nic::TransportParams& transport,
                               const link::WireParams& wire, PacketOverhead overhead, Bytes payload, Picoseconds read) {
  Packet write, ack;
  write.first = write.last = true;
  write.payload = payload;
  ack.kind = PacketKind::ack;
  const Picoseconds flight = wire.fec + wire.flight, again = read + nic.tx;  // its payload is read each time
  const Picoseconds there = overhead.on_wire(write) / wire.rate + flight + nic.rx;
  const Picoseconds back = nic.ack_turn + overhead.on_wire(ack) / wire.rate + flight + nic.ack_handle + nic.cqe_build;
  return {nic.doorbell + read + nic.decode + again + there + back, time_out(nic) * transport.timeout_factor + again};
}

GoBackN go_back_n(const nic::NicParams& nic, const link::WireParams& wire, PacketOverhead overhead, Bytes payload,
                  Picoseconds read) {
  Packet write, ack;
  write.first = write.last = true;
  write.payload = payload;
  ack.kind = PacketKind::nak;
  GoBackN g;
  g.packet = overhead.on_wire(write) / wire.rate;
  const Picoseconds flight = wire.fec + wire.flight;
  // Its payload is read anew once there is room: the buffer is full, and a packet leaves it every `packet`.
  const Picoseconds resend = g.packet / 2 + read + nic.tx;
  const Picoseconds there = 2 * g.packet + flight + nic.rx;  // the last bit of the packet behind
  const Picoseconds back = nic.ack_turn + overhead.on_wire(ack) / wire.rate + flight + nic.ack_handle;
  g.nak = there + back + resend;
  g.time_out = time_out(nic) + resend;
  return g;
}

}  // namespace gicsim::formulas
