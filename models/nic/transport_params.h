// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::nic {

/// How long a requester waits for an acknowledgement: the specification's time-out, or the vendor's adaptive one.
enum class Rto { spec, adp };
constexpr auto names_of(Rto) { return std::array<std::string_view, 2>{"spec", "adp"}; }

/// What is sent again: everything from the missing packet on, or what is missing.
enum class Retransmission { go_back_n, selective_repeat };
constexpr auto names_of(Retransmission) { return std::array<std::string_view, 2>{"go_back_n", "selective_repeat"}; }

/// What becomes due while an ACK waits for its turn goes in one, or each packet that asks for an ACK gets one.
enum class Acks { coalesced, every };
constexpr auto names_of(Acks) { return std::array<std::string_view, 2>{"coalesced", "every"}; }

/// Which packets of a WRITE or SEND that were seen before are acknowledged again: those that ask for it, or each.
enum class Duplicates { asking, each };
constexpr auto names_of(Duplicates) { return std::array<std::string_view, 2>{"asking", "each"}; }

/// A sequence NAK while nothing that an earlier one brought back is acknowledged: the requester goes back again, or it
/// doesn't and leaves that to its timer.
enum class NakAgain { goes_back, ignored };
constexpr auto names_of(NakAgain) { return std::array<std::string_view, 2>{"goes_back", "ignored"}; }

/// A READ that comes again from its middle on: its responses are those of a READ by itself, or go on as middle and last ones.
enum class RepeatedReads { anew, resumed };
constexpr auto names_of(RepeatedReads) { return std::array<std::string_view, 2>{"anew", "resumed"}; }

/// A response to a READ ahead of one that is missing: an implied NAK, or nothing; one to what comes behind the READ always is.
enum class ReadGap { goes_back, ignored };
constexpr auto names_of(ReadGap) { return std::array<std::string_view, 2>{"goes_back", "ignored"}; }

/// Choices of a NIC's transport that applications, firmware or a vendor make.
struct TransportParams {
  Rto rto = Rto::spec;
  Count timeout_factor = 1;
  Picoseconds adp_base = 4us;
  Count adp_init = 8;
  Count adp_init_range = 2;
  Count adp_low1 = 9;
  Count adp_high1 = 12;
  Count adp_retries1 = 1;
  Count adp_low2 = 13;
  Count adp_high2 = 20;
  Count adp_retries2 = 1;
  Retransmission retransmission = Retransmission::go_back_n;
  Count reorder = 256;
  Acks ack = Acks::coalesced;
  Count rnr_retries = 7;
  Count receive_prefetch = 16;
  Count atomic_locks = 4096;
  Picoseconds device_access = 50ns;
  Bytes device_memory = 256_KiB;
  Picoseconds dc_connect = 100ns;
  Duplicates duplicates = Duplicates::asking;
  NakAgain nak_again = NakAgain::goes_back;
  RepeatedReads read_again = RepeatedReads::anew;
  ReadGap read_gap = ReadGap::goes_back;
  bool acks_name_reads = true;
  bool ack_ends_fetch = false;
  bool nak_behind_rnr = false;
  Count ack_request_every = 0;
};

template <class V>
constexpr void describe(V&& v, TransportParams& p) {
  v("rto", p.rto, "time until an acknowledgement is overdue: the specification's, or the vendor's adaptive one",
    assumed("A-260"));
  v("timeout_factor", p.timeout_factor, "a time-out lasts so many times 4.096 us x 2^nic.ack_timeout",
    spec("InfiniBand 1.5, 9.7.6.1.3: between one and four"), within(1, 4));
  v("adp_base", p.adp_base, "adp: a time-out is this times 2^exponent, at most the queue pair's own",
    spec("NVIDIA, Adaptive Retransmission: Parameters Control: 4 us at least"), within(4us, 1ms));
  v("adp_init", p.adp_init, "adp: lowest exponent of a connection's first time-out, which is used once", assumed("A-261"),
    within(0, 24));
  v("adp_init_range", p.adp_init_range, "adp: so many exponents from there on, one of which is drawn", assumed("A-261"),
    within(1, 24));
  v("adp_low1", p.adp_low1, "adp: lowest exponent of the first range", assumed("A-261"), within(0, 24));
  v("adp_high1", p.adp_high1, "adp: highest exponent of the first range", assumed("A-261"), within(0, 24));
  v("adp_retries1", p.adp_retries1, "adp: uses of each time-out in it before it doubles", assumed("A-261"), within(1, 15));
  v("adp_low2", p.adp_low2, "adp: lowest exponent of the second range", assumed("A-261"), within(0, 24));
  v("adp_high2", p.adp_high2, "adp: highest exponent of the second range", assumed("A-261"), within(0, 24));
  v("adp_retries2", p.adp_retries2, "adp: uses of each time-out in it before it doubles", assumed("A-261"), within(1, 15));
  v("retransmission", p.retransmission, "what is sent again: all from the missing packet on, or what is missing",
    assumed("A-262"));
  v("reorder", p.reorder, "selective repeat: packets from the missing one on that a responder tells apart",
    assumed("A-262"), within(2, 65'536));
  v("ack", p.ack, "one ACK for all that became due before its turn, or one for each packet that asks for one",
    assumed("A-263"));
  v("rnr_retries", p.rnr_retries, "times that what found no receive is sent again; 7: without end",
    spec("InfiniBand 1.5, 9.7.5.2.8: 3 bits"), within(0, 7));
  v("receive_prefetch", p.receive_prefetch, "receive WQEs of a queue pair that the NIC holds or has asked for",
    assumed("A-264"), within(1, 1024));
  v("atomic_locks", p.atomic_locks, "atomics whose 8 B word falls on the same of so many locks wait for each other",
    assumed("A-265"), within(1, 1'048'576));
  v("device_access", p.device_access, "the NIC's own memory: a read or a write", assumed("A-266"), within(0ns, 10us));
  v("device_memory", p.device_memory, "size of the NIC's own memory that can be registered", assumed("A-266"),
    within(0_B, 16_MiB));
  v("dc_connect", p.dc_connect, "DC: the target, from a connect packet to a context for it", assumed("A-267"),
    within(0ns, 100us));
  v("duplicates", p.duplicates, "packets of a WRITE or SEND that came before: which of them are acknowledged again",
    assumed("A-340"));
  v("nak_again", p.nak_again, "a second sequence NAK before anything that the first one brought back is acknowledged",
    assumed("A-341"));
  v("read_again", p.read_again, "responses to a READ that comes again from its middle on: a READ's by itself, or as if it went on",
    assumed("A-344"));
  v("read_gap", p.read_gap, "a response to the oldest READ that isn't the next one: the requester goes back, or ignores it",
    assumed("A-347"));
  v("acks_name_reads", p.acks_name_reads,
    "the ACK to a packet that came before names the newest PSN, be it a READ's; false: of what isn't a READ", assumed("A-345"));
  v("ack_ends_fetch", p.ack_ends_fetch,
    "an ACK that names the PSN of the one response that a READ or atomic still lacks completes it, without the data", assumed("A-346"));
  v("nak_behind_rnr", p.nak_behind_rnr, "what comes behind a packet that was RNR NAKed is a gap, and NAKed as one",
    assumed("A-342"));
  v("ack_request_every", p.ack_request_every,
    "a packet within a message asks for an ACK when so many, itself among them, came since one asked; 0: only the last asks",
    assumed("A-343"), within(0, 1'000'000));
}
static_assert(fully_described<TransportParams>());

/// As Linux's Soft-RoCE 6.1 does it, in whatever the captures show.
inline const TransportParams soft_roce = [] {
  TransportParams p;
  p.ack = Acks::every;
  p.duplicates = Duplicates::each;
  p.nak_again = NakAgain::ignored;
  p.read_again = RepeatedReads::resumed;
  p.read_gap = ReadGap::ignored;
  p.acks_name_reads = false;
  p.ack_ends_fetch = true;
  p.nak_behind_rnr = true;
  p.ack_request_every = 66;
  return p;
}();

/// The 32 waits that a RNR NAK can ask for. Source: InfiniBand 1.5, table 45
inline constexpr std::array<Picoseconds, 32> rnr_timers{
    655'360us, 10us,    20us,     30us,     40us,     60us,     80us,      120us,     160us,     240us,     320us,
    480us,     640us,   960us,    1'280us,  1'920us,  2'560us,  3'840us,   5'120us,   7'680us,   10'240us,  15'360us,
    20'480us,  30'720us, 40'960us, 61'440us, 81'920us, 122'880us, 163'840us, 245'760us, 327'680us, 491'520us};

/// The code of the shortest of them that is no shorter; code 0 is the longest.
constexpr std::uint8_t rnr_code(Picoseconds wait) {
  for (std::size_t code = 1; code < rnr_timers.size(); ++code)
    if (rnr_timers[code] >= wait) return static_cast<std::uint8_t>(code);
  return 0;
}

inline const TransportParams default_transport{};

}  // namespace gicsim::nic
