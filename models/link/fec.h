// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "models/link/error_params.h"
#include "models/mechanisms/geometric.h"
#include "models/mechanisms/slot.h"

namespace gicsim::link {

/// A Reed-Solomon code over symbols of 10 bits: n symbols on the wire, of which any t may be wrong. Its 514 symbols of
/// data are 20 blocks of 257 bits, each of 256 bits that the MAC gave.
/// Source: IEEE 802.3, 91.5.2.7 and 119.2.4.6
struct ReedSolomon {
  std::int64_t symbols = 0, correctable = 0;
  std::int64_t bits() const { return 10 * symbols; }
  static constexpr std::int64_t mac_bits = 20 * 256;
};
ReedSolomon code_of(FecCode code);

/// What coding, PCS and SerDes add to each bit, one way: a decoder starts when it has all codewords that travel by turns.
Picoseconds fec_latency(const FecParams& params, BitRate mac);

struct FecStats {
  Count codewords = 0, corrected = 0, symbols = 0, uncorrectable = 0, lost = 0;
};
template <class V>
constexpr void describe(V&& v, FecStats& s) {
  v("fec_codewords", s.codewords, "codewords that carried packets");
  v("fec_corrected", s.corrected, "of these, codewords with errors that were corrected");
  v("fec_symbols", s.symbols, "symbols corrected in them");
  v("fec_uncorrectable", s.uncorrectable, "codewords with too many errors: every packet in them is damaged");
  v("fec_lost", s.lost, "packets that they damaged");
}
static_assert(fully_described<FecStats>());

/// The codewords of one direction of a cable. They run on without a gap, packets or not, and `interleave` of them travel
/// by turns, a symbol each. Wrong bits are drawn on the wire, symbols counted, codewords judged: a packet is lost that
/// any bad codeword carries a part of. Without a code each wrong bit loses its packet.
///
/// Closed form: with p = 1 - (1 - raw_ber)^10 a codeword is bad with sum over i > t of C(n, i) p^i (1 - p)^(n - i).
/// Not modelled: a bad codeword that decodes to a wrong one; errors that come in runs (precoding, equalisers).
class Fec {
 public:
  Fec(const FecParams& params, BitRate mac, std::uint64_t seed, std::string_view wire);

  /// Asked of every packet that is sent, in order. @param slot  its time on the wire
  bool damages(Slot slot, Bytes wire) {
    const bool damaged = code_.symbols == 0 ? uncoded(wire.count() * 8) : coded(slot);
    stats_.lost += damaged;
    return damaged;
  }
  const FecStats& stats() const { return stats_; }

 private:
  std::int64_t group_at(Picoseconds t) const;
  bool coded(Slot slot);
  bool judge(std::int64_t group);
  bool uncoded(std::int64_t bits);

  ReedSolomon code_;
  std::int64_t interleave_;
  BitRate mac_;
  Geometric good_bits_;
  RandomStream random_;
  std::int64_t wrong_;             ///< place on the wire of the next wrong bit
  std::int64_t judged_ = -1;       ///< newest group of codewords that a packet was in
  bool bad_ = false;               ///< it has a bad codeword
  std::vector<std::int64_t> wrong_symbols_;  ///< by codeword of a group
  FecStats stats_;
};

}  // namespace gicsim::link
