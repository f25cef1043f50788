// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/base/describe.h"
#include "models/mechanisms/slot.h"
#include "models/units/bit_rate.h"

namespace gicsim {

struct SerialiserStats {
  Count packets = 0;
  Bytes carried;
  Picoseconds busy{0};
  Picoseconds waiting{0};
};
template <class V>
constexpr void describe(V&& v, SerialiserStats& s) {
  v("packets", s.packets, "packets sent");
  v("carried", s.carried, "bytes sent");
  v("busy", s.busy, "time on the wire");
  v("waiting", s.waiting, "time that packets waited for the one before, summed");
}
static_assert(fully_described<SerialiserStats>());

/// The transmitter of one direction of a link: packets go one after another at a fixed rate.
///
/// The end of a packet is rounded up to a whole picosecond, but the next one starts from the
/// exact end, so rounding never adds up. A packet that is given at the rounded end of the one
/// before counts as back to back.
///
/// Closed form: n packets, back to back from `t`, end at t + ceil(8e12 * bytes / rate), with
/// `bytes` the sum of all n.
class Serialiser {
 public:
  /// @throws ModelError when the rate is not positive
  explicit Serialiser(BitRate rate);

  Slot send(Picoseconds now, Bytes length) {
    const Picoseconds free = free_at();
    Picoseconds start = free;
    if (now > free) {
      start = whole_ = now;
      rest_ = 0;
    }
    advance(static_cast<std::uint64_t>(length.count()));
    const Slot slot{start, free_at()};
    ++stats_.packets;
    stats_.carried += length;
    stats_.busy += slot.end - start;
    stats_.waiting += start > now ? start - now : Picoseconds{0};
    return slot;
  }

  /// When the next packet can start.
  Picoseconds free_at() const { return rest_ == 0 ? whole_ : whole_ + Picoseconds{1}; }
  const SerialiserStats& stats() const { return stats_; }

 private:
  void advance(std::uint64_t bytes) {
    if (bytes > short_) return advance_far(bytes);
    const std::uint64_t total = rest_ + bytes * up_;
    whole_ += Picoseconds{static_cast<std::int64_t>(total / down_)};
    rest_ = total % down_;
  }
  void advance_far(std::uint64_t bytes);

  std::uint64_t up_, down_;  ///< a byte takes up_ / down_ picoseconds
  std::uint64_t short_;      ///< up to so many bytes, 64 bits suffice
  Picoseconds whole_{0};     ///< exact end: whole_ + rest_ / down_
  std::uint64_t rest_ = 0;
  SerialiserStats stats_;
};

}  // namespace gicsim
