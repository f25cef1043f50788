// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "models/link/error_params.h"

namespace gicsim::link {

struct RetryStats {
  Count retries = 0, given_up = 0;
  Bytes resent, buffer_peak;
  Picoseconds time{}, buffer_wait{}, recovery{};
};
template <class V>
constexpr void describe(V&& v, RetryStats& s) {
  v("link_retries", s.retries, "packets that the cable's sender sent again");
  v("link_given_up", s.given_up, "packets that it gave up: the link retrained, and they are lost");
  v("link_resent", s.resent, "bytes that it sent again");
  v("retry_time", s.time, "from a damaged packet's last bit to that of the sending that got through or was given up");
  v("retry_buffer_peak", s.buffer_peak, "most bytes in cells that weren't acknowledged");
  v("retry_buffer_wait", s.buffer_wait, "time that the sender waited for room there");
  v("recovery_time", s.recovery, "time that the link retrained");
}
static_assert(fully_described<RetryStats>());

/// Link-level retry of one direction of a cable, at its sender: each packet stays in a buffer, in cells, until the
/// other end has acknowledged it. A damaged cell is asked for again, and all behind it come once more, in order. So a
/// damaged packet costs its cable a round trip, in whole cells as the one under way is finished, and nobody above
/// notices. Sendings in vain behind a damaged packet aren't listed: the cable is taken meanwhile.
///
/// Closed forms: sent again ceil((2 one_way + cell) / cell) cells after its last bit; with b bytes of buffer at most
/// b bytes every 2 one_way + cell.
/// Source: InfiniBand switches' manuals (link level retransmission): cells with a check each, acknowledged one by one
class LinkRetry {
 public:
  /// @param one_way  from a cell's last bit to its check at the far end
  LinkRetry(const RetryParams& params, BitRate rate, Picoseconds one_way)
      : params_(params), cell_(params.cell / rate), round_trip_(2 * one_way + cell_) {}

  /// When a packet that could leave at `t` has room in the buffer.
  Picoseconds room_at(Bytes wire, Picoseconds t);
  /// It has left for good, its last bit at `end`.
  void keep(Bytes wire, Picoseconds end);
  /// When a packet whose last bit left at `end` is sent again, as it was damaged.
  Picoseconds again_at(Picoseconds end) const { return end + (round_trip_ + cell_ - 1_ps) / cell_ * cell_; }
  const RetryParams& params() const { return params_; }
  RetryStats& stats() { return stats_; }
  const RetryStats& stats() const { return stats_; }

 private:
  Bytes in_cells(Bytes wire) const { return pieces(wire, params_.cell) * params_.cell; }

  const RetryParams& params_;
  Picoseconds cell_, round_trip_;
  struct Kept {
    Picoseconds until;
    Bytes cells;
  };
  std::deque<Kept> kept_;
  Bytes inside_{};
  RetryStats stats_;
};

}  // namespace gicsim::link
