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
    "completion header credits of a receiver in a switch or a forwarding root complex (an endpoint's are infinite); 0: infinite",
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

/// Whose TLP an egress port takes next: the one that came first, or one of each ingress port in turn.
enum class Arbitration { arrival, round_robin };
constexpr auto names_of(Arbitration) { return std::array<std::string_view, 2>{"arrival", "round_robin"}; }

/// A PCIe switch: routes by address and by requester ID, cut-through.
struct SwitchParams {
  Picoseconds latency;
  Arbitration arbitration = Arbitration::arrival;
};

template <class V>
constexpr void describe(V&& v, SwitchParams& p) {
  v("latency", p.latency, "port to port, cut-through", by_part, within(0ns, 10us));
  v("arbitration", p.arbitration, "whose TLP an egress port takes next: the oldest, or ingress ports in turn",
    assumed("A-248"));
}
static_assert(fully_described<SwitchParams>());

/// Whether a port can do something, and may.
enum class Ability { off, on };
constexpr auto names_of(Ability) { return std::array<std::string_view, 2>{"off", "on"}; }

/// What a device's port does with a transfer: splits, tags, reassembly, time-outs.
struct EndpointParams {
  Bytes mps = 256_B;
  Bytes mrrs = 4_KiB;
  Bytes rcb = 128_B;
  Count tags = 256;
  Count tag_bits = 10;
  Bytes completion_buffer = 64_KiB;
  Picoseconds completion_timeout = 50ms;
  Ability relaxed_ordering = Ability::off;
  Ability atomic_completer = Ability::off;
  Ability dpc = Ability::off;
};

/// A root complex may complete at 64 B; other completers have 128 B. Source: PCIe Base 5.0, 2.3.1.1
inline constexpr EndpointParams root_complex_port{.rcb = 64_B};

/// Tags that a field of so many bits offers: of 10 bits 768 and of 14 bits 15,360, as the rest would look like a
/// shorter one's. Source: PCIe Base 6.0, 2.2.6.2
constexpr Count tags_of(Count bits) {
  return bits >= 14 ? 15'360 : bits >= 10 ? 768 : bits >= 8 ? 256 : 32;
}

template <class V>
constexpr void describe(V&& v, EndpointParams& p) {
  v("mps", p.mps, "max payload size of a TLP", assumed("A-006"), powers_of_two(128_B, 4_KiB));
  v("mrrs", p.mrrs, "max read request size", assumed("A-006"), powers_of_two(128_B, 4_KiB));
  v("rcb", p.rcb, "read completion boundary of this port as completer; a host's is 64 B unless its part says 128 B",
    spec("PCIe Base 5.0, 2.3.1.1: 128 B, of a root complex 64 or 128 B"), powers_of_two(64_B, 128_B));
  v("tags", p.tags, "read requests and atomics outstanding", spec("PCIe Base 5.0, 2.2.6.2: 256 of 8-bit tags"),
    within(1, 15'360));
  v("tag_bits", p.tag_bits,
    "tag bits that it can send and complete: 5, 8, 10 or 14; a node uses the fewest of its ports",
    spec("PCIe Base 5.0, 2.2.6.2: at 16 GT/s and more a completer takes 10 bits"), within(5, 14));
  v("completion_buffer", p.completion_buffer,
    "bytes of completions that the reader can hold; a request reserves its own", assumed("A-007"),
    within(128_B, 64_MiB));
  v("completion_timeout", p.completion_timeout,
    "until a request without its completion has failed; 0: never. The specification has 50 us to 64 s",
    assumed("A-160"), within(0ns, 64s));
  v("relaxed_ordering", p.relaxed_ordering, "sets the attribute RO on what need not stay ordered",
    spec("PCIe Base 5.0, 7.5.3.4: enabled by software"));
  v("atomic_completer", p.atomic_completer, "executes AtomicOps of 64 bits; off: answers UR",
    spec("PCIe Base 5.0, 6.15: optional"));
  v("dpc", p.dpc, "the port that it is plugged into contains its fatal errors: closes, and answers for it",
    spec("PCIe Base 5.0, 6.2.10: optional"));
}
static_assert(fully_described<EndpointParams>());

/// A root complex, seen as a switch whose one port is host memory.
struct RootParams {
  Picoseconds latency;
  BitRate peer_write_rate{};
  BitRate peer_read_rate{};
  Arbitration arbitration = Arbitration::arrival;
};

template <class V>
constexpr void describe(V&& v, RootParams& p) {
  v("latency", p.latency, "port to port, or port to host memory", by_part, within(0ns, 10us));
  v("peer_write_rate", p.peer_write_rate,
    "payload of writes that a root port passes on to other devices' root ports; 0: as its links allow",
    assumed("A-241"), within(BitRate{}, 10'000_Gbps));
  v("peer_read_rate", p.peer_read_rate, "the same of completions", assumed("A-241"), within(BitRate{}, 10'000_Gbps));
  v("arbitration", p.arbitration, "whose TLP a root port takes next for its device: the oldest, or ports in turn",
    assumed("A-248"));
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
