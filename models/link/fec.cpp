// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/fec.h"

#include <algorithm>
#include <string>

namespace gicsim::link {

ReedSolomon code_of(FecCode code) {
  switch (code) {
    case FecCode::rs528_514: return {528, 7};
    case FecCode::rs544_514: return {544, 15};
    default: return {};
  }
}

Picoseconds fec_latency(const FecParams& params, BitRate mac) {
  if (code_of(params.code).symbols == 0) return params.pcs;
  return Bytes(params.interleave * ReedSolomon::mac_bits / 8) / mac + params.decode + params.pcs;
}

Fec::Fec(const FecParams& params, BitRate mac, std::uint64_t seed, std::string_view wire)
    : code_(code_of(params.code)),
      interleave_(params.interleave),
      mac_(mac),
      good_bits_(params.raw_ber),
      random_(seed, std::string(wire) + ".fec"),
      wrong_(good_bits_.draw(random_)),
      wrong_symbols_(static_cast<std::size_t>(params.interleave)) {}

/// Codewords that travel by turns make a group.
std::int64_t Fec::group_at(Picoseconds t) const {
  const detail::UnsignedWide bits = static_cast<detail::UnsignedWide>(t.count()) *
                                    static_cast<detail::UnsignedWide>(mac_.bits_per_second());
  return static_cast<std::int64_t>(bits / (detail::UnsignedWide{1'000'000'000'000} *
                                           static_cast<detail::UnsignedWide>(ReedSolomon::mac_bits * interleave_)));
}

bool Fec::coded(Slot slot) {
  const std::int64_t bits = interleave_ * code_.bits();
  const std::int64_t last = group_at(slot.end - 1_ps);
  std::int64_t first = group_at(slot.start);
  bool damaged = first == judged_ && bad_;
  first = std::max(first, judged_ + 1);
  if (last < first) return damaged;
  stats_.codewords += (last - first + 1) * interleave_;
  if (wrong_ < first * bits) wrong_ = first * bits + std::min(good_bits_.draw(random_), Geometric::never - first * bits);
  judged_ = last;
  bad_ = false;
  while (wrong_ < (last + 1) * bits) {
    const std::int64_t group = wrong_ / bits;
    const bool bad = judge(group);
    damaged |= bad;
    if (group == last) bad_ = bad;
  }
  return damaged;
}

/// Takes all wrong bits of a group of codewords.
bool Fec::judge(std::int64_t group) {
  const std::int64_t bits = interleave_ * code_.bits(), begin = group * bits;
  std::fill(wrong_symbols_.begin(), wrong_symbols_.end(), 0);
  for (std::int64_t newest = -1; wrong_ < begin + bits;) {
    const std::int64_t symbol = (wrong_ - begin) / 10;
    if (symbol != newest) ++wrong_symbols_[static_cast<std::size_t>(symbol % interleave_)];
    newest = symbol;
    wrong_ += 1 + std::min(good_bits_.draw(random_), Geometric::never - wrong_);
  }
  bool bad = false;
  for (const std::int64_t wrong : wrong_symbols_) {
    if (wrong > code_.correctable) {
      ++stats_.uncorrectable;
      bad = true;
    } else if (wrong > 0) {
      ++stats_.corrected;
      stats_.symbols += wrong;
    }
  }
  return bad;
}

bool Fec::uncoded(std::int64_t bits) {
  const bool damaged = wrong_ < bits;
  while (wrong_ < bits) wrong_ += 1 + good_bits_.draw(random_);
  wrong_ -= bits;
  return damaged;
}

}  // namespace gicsim::link
