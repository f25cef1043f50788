// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/mechanisms/pacer.h"
#include "models/nic/congestion_params.h"

namespace gicsim::nic {

/// Reaction point of one queue pair. Its timers cost no events: whoever asks brings it up to date.
/// Source: Zhu et al., "Congestion control for large-scale RDMA deployments", SIGCOMM 2015;
/// parameters as the vendor documents them ("DCQCN CC Parameters").
///
/// CNP: target = rate, rate *= 1 - alpha / 2^gd, at most once a monitor period. Each timer or byte
/// event: rate = (rate + target) / 2, after the threshold with the target raised by ai, in both
/// beyond it by hai.
class Dcqcn {
 public:
  Dcqcn(const DcqcnParams& params, BitRate line);

  void on_cnp(Picoseconds now);
  void on_sent(Bytes length, Picoseconds now);
  /// Does what its timers were to do until now.
  void advance(Picoseconds now);

  BitRate rate() const { return BitRate::bits_per_second(rate_); }
  BitRate target() const { return BitRate::bits_per_second(target_); }
  /// Below the line's.
  bool limited() const { return limited_; }
  /// In units of 2^-20.
  std::int64_t alpha() const { return alpha_; }
  /// The next timer that may change the rate.
  Picoseconds next_change() const;

 private:
  void reduce(Picoseconds now);
  void increase();

  const DcqcnParams& params_;
  std::int64_t most_, rate_, target_;  ///< bits per second
  std::int64_t alpha_ = 0;
  bool met_ = false, limited_ = false;
  bool cnp_for_alpha_ = false, cnp_for_rate_ = false;
  Picoseconds alpha_due_{}, reduce_due_{}, increase_due_{};
  Bytes counted_{};
  Count time_stage_ = 0, byte_stage_ = 0;
};

/// InfiniBand's: an index that each BECN raises and a timer lowers; its table entry says how long
/// to wait between packets.
class CongestionIndex {
 public:
  CongestionIndex(const IbCcParams& params, BitRate line) : params_(params), line_(line) {}
  void on_becn(Picoseconds now);
  void advance(Picoseconds now);
  bool limited() const { return index_ > 0 && params_.cct_step > 0; }
  /// What those waits make of the line's rate.
  BitRate rate() const {
    return BitRate::bits_per_second(line_.bits_per_second() / (1 + index_ * params_.cct_step));
  }
  Count index() const { return index_; }
  Picoseconds next_change() const { return index_ > 0 ? due_ : Picoseconds::max(); }

 private:
  const IbCcParams& params_;
  BitRate line_;
  Count index_ = 0;
  Picoseconds due_{};
};

/// Source: Linux, include/rdma/ib_verbs.h: the flow label of a connection, folded into the port
/// range of RoCE.
constexpr std::uint16_t udp_source_port(std::uint32_t qpn, std::uint32_t remote_qpn) {
  std::uint64_t label = std::uint64_t{qpn} * remote_qpn;
  label ^= label >> 20;
  label ^= label >> 40;
  const auto low = static_cast<std::uint32_t>(label & 0x3fff),
             high = static_cast<std::uint32_t>(label & 0xfc000) >> 14;
  return static_cast<std::uint16_t>((low ^ high) | 0xc000);
}

class Nic;
struct QueuePair;

/// What a queue pair is held to, and when it may send next.
struct RateLimiter {
  RateLimiter(const DcqcnParams* dcqcn, const IbCcParams* ib_cc, BitRate line);

  /// When its next packet may begin; `now` or before: at once.
  Picoseconds next(Picoseconds now);
  void sent(Bytes length, Picoseconds now);
  void notified(Picoseconds now);
  bool limited() const { return dcqcn ? dcqcn->limited() : index->limited(); }
  Picoseconds next_change() const { return dcqcn ? dcqcn->next_change() : index->next_change(); }
  void on_due();  ///< its turn has come: the NIC goes on with it

  Nic* nic = nullptr;
  QueuePair* queue = nullptr;
  std::optional<Dcqcn> dcqcn;
  std::optional<CongestionIndex> index;
  Pacer pacer;
  Picoseconds due{-1};  ///< of its event
  BitRate lowest;
  Picoseconds last_cnp{-1};  ///< responder: sent
  Count cnps = 0;            ///< requester: received

 private:
  void follow(Picoseconds now);
};

}  // namespace gicsim::nic
