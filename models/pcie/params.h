// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::pcie {

/// One PCIe link, both directions alike. Gen 1 and 2 code 8b/10b, Gen 3 to 5 128b/130b.
struct LinkParams {
  Count generation;
  Count lanes;
  Picoseconds latency = 72ns;
  Bytes write_overhead = 24_B;
  Bytes read_overhead = 24_B;
  Bytes completion_overhead = 20_B;
  Bytes ack = 8_B;
  Count posted_headers = 128;
  Bytes posted_data = 32_KiB;
  Count non_posted_headers = 128;
  Count completion_headers = 0;
  Bytes completion_data{};
  Count overtaking = 8;
  bool short_headers = false;
  bool credit_updates = false;
  Probability ber{};
  Bytes replay_buffer{};
  Picoseconds replay_timer{};
  Picoseconds retrain = 2us;
};

template <class V>
constexpr void describe(V&& v, LinkParams& p) {
  v("generation", p.generation, "PCIe generation: 2.5, 5, 8, 16, 32 GT/s", by_part, within(1, 5));
  v("lanes", p.lanes, "lanes in use after training", by_part, powers_of_two(1, 32));
  v("latency", p.latency, "transaction, link and physical layers of both ends, one way",
    assumed("A-004"), within(0ns, 10us));
  v("write_overhead", p.write_overhead, "framing, sequence number, LCRC and 4-DW header of a MWr",
    spec("PCIe Base 3.0, 2.2.1; pcie-bench model: 8 + 4 + 12 B"), within(12_B, 64_B));
  v("read_overhead", p.read_overhead, "the same of a MRd",
    spec("PCIe Base 3.0, 2.2.1; pcie-bench model: 8 + 4 + 12 B"), within(12_B, 64_B));
  v("completion_overhead", p.completion_overhead, "the same of a CplD",
    spec("PCIe Base 3.0, 2.2.9; pcie-bench model: 8 + 4 + 8 B"), within(12_B, 64_B));
  v("ack", p.ack,
    "framing, content and CRC of an Ack DLLP, which goes back for a TLP; one for several while lanes are busy",
    spec("PCIe Base 5.0, 3.5.1 and 4.2.2: 2 + 4 + 2 B"), within(0_B, 64_B));
  v("posted_headers", p.posted_headers, "posted header credits that the receiver advertises",
    assumed("A-005"), within(1, 4096));
  v("posted_data", p.posted_data, "posted data credits, in bytes (units of 16 B)", assumed("A-005"),
    within(16_B, 16_MiB));
  v("non_posted_headers", p.non_posted_headers, "non-posted header credits", assumed("A-005"),
    within(1, 4096));
  v("completion_headers", p.completion_headers,
    "completion header credits, of ports inside switches and forwarding root complexes; 0: infinite",
    spec("PCIe Base 5.0, 2.6.1: endpoints and root complexes that don't forward advertise infinite"),
    within(0, 4096));
  v("completion_data", p.completion_data, "the same of completion data, in bytes (units of 16 B); 0: infinite",
    spec("PCIe Base 5.0, 2.6.1: endpoints and root complexes that don't forward advertise infinite"),
    within(0_B, 16_MiB));
  v("overtaking", p.overtaking,
    "TLPs of one flow that may pass another that lacks credits, if the ordering rules let them (RO, IDO); 0: none",
    assumed("A-152"), within(0, 64));
  v("short_headers", p.short_headers, "requests below 4 GiB take a 3-DW header, 4 B less; off: all take four",
    assumed("A-153"));
  v("credit_updates", p.credit_updates, "credits come back by UpdateFC DLLPs that take their time of the lanes",
    assumed("A-154"));
  v("ber", p.ber, "a bit of a TLP or DLLP arrives wrong, each by itself; at most 1e-4", assumed("A-150"),
    within(Probability{}, Probability::steps(Probability::certain / 10'000)));
  v("replay_buffer", p.replay_buffer, "bytes of TLPs that wait for their Acks; then the link blocks; 0: never",
    assumed("A-155"), within(0_B, 16_MiB));
  v("replay_timer", p.replay_timer,
    "without an Ack until all unacknowledged TLPs are sent again; 0: the limit for this rate, width and payload",
    spec("PCIe Base 5.0, 3.6.2.1"), within(0ns, 10ms));
  v("retrain", p.retrain, "through Recovery and back, after a framing error (from Gen 3 on) or a rollover",
    assumed("A-151"), within(0ns, 1s));
}
static_assert(fully_described<LinkParams>());

/// A PCIe switch: routes by address and by requester ID, cut-through.
struct SwitchParams {
  Picoseconds latency;
};

template <class V>
constexpr void describe(V&& v, SwitchParams& p) {
  v("latency", p.latency, "port to port, cut-through", by_part, within(0ns, 10us));
}
static_assert(fully_described<SwitchParams>());

/// What a device's port does with a transfer: splits, tags, reassembly.
struct EndpointParams {
  Bytes mps = 256_B;
  Bytes mrrs = 4_KiB;
  Bytes rcb = 64_B;
  Count tags = 256;
  Bytes completion_buffer = 64_KiB;
};

template <class V>
constexpr void describe(V&& v, EndpointParams& p) {
  v("mps", p.mps, "max payload size of a TLP", assumed("A-006"), powers_of_two(128_B, 4_KiB));
  v("mrrs", p.mrrs, "max read request size", assumed("A-006"), powers_of_two(128_B, 4_KiB));
  v("rcb", p.rcb, "read completion boundary of this port as completer",
    spec("PCIe Base 5.0, 2.3.1.1: 64 or 128 B"), powers_of_two(64_B, 128_B));
  v("tags", p.tags, "read requests outstanding; 8-bit tags", spec("PCIe Base 5.0, 2.2.6.2"),
    within(1, 16'384));
  v("completion_buffer", p.completion_buffer,
    "bytes of completions that the reader can hold; a request reserves its own", assumed("A-007"),
    within(128_B, 64_MiB));
}
static_assert(fully_described<EndpointParams>());

/// A root complex, seen as a switch whose one port is host memory.
struct RootParams {
  Picoseconds latency;
  BitRate peer_write_rate{};
  BitRate peer_read_rate{};
};

template <class V>
constexpr void describe(V&& v, RootParams& p) {
  v("latency", p.latency, "port to port, or port to host memory", by_part, within(0ns, 10us));
  v("peer_write_rate", p.peer_write_rate,
    "payload of writes that a root port passes on to other devices' root ports; 0: as its links allow",
    assumed("A-241"), within(BitRate{}, 10'000_Gbps));
  v("peer_read_rate", p.peer_read_rate, "the same of completions", assumed("A-241"), within(BitRate{}, 10'000_Gbps));
}
static_assert(fully_described<RootParams>());

/// NVLink-C2C between a CPU and its GPU: no tags, no splits, cache-coherent.
struct CoherentParams {
  BitRate rate;
  Picoseconds latency;
  Bytes overhead = 16_B;
  Picoseconds ordered_write;
};

template <class V>
constexpr void describe(V&& v, CoherentParams& p) {
  v("rate", p.rate, "payload rate, one direction", by_part, within(1_Gbps, 10'000_Gbps));
  v("latency", p.latency, "one way", by_part, within(0ns, 10us));
  v("overhead", p.overhead, "header bytes a request or response", assumed("A-008"), within(0_B, 64_B));
  v("ordered_write", p.ordered_write,
    "until an inbound write that must stay ordered (relaxed ordering clear: a CQE) is visible", by_part,
    within(0ns, 100us));
}
static_assert(fully_described<CoherentParams>());

/// The link between two sockets of a machine (UPI, xGMI), seen between their root complexes.
struct SocketLinkParams {
  Picoseconds latency;
  BitRate rate;
  BitRate peer_rate;
  Picoseconds peer_read;
  Bytes overhead = 16_B;
};

template <class V>
constexpr void describe(V&& v, SocketLinkParams& p) {
  v("latency", p.latency, "one way, beyond the two root complexes", by_part, within(0ns, 10us));
  v("rate", p.rate, "payload and headers, one direction", by_part, within(1_Gbps, 10'000_Gbps));
  v("peer_rate", p.peer_rate,
    "payload from device to device, which root complexes pass on at less than the link's rate", by_part,
    within(1_Gbps, 10'000_Gbps));
  v("peer_read", p.peer_read, "extra of a read of one device by another, from request to data", by_part,
    within(0ns, 100us));
  v("overhead", p.overhead, "header bytes a request or response", assumed("A-091"), within(0_B, 64_B));
}
static_assert(fully_described<SocketLinkParams>());

}  // namespace gicsim::pcie
