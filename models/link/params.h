// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::link {

enum class Protocol { infiniband, rocev2 };
constexpr auto names_of(Protocol) { return std::array<std::string_view, 2>{"infiniband", "rocev2"}; }

/// One cable, both directions alike.
struct WireParams {
  Protocol protocol = Protocol::infiniband;
  BitRate rate;
  Picoseconds flight = 15ns;
  Picoseconds fec = 67ns;
  Probability loss{};
  Probability ber{};
  bool stress_ber = false;
  Picoseconds tick = 4'096ns;
};

template <class V>
constexpr void describe(V&& v, WireParams& p) {
  v("protocol", p.protocol, "link layer, which sets the header bytes of a packet", by_part);
  v("rate", p.rate, "MAC data rate, after PCS and FEC", by_part, within(1_Gbps, 1600_Gbps));
  v("flight", p.flight, "propagation over 3 m at 5 ns/m", derived("3 m x 5 ns/m"), within(0ns, 1s));
  v("fec", p.fec, "FEC, PCS and SerDes of both ends, one way", assumed("A-020"), within(0ns, 10us));
  v("loss", p.loss, "a packet is lost, each by itself, in either direction", assumed("A-055"));
  v("ber", p.ber, "a bit is wrong after FEC: the packet that holds it is lost", assumed("A-055"));
  v("stress_ber", p.stress_ber, "the bit error rate rises under small packets, as link.stress says; a claim's mode",
    Source{Provenance::claimed, "ber_under_small_packets"});
  v("tick", p.tick, "unit of port_xmit_wait", assumed("A-307"), within(1ns, 1s));
}
static_assert(fully_described<WireParams>());

/// What a scripted loss can be about. A write of one packet is its first and its last.
enum class PacketClass {
  any, write, write_first, write_middle, write_last, read_request, read_response, atomic_request, atomic_response,
  ack, nak, cnp
};
constexpr auto names_of(PacketClass) {
  return std::array<std::string_view, 12>{"any", "write", "write_first", "write_middle", "write_last",
                                          "read_request", "read_response", "atomic_request", "atomic_response",
                                          "ack", "nak", "cnp"};
}

/// The n-th packet of a class on one direction of a cable is lost; the first is 1.
struct Drop {
  PacketClass packet = PacketClass::any;
  Count nth = 1;
};

/// A fabric switch: output queued, routes by destination port.
struct SwitchParams {
  Picoseconds latency;
};

template <class V>
constexpr void describe(V&& v, SwitchParams& p) {
  v("latency", p.latency, "last bit in to first bit out: a packet is stored first", by_part, within(0ns, 10us));
}
static_assert(fully_described<SwitchParams>());

}  // namespace gicsim::link
