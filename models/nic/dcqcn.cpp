// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/nic/congestion.h"

namespace gicsim::nic {
namespace {

constexpr std::int64_t one = 1 << 20;   ///< alpha
constexpr std::int64_t fine = 1 << 10;  ///< of one, what parameters count in

__extension__ using Wide = __int128;

}  // namespace

Dcqcn::Dcqcn(const DcqcnParams& params, BitRate line)
    : params_(params),
      most_(params.rpg_max_rate.raw() > 0 ? std::min(params.rpg_max_rate, line).raw() : line.raw()),
      rate_(most_),
      target_(most_) {}

void Dcqcn::on_cnp(Picoseconds now) {
  advance(now);
  if (!met_) {
    met_ = true;
    alpha_ = params_.initial_alpha_value * fine;
    alpha_due_ = now + params_.dce_tcp_rtt;
    reduce_due_ = now;
    if (const std::int64_t first = params_.rate_to_set_on_first_cnp.raw(); first > 0)
      rate_ = std::min(rate_, first);
  }
  cnp_for_alpha_ = true;
  cnp_for_rate_ = true;
  if (reduce_due_ <= now) reduce(now);
}

void Dcqcn::advance(Picoseconds now) {
  if (!met_) return;
  for (;;) {
    if (alpha_ == 0 && !cnp_for_alpha_ && alpha_due_ <= now)  // it stays so
      alpha_due_ += ((now - alpha_due_) / params_.dce_tcp_rtt + 1) * params_.dce_tcp_rtt;
    const Picoseconds reduction = cnp_for_rate_ ? reduce_due_ : Picoseconds::max();
    const Picoseconds increase_at = limited_ ? increase_due_ : Picoseconds::max();
    const Picoseconds next = std::min({alpha_due_, reduction, increase_at});
    if (next > now) return;
    if (next == alpha_due_) {
      alpha_ = alpha_ * params_.dce_tcp_g / fine +
               (cnp_for_alpha_ ? (fine - params_.dce_tcp_g) * (one / fine) : 0);
      cnp_for_alpha_ = false;
      alpha_due_ += params_.dce_tcp_rtt;
    } else if (next == reduction) {
      reduce(next);
    } else {
      increase_due_ += params_.rpg_time_reset;
      increase();
      ++time_stage_;
    }
  }
}

void Dcqcn::reduce(Picoseconds now) {
  cnp_for_rate_ = false;
  reduce_due_ = now + params_.rate_reduce_monitor_period;
  const bool risen = byte_stage_ > 0 || (time_stage_ > 0 && params_.clamp_tgt_rate_after_time_inc);
  if (!limited_ || params_.clamp_tgt_rate || risen) target_ = rate_;
  const Wide taken = static_cast<Wide>(rate_) * alpha_ / fine >> params_.rpg_gd;
  const std::int64_t least = rate_ / 100 * params_.rpg_min_dec_fac;
  rate_ = std::max({rate_ - static_cast<std::int64_t>(taken), least, params_.rpg_min_rate.raw()});
  rate_ = std::min(rate_, most_);
  limited_ = rate_ < most_;
  counted_ = {};
  time_stage_ = byte_stage_ = 0;
  increase_due_ = now + params_.rpg_time_reset;
}

void Dcqcn::on_sent(Bytes length, Picoseconds now) {
  advance(now);
  if (!limited_) return;
  for (counted_ += length; limited_ && counted_ >= params_.rpg_byte_reset;
       counted_ -= params_.rpg_byte_reset) {
    increase();
    ++byte_stage_;
  }
}

/// Stages count the events before this one.
void Dcqcn::increase() {
  const Count f = params_.rpg_threshold;
  if (std::min(time_stage_, byte_stage_) > f)
    target_ += params_.rpg_hai_rate.raw();
  else if (std::max(time_stage_, byte_stage_) >= f)
    target_ += params_.rpg_ai_rate.raw();
  target_ = std::min(target_, most_);
  rate_ = std::min(most_, (rate_ + target_ + 1) / 2);
  limited_ = rate_ < most_;
}

Picoseconds Dcqcn::next_change() const {
  if (!limited_) return Picoseconds::max();
  return cnp_for_rate_ ? std::min(reduce_due_, increase_due_) : increase_due_;
}

void CongestionIndex::on_becn(Picoseconds now) {
  advance(now);
  if (index_ == 0) due_ = now + params_.ccti_timer;
  index_ = std::min(index_ + params_.ccti_increase, params_.ccti_limit);
}

void CongestionIndex::advance(Picoseconds now) {
  for (; index_ > 0 && due_ <= now; due_ += params_.ccti_timer) --index_;
}

RateLimiter::RateLimiter(const DcqcnParams* with_dcqcn, const IbCcParams* with_ib_cc, BitRate line)
    : pacer(line), lowest(line) {
  if (with_dcqcn)
    dcqcn.emplace(*with_dcqcn, line);
  else
    index.emplace(*with_ib_cc, line);
}

void RateLimiter::follow(Picoseconds now) {
  if (dcqcn)
    dcqcn->advance(now);
  else
    index->advance(now);
  const BitRate rate = dcqcn ? dcqcn->rate() : index->rate();
  pacer.set_rate(rate, now);
  lowest = std::min(lowest, rate);
}

Picoseconds RateLimiter::next(Picoseconds now) {
  follow(now);
  return limited() ? pacer.next() : now;
}

void RateLimiter::sent(Bytes length, Picoseconds now) {
  follow(now);
  pacer.send(length, now);
  if (dcqcn) dcqcn->on_sent(length, now);
  follow(now);
}

void RateLimiter::notified(Picoseconds now) {
  ++cnps;
  if (dcqcn)
    dcqcn->on_cnp(now);
  else
    index->on_becn(now);
  follow(now);
}

}  // namespace gicsim::nic
