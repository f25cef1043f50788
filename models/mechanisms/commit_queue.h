// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/base/random.h"
#include "models/base/spread.h"
#include "models/mechanisms/detail/fifo.h"
#include "models/units/bytes.h"

namespace gicsim {

/// How a memory takes devices' writes; all zero: at once.
struct CommitTerms {
  Picoseconds strict{};   ///< from where a strictly ordered write is taken to where it is visible
  Picoseconds relaxed{};  ///< the same of one with relaxed ordering
  Bytes window{};         ///< strictly ordered bytes that may be on the way to visibility
  Picoseconds handling{}; ///< each relaxed write keeps the way in busy for so long
};

/// The way of posted writes into a memory. Strictly ordered ones become visible in order, none before
/// anything that came earlier; those that find the window full stay outside, where they keep their place in
/// the sender's flow control. Relaxed ones go to their memory channel at once and overlap; on one channel, and
/// so on one line, order is kept. With `spread.write_commit` each waits there for what others have queued.
/// Source: PCIe Base 5.0, 2.4.1, A2a and A2b
///
/// Closed form: strict writes of `s` bytes that all wait are taken k = floor(window / s) each `strict`, so that they come in
/// at k s / strict; relaxed ones at s / handling.
class CommitQueue {
 public:
  struct Taken {
    Picoseconds at;       ///< when the sender gets its credits back
    Picoseconds visible;
  };

  explicit CommitQueue(const CommitTerms& terms)
      : terms_(terms), plain_(terms.strict + terms.relaxed + terms.handling == Picoseconds{}) {}
  void vary(const Spread& spread, std::string_view who);

  /// Writes come in the order of the calls.
  Taken take(std::uint64_t address, Bytes length, bool relaxed, Picoseconds now) {
    if (plain_) return {now, now};
    return relaxed ? take_relaxed(address, now) : take_strict(address, length, now);
  }
  /// When all that was taken is visible: a read behind it returns no earlier.
  Picoseconds drained() const { return newest_; }
  /// Time that the window was taken up, as time that it was full.
  Picoseconds full() const { return full_; }

 private:
  struct Pending {
    Picoseconds visible;
    Bytes length;
  };

  Taken take_strict(std::uint64_t address, Bytes length, Picoseconds now);
  Taken take_relaxed(std::uint64_t address, Picoseconds now);
  Picoseconds channel_wait();
  /// Blocks of 256 B are spread by a hash of their address, so that equal strides don't meet at one channel.
  Picoseconds& channel(std::uint64_t address) {
    std::uint64_t block = address / 256;
    block ^= block >> 4 ^ block >> 8 ^ block >> 16 ^ block >> 24;
    return channels_[block % channels_.size()];
  }

  CommitTerms terms_;
  bool plain_;
  Picoseconds entered_{};    ///< the strict one before
  Picoseconds busy_until_{}; ///< with relaxed ones
  Picoseconds newest_{}, full_{};
  detail::Fifo<Pending> pending_;
  Bytes uncommitted_{};
  Picoseconds longest_wait_{};
  RandomStream random_{0, ""};
  std::vector<Picoseconds> channels_ = std::vector<Picoseconds>(16);  ///< when the last write of each is visible
};

}  // namespace gicsim
