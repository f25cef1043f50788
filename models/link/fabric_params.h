// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::link {

/// What keeps a buffer from running over. ideal: switches have room without end; lossy: what finds
/// no room is dropped; pfc: a port whose buffer fills pauses the one that feeds it, by priority;
/// credits: nobody sends what has no room.
enum class FlowControl { ideal, lossy, pfc, credits };
constexpr auto names_of(FlowControl) {
  return std::array<std::string_view, 4>{"ideal", "lossy", "pfc", "credits"};
}

/// Which of several shortest ways a packet takes. fixed: the destination's; ecmp: its flow's, by
/// hash; adaptive: each packet by itself where the least waits.
enum class Routing { fixed, ecmp, adaptive };
constexpr auto names_of(Routing) {
  return std::array<std::string_view, 3>{"static", "ecmp", "adaptive"};
}

inline constexpr int priorities =
    8;  ///< of Ethernet; data virtual lanes that we use, of InfiniBand's 15
constexpr bool is_in(Count mask, int priority) { return (mask >> priority & 1) != 0; }

/// What all ports of a fabric have in common.
struct FabricParams {
  FlowControl flow_control = FlowControl::ideal;
  Routing routing = Routing::fixed;
  Count pfc_priorities = 8;
  Count pause_quanta = 65535;
  Picoseconds response = 100ns;
  Bytes vl_buffer = 64_KiB;
};

template <class V>
constexpr void describe(V&& v, FabricParams& p) {
  v("flow_control", p.flow_control,
    "ideal: switches buffer without end; lossy: they drop; pfc: they pause by priority; credits: "
    "InfiniBand's, by virtual lane",
    assumed("A-280"));
  v("routing", p.routing,
    "of several shortest ways: the destination's, a flow's by hash (ecmp), or each packet's own",
    assumed("A-280"));
  v("pfc_priorities", p.pfc_priorities,
    "pfc: bit mask of the priorities that are lossless; 8 is priority 3", assumed("A-281"),
    within(0, 255));
  v("pause_quanta", p.pause_quanta,
    "pfc: a pause lasts so many times 512 bit times unless it is said again",
    spec("IEEE 802.3, 31B.2: 16 bits"), within(2, 65'535));
  v("response", p.response, "pfc: from a pause frame's last bit until no further packet is begun",
    assumed("A-282"), within(0ns, 10us));
  v("vl_buffer", p.vl_buffer,
    "credits: a receiver's buffer for each virtual lane, in blocks of 64 B", assumed("A-283"),
    within(8_KiB, 16_MiB));
}
static_assert(fully_described<FabricParams>());

/// Until a pause ends by itself: a quantum is 512 bit times.
constexpr Picoseconds pause_time(Count quanta, BitRate rate) { return Bytes(quanta * 64) / rate; }

/// Room that a lossless priority needs beyond `xoff`: what the cable holds both ways, a packet that
/// was begun at either end before the pause could be sent and obeyed, the pause frame itself, and
/// what comes while it is being obeyed. Source: IEEE 802.1Q, 36 and Annex N
constexpr Bytes headroom(Picoseconds cable, BitRate rate, Bytes packet, Bytes frame,
                         Picoseconds response) {
  const Picoseconds still = 2 * cable + response;
  return 2 * packet + frame +
         Bytes(detail::multiply_divide_up(still.count(), rate.bits_per_second(),
                                          8 * detail::picoseconds_per_second));
}

/// A fabric switch's packet memory, if `flow_control` isn't ideal.
struct BufferParams {
  Bytes size = 32_MiB;
  Bytes queue = 1_MiB;
  Bytes xoff = 128_KiB;
  Bytes xon = 96_KiB;
  Bytes headroom = 64_KiB;
};

template <class V>
constexpr void describe(V&& v, BufferParams& p) {
  v("size", p.size, "packets in the switch; what finds no room is dropped", assumed("A-284"),
    within(16_KiB, 16_GiB));
  v("queue", p.queue, "of it, what of one lossy priority may wait for one port", assumed("A-284"),
    within(4_KiB, 16_GiB));
  v("xoff", p.xoff,
    "what of a lossless priority came in through one port, from which on that port is paused",
    assumed("A-285"), within(0_B, 1_GiB));
  v("xon", p.xon, "the same, at which it may go on", assumed("A-285"), within(0_B, 1_GiB));
  v("headroom", p.headroom, "room beyond xoff for what is under way when the pause is said",
    assumed("A-285"), within(0_B, 1_GiB));
}
static_assert(fully_described<BufferParams>());

/// A port's arbiter: two tables of lanes with weights; the high one goes first, until it has sent
/// `limit` in a row. Source: InfiniBand 1.5, 7.6.9. Ethernet's strict priorities are a high table
/// without limit, ETS a low one.
struct ArbitrationParams {
  Count limit = 255;
  Count high_0 = 0, high_1 = 0, high_2 = 0, high_3 = 0, high_4 = 0, high_5 = 0, high_6 = 255,
        high_7 = 0;
  Count low_0 = 64, low_1 = 64, low_2 = 64, low_3 = 64, low_4 = 64, low_5 = 64, low_6 = 64,
        low_7 = 64;
};

template <class V>
constexpr void describe(V&& v, ArbitrationParams& p) {
  v("limit", p.limit,
    "4 KiB that the high table may send while the low one waits; 255: no limit, 0: one packet",
    assumed("A-286"), within(0, 255));
  constexpr std::string_view high = "weight in the high table, 64 B a turn; 0: isn't in it";
  constexpr std::string_view low = "weight in the low table, 64 B a turn; 0: isn't in it";
  v("high_0", p.high_0, high, assumed("A-286"), within(0, 255));
  v("high_1", p.high_1, high, assumed("A-286"), within(0, 255));
  v("high_2", p.high_2, high, assumed("A-286"), within(0, 255));
  v("high_3", p.high_3, high, assumed("A-286"), within(0, 255));
  v("high_4", p.high_4, high, assumed("A-286"), within(0, 255));
  v("high_5", p.high_5, high, assumed("A-286"), within(0, 255));
  v("high_6", p.high_6, high, assumed("A-286"), within(0, 255));
  v("high_7", p.high_7, high, assumed("A-286"), within(0, 255));
  v("low_0", p.low_0, low, assumed("A-286"), within(0, 255));
  v("low_1", p.low_1, low, assumed("A-286"), within(0, 255));
  v("low_2", p.low_2, low, assumed("A-286"), within(0, 255));
  v("low_3", p.low_3, low, assumed("A-286"), within(0, 255));
  v("low_4", p.low_4, low, assumed("A-286"), within(0, 255));
  v("low_5", p.low_5, low, assumed("A-286"), within(0, 255));
  v("low_6", p.low_6, low, assumed("A-286"), within(0, 255));
  v("low_7", p.low_7, low, assumed("A-286"), within(0, 255));
}
static_assert(fully_described<ArbitrationParams>());

/// Where switches mark packets (ECN), by what waits for the port at the packet's priority.
struct EcnParams {
  Bytes kmin;
  Bytes kmax;
  Probability pmax;
};

template <class V>
constexpr void describe(V&& v, EcnParams& p) {
  v("kmin", p.kmin, "up to so much waiting, no packet is marked", by_part, within(0_B, 1_GiB));
  v("kmax", p.kmax, "beyond so much waiting, every packet is", by_part, within(0_B, 1_GiB));
  v("pmax", p.pmax, "chance of a mark at kmax; from kmin on it grows in proportion", by_part);
}
static_assert(fully_described<EcnParams>());

/// Of a packet that finds `waiting` bytes before it.
Probability marking(const EcnParams& p, Bytes waiting);

}  // namespace gicsim::link
