// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "models/nic/congestion.h"

namespace gicsim::nic {
namespace {

/// The vendor's defaults.
DcqcnParams mlx5() {
  DcqcnParams p;
  p.min_time_between_cnps = 4us;
  p.initial_alpha_value = 1023;
  p.dce_tcp_g = 1019;
  p.dce_tcp_rtt = 1us;
  p.rate_reduce_monitor_period = 4us;
  p.rpg_gd = 11;
  p.rpg_min_dec_fac = 50;
  p.rpg_min_rate = 1_Mbps;
  p.rpg_time_reset = 300us;
  p.rpg_byte_reset = 32'767_B;
  p.rpg_threshold = 1;
  p.rpg_ai_rate = 5_Mbps;
  p.rpg_hai_rate = 50_Mbps;
  return p;
}

TEST_CASE(
    "DCQCN: the first CNP takes alpha / 2 of the rate, and the rate before it becomes the target") {
  const DcqcnParams params = mlx5();
  Dcqcn flow(params, 400_Gbps);
  CHECK_FALSE(flow.limited());
  flow.on_cnp(10us);
  CHECK(flow.rate().bits_per_second() == 400'000'000'000 - 400'000'000'000 * 1023 / 2048);
  CHECK(flow.target() == 400_Gbps);
  CHECK(flow.limited());
}

TEST_CASE("DCQCN: at most one reduction a monitor period, to the picosecond") {
  const DcqcnParams params = mlx5();
  Dcqcn flow(params, 400_Gbps);
  flow.on_cnp(10us);
  const BitRate once = flow.rate();
  flow.on_cnp(12us);
  CHECK(flow.rate() == once);
  flow.advance(14us - 1_ps);
  CHECK(flow.rate() == once);
  flow.advance(14us);
  CHECK(flow.rate() < once);
}

TEST_CASE("DCQCN: alpha falls by g each update without a CNP, and rises towards 1 with one") {
  DcqcnParams params = mlx5();
  params.initial_alpha_value = 1024;
  Dcqcn flow(params, 400_Gbps);
  flow.on_cnp(0us);
  flow.advance(1us);  // the CNP of this period keeps it at 1
  CHECK(flow.alpha() == 1 << 20);
  flow.advance(2us);
  CHECK(flow.alpha() == (std::int64_t{1} << 20) * 1019 / 1024);
  flow.advance(1s);
  CHECK(flow.alpha() == 0);
}

TEST_CASE("DCQCN: the timer recovers half of what is missing, then adds") {
  DcqcnParams params = mlx5();
  params.rpg_byte_reset = 1_GiB;
  params.rpg_threshold = 2;
  Dcqcn flow(params, 400_Gbps);
  flow.on_cnp(0us);
  std::int64_t rate = flow.rate().bits_per_second(), target = 400'000'000'000;
  flow.advance(300us);
  CHECK(flow.rate().bits_per_second() == (rate = (rate + target + 1) / 2));
  flow.advance(600us);
  CHECK(flow.rate().bits_per_second() == (rate = (rate + target + 1) / 2));
  flow.on_cnp(601us);  // new target: the rate before
  CHECK(flow.target().bits_per_second() == rate);
  target = rate, rate = flow.rate().bits_per_second();
  flow.advance(601us + 2 * 300us);
  for (int i = 0; i < 2; ++i) rate = (rate + target + 1) / 2;
  CHECK(flow.rate().bits_per_second() == rate);
  flow.advance(601us + 3 * 300us);
  target += 5'000'000;
  CHECK(flow.rate().bits_per_second() == (rate + target + 1) / 2);
}

TEST_CASE("DCQCN: timer and byte counter together beyond the threshold increase faster") {
  DcqcnParams params = mlx5();
  params.clamp_tgt_rate = true;
  Dcqcn flow(params, 400_Gbps);
  for (int i = 0; i < 20; ++i) flow.on_cnp(i * 10us);
  const Picoseconds t = 190us;
  const std::int64_t target = flow.target().bits_per_second();
  for (int i = 0; i < 2; ++i) flow.on_sent(32'767_B, t);  // one recovers, one adds
  CHECK(flow.target().bits_per_second() == target + 5'000'000);
  flow.advance(t + 600us);  // two of the timer add
  CHECK(flow.target().bits_per_second() == target + 15'000'000);
  flow.advance(t + 900us);
  CHECK(flow.target().bits_per_second() == target + 65'000'000);
}

TEST_CASE("DCQCN: a rate never falls below its least") {
  DcqcnParams params = mlx5();
  params.rpg_min_rate = 100_Mbps;
  Dcqcn flow(params, 400_Gbps);
  for (int i = 0; i < 200; ++i) flow.on_cnp(i * 4us);
  CHECK(flow.rate() == 100_Mbps);
}

TEST_CASE("InfiniBand's congestion control: BECNs raise the index, the timer lowers it") {
  const IbCcParams params{.ccti_timer = 100us, .ccti_increase = 2, .ccti_limit = 5};
  CongestionIndex flow(params, 200_Gbps);
  CHECK_FALSE(flow.limited());
  for (int i = 0; i < 4; ++i) flow.on_becn(10us);
  CHECK(flow.index() == 5);
  CHECK(flow.rate().bits_per_second() == 200'000'000'000 / 6);
  flow.advance(110us - 1_ps);
  CHECK(flow.index() == 5);
  flow.advance(110us);
  CHECK(flow.index() == 4);
  flow.advance(1ms);
  CHECK_FALSE(flow.limited());
}

TEST_CASE("flow labels: the UDP source port of a connection lies in RoCE's range") {
  for (std::uint32_t a = 1; a < 2000; a += 37)
    for (std::uint32_t b = 1; b < 2000; b += 41) CHECK(udp_source_port(a, b) >= 0xc000);
  CHECK(udp_source_port(3, 5) == (15 | 0xc000));
}

}  // namespace
}  // namespace gicsim::nic
