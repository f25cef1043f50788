// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/link/error_params.h"
#include "models/units/bit_rate.h"

/// Closed forms of what a cable loses, from the models' own parameters.
namespace gicsim::formulas {

/// A Gilbert-Elliott cable that has run for long.
struct Bursts {
  double bad = 0;          ///< share of packets that see the bad state
  double stay = 0;         ///< packets of one stay there
  double loss = 0;         ///< of all packets
  double lost_in_row = 0;  ///< packets lost one behind the other
};
Bursts bursts(const link::BurstParams& params);

/// That a symbol of 10 bits has a wrong one: 1 - (1 - p)^10.
double symbol_error(double raw_ber);
/// That a codeword has more wrong symbols than its code corrects, by the binomial form.
double uncorrectable(link::FecCode code, double raw_ber);
/// That a packet is damaged whose first bit may lie anywhere in a codeword: by any of those that it has a part in.
double packet_damaged(const link::FecParams& params, Bytes wire);

/// Link-level retry, a stream of packets of one length back to back, each damaged with probability p.
struct LinkRetry {
  Picoseconds packet{};  ///< on the wire
  Picoseconds again{};   ///< from a damaged one's last bit to its first bit once more
  double picoseconds_per_packet(double p) const;
};
LinkRetry link_retry(const link::RetryParams& params, BitRate rate, Picoseconds one_way, Bytes wire);

}  // namespace gicsim::formulas
