// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"

namespace gicsim::nic {

/// DCQCN at both ends, by the names that mlx5 gives its parameters. Alpha and g are in units of
/// 1/1024.
struct DcqcnParams {
  Picoseconds min_time_between_cnps;
  Count cnp_802p_prio;
  Count initial_alpha_value;
  Count dce_tcp_g;
  Picoseconds dce_tcp_rtt;
  Picoseconds rate_reduce_monitor_period;
  BitRate rate_to_set_on_first_cnp;
  Count rpg_gd;
  Count rpg_min_dec_fac;
  BitRate rpg_min_rate;
  BitRate rpg_max_rate;
  bool clamp_tgt_rate = false;
  bool clamp_tgt_rate_after_time_inc = true;
  Picoseconds rpg_time_reset;
  Bytes rpg_byte_reset;
  Count rpg_threshold;
  BitRate rpg_ai_rate;
  BitRate rpg_hai_rate;
};

template <class V>
constexpr void describe(V&& v, DcqcnParams& p) {
  constexpr auto any_rate = within(BitRate::bits_per_second(0), 1600_Gbps);
  v("min_time_between_cnps", p.min_time_between_cnps,
    "responder: between two CNPs of one queue pair", by_part, within(0ns, 1s));
  v("cnp_802p_prio", p.cnp_802p_prio, "priority of CNPs", by_part, within(0, 7));
  v("initial_alpha_value", p.initial_alpha_value, "alpha at a queue pair's first CNP, in 1/1024",
    by_part, within(0, 1024));
  v("dce_tcp_g", p.dce_tcp_g,
    "weight of the old alpha at each update, in 1/1024; the rest is 1 if a CNP came meanwhile, "
    "else 0",
    by_part, within(0, 1024));
  v("dce_tcp_rtt", p.dce_tcp_rtt, "between updates of alpha", by_part, within(1ns, 1s));
  v("rate_reduce_monitor_period", p.rate_reduce_monitor_period,
    "least time between two reductions of a rate", by_part, within(0ns, 1s));
  v("rate_to_set_on_first_cnp", p.rate_to_set_on_first_cnp,
    "rate and target at the first CNP; 0: the line's, reduced", by_part, any_rate);
  v("rpg_gd", p.rpg_gd,
    "a reduction takes alpha / 2^gd of the rate, with alpha in 1/1024: 11 is half of it at most",
    by_part, within(10, 20));
  v("rpg_min_dec_fac", p.rpg_min_dec_fac, "percent of a rate that one reduction leaves at least",
    by_part, within(0, 100));
  v("rpg_min_rate", p.rpg_min_rate, "least rate of a queue pair", by_part,
    within(1_Mbps, 1600_Gbps));
  v("rpg_max_rate", p.rpg_max_rate, "rate at which a queue pair is limited no more; 0: the line's",
    by_part, any_rate);
  v("clamp_tgt_rate", p.clamp_tgt_rate,
    "each reduction makes the rate before it the target; else the first after an increase",
    by_part);
  v("clamp_tgt_rate_after_time_inc", p.clamp_tgt_rate_after_time_inc,
    "an increase by the timer counts for that, too", by_part);
  v("rpg_time_reset", p.rpg_time_reset, "increase timer", by_part, within(1ns, 10s));
  v("rpg_byte_reset", p.rpg_byte_reset, "bytes sent that count as an increase event", by_part,
    within(64_B, 1_GiB));
  v("rpg_threshold", p.rpg_threshold,
    "events of timer and byte counter below which the rate recovers; above it in both, it "
    "increases faster",
    by_part, within(1, 1000));
  v("rpg_ai_rate", p.rpg_ai_rate, "what an additive increase adds to the target", by_part,
    any_rate);
  v("rpg_hai_rate", p.rpg_hai_rate, "what a hyper increase adds to it", by_part, any_rate);
}
static_assert(fully_described<DcqcnParams>());

/// InfiniBand's congestion control at a channel adapter. Source: InfiniBand 1.5, Annex A10
struct IbCcParams {
  Picoseconds ccti_timer = 153'600ns;
  Count ccti_increase = 1;
  Count ccti_limit = 127;
  Count cct_step = 1;
  Bytes threshold = 32_KiB;
  Count marking_rate = 0;
};

template <class V>
constexpr void describe(V&& v, IbCcParams& p) {
  v("ccti_timer", p.ccti_timer,
    "between decrements of a queue pair's index into the congestion control table",
    assumed("A-288"), within(1ns, 1s));
  v("ccti_increase", p.ccti_increase, "added to the index by each BECN", assumed("A-288"),
    within(0, 255));
  v("ccti_limit", p.ccti_limit, "greatest index", assumed("A-288"), within(0, 16'383));
  v("cct_step", p.cct_step,
    "entry i of the table: i times so many packet times between two packets", assumed("A-288"),
    within(0, 255));
  v("threshold", p.threshold,
    "switch: beyond so much waiting in a virtual lane, packets are marked (FECN)", assumed("A-288"),
    within(64_B, 1_GiB));
  v("marking_rate", p.marking_rate, "switch: packets left unmarked between two marks",
    assumed("A-288"), within(0, 65'535));
}
static_assert(fully_described<IbCcParams>());

}  // namespace gicsim::nic
