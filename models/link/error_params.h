// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::link {

/// Loss in bursts: a cable is good or bad, and loses packets in each state with a probability of its own.
struct BurstParams {
  Probability to_bad{};
  Probability to_good = Probability::steps(Probability::certain / 10);
  Probability loss_good{};
  Probability loss_bad = Probability::steps(Probability::certain);
};

template <class V>
constexpr void describe(V&& v, BurstParams& p) {
  v("to_bad", p.to_bad, "after a packet, a good cable turns bad; 0: never, no bursts", assumed("A-300"));
  v("to_good", p.to_good, "after a packet, a bad cable turns good", assumed("A-300"));
  v("loss_good", p.loss_good, "a good cable loses a packet", assumed("A-300"));
  v("loss_bad", p.loss_bad, "a bad cable loses a packet", assumed("A-300"));
}
static_assert(fully_described<BurstParams>());

/// lumped: no codewords, `link.fec` is the time that coding takes and `link.ber` counts after it. The others look at
/// raw bit errors, and take the time that their codewords take.
enum class FecCode { lumped, none, rs528_514, rs544_514 };
constexpr auto names_of(FecCode) {
  return std::array<std::string_view, 4>{"lumped", "none", "rs528_514", "rs544_514"};
}

struct FecParams {
  FecCode code = FecCode::lumped;
  Probability raw_ber{};
  Count interleave = 1;
  Picoseconds decode = 26'400_ps;
  Picoseconds pcs = 15ns;
};

template <class V>
constexpr void describe(V&& v, FecParams& p) {
  v("code", p.code, "lumped: link.fec is its time; none; RS(528,514); RS(544,514), KP4", assumed("A-301"));
  v("raw_ber", p.raw_ber, "a bit on the wire is wrong before FEC, each by itself", assumed("A-301"));
  v("interleave", p.interleave, "codewords whose symbols travel by turns", assumed("A-302"), within(1, 16));
  v("decode", p.decode, "from a codeword's last bit to its first corrected one",
    derived("A-020's 67 ns less 25.6 ns to fill a codeword at 200 Gb/s less pcs"), within(0ns, 10us));
  v("pcs", p.pcs, "PCS and SerDes of both ends, one way, without FEC", assumed("A-303"), within(0ns, 10us));
}
static_assert(fully_described<FecParams>());

/// Retransmission by the cable's two ends, below the transport.
struct RetryParams {
  bool on = false;
  Bytes cell = 128_B;
  Bytes buffer = 64_KiB;
  Picoseconds latency = 10ns;
  Count retries = 7;
  Picoseconds recovery = 100us;
};

template <class V>
constexpr void describe(V&& v, RetryParams& p) {
  v("on", p.on, "the cable's ends send again what it damaged (InfiniBand's LLR)", assumed("A-304"));
  v("cell", p.cell, "cells that a packet is cut into; each has its check", assumed("A-304"), powers_of_two(64_B, 4_KiB));
  v("buffer", p.buffer, "of cells that aren't acknowledged; a full one stops the sender", assumed("A-305"),
    within(8_KiB, 16_MiB));
  v("latency", p.latency, "the check of a cell, one way", assumed("A-305"), within(0ns, 10us));
  v("retries", p.retries, "times that a packet is sent again before the link gives up and retrains", assumed("A-306"),
    within(0, 255));
  v("recovery", p.recovery, "until it has retrained; the packet is lost", assumed("A-306"), within(0ns, 1s));
}
static_assert(fully_described<RetryParams>());

}  // namespace gicsim::link
