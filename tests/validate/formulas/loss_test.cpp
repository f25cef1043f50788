// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/formulas/loss.h"

#include <doctest/doctest.h>

#include <cmath>

#include "models/link/burst.h"
#include "models/link/fec.h"
#include "tests/support/nic_pair.h"

namespace gicsim {
namespace {

Probability chance(double p) { return Probability::steps(std::llround(p * 1e18)); }

TEST_CASE("loss: bursts have the share, the stay, the loss and the length of the chain's closed forms") {
  for (const link::BurstParams params : {link::BurstParams{.to_bad = chance(0.01), .to_good = chance(0.1)},
                                         link::BurstParams{.to_bad = chance(0.002), .to_good = chance(0.05),
                                                           .loss_good = chance(0.001), .loss_bad = chance(0.5)}}) {
    link::Burst burst(params, 1, "wire");
    const int n = 2'000'000;
    double runs = 0;
    bool before = false;
    for (int i = 0; i < n; ++i) {
      const bool lost = burst.takes();
      runs += lost && !before;
      before = lost;
    }
    const auto closed = formulas::bursts(params);
    const auto of = [](Count a) { return static_cast<double>(a); };
    CHECK(of(burst.stats().bad) / n == doctest::Approx(closed.bad).epsilon(0.03));
    CHECK(of(burst.stats().lost) / n == doctest::Approx(closed.loss).epsilon(0.03));
    CHECK(of(burst.stats().bad) / of(burst.stats().bursts) == doctest::Approx(closed.stay).epsilon(0.03));
    CHECK(of(burst.stats().lost) / runs == doctest::Approx(closed.lost_in_row).epsilon(0.03));
  }
  const auto certain = formulas::bursts({.to_bad = chance(0.01), .to_good = chance(0.1)});
  CHECK(certain.loss == doctest::Approx(1.0 / 11));
  CHECK(certain.lost_in_row == doctest::Approx(10));
}

TEST_CASE("loss: the binomial form, at figures that were worked out apart from it") {
  CHECK(formulas::uncorrectable(link::FecCode::rs544_514, 0) == 0);
  CHECK(formulas::uncorrectable(link::FecCode::rs544_514, 1) == 1);
  CHECK(formulas::uncorrectable(link::FecCode::rs544_514, 2e-3) == doctest::Approx(0.0793908736961283).epsilon(1e-6));
  CHECK(formulas::uncorrectable(link::FecCode::rs544_514, 2.2e-4) == doctest::Approx(2.23993734523319e-13).epsilon(1e-6));
  CHECK(formulas::uncorrectable(link::FecCode::rs528_514, 5e-4) == doctest::Approx(0.00561285895139371).epsilon(1e-6));
}

TEST_CASE("loss: codewords are as often uncorrectable as the binomial form says, within 5 %") {
  struct Row {
    link::FecCode code;
    double raw_ber;
    Count interleave;
    int codewords;
  };
  for (const Row& row : {Row{link::FecCode::rs544_514, 2e-3, 1, 200'000}, Row{link::FecCode::rs544_514, 1.5e-3, 1, 800'000},
                         Row{link::FecCode::rs544_514, 2e-3, 4, 200'000}, Row{link::FecCode::rs528_514, 5e-4, 1, 800'000}}) {
    CAPTURE(row.raw_ber);
    CAPTURE(row.interleave);
    link::Fec fec({.code = row.code, .raw_ber = chance(row.raw_ber), .interleave = row.interleave}, 400_Gbps, 1, "wire");
    for (int i = 0; i < row.codewords; ++i) fec.damages({i * 12'800_ps, (i + 1) * 12'800_ps}, 640_B);
    const double share = static_cast<double>(fec.stats().uncorrectable) / static_cast<double>(fec.stats().codewords);
    CHECK(share == doctest::Approx(formulas::uncorrectable(row.code, row.raw_ber)).epsilon(0.05));
  }
}

TEST_CASE("loss: packets are as often damaged as they have a part in bad codewords") {
  for (const Bytes wire : {50_B, 650_B, 4122_B}) {
    CAPTURE(wire.count());
    const link::FecParams params{.code = link::FecCode::rs544_514, .raw_ber = chance(2e-3)};
    link::Fec fec(params, 400_Gbps, 1, "wire");
    const int n = 200'000;
    int damaged = 0;
    for (int i = 0; i < n; ++i) damaged += fec.damages({(wire * i) / 400_Gbps, (wire * (i + 1)) / 400_Gbps}, wire);
    CHECK(static_cast<double>(damaged) / n == doctest::Approx(formulas::packet_damaged(params, wire)).epsilon(0.05));
  }
}

/// One long write: what is damaged costs its cable a round trip, and the transport nothing.
TEST_CASE("loss: goodput under link-level retry, within 1 %, with not one packet sent again by the transport") {
  link::WireParams lossy = NicPair::wire_defaults();
  lossy.loss = chance(0.01);
  NicPair pair(NicPair::nic_defaults(), lossy, NicPair::wire_defaults());
  link::Errors errors;
  errors.retry.on = true;
  pair.forth.disturb(errors, 1);
  pair.post({.local = 1 << 20, .remote = 1 << 20, .length = 64_MiB});
  pair.ring();
  REQUIRE(pair.bench.run() == Kernel::Ended::idle);
  pair.check_books();
  CHECK(pair.near.stats().resent == 0);
  CHECK(pair.forth.retries()->retries > 100);
  const Picoseconds way = lossy.fec + lossy.flight + errors.retry.latency;
  const auto closed = formulas::link_retry(errors.retry, lossy.rate, way, 4122_B);
  const double took = static_cast<double>(pair.bench.now().count());
  CHECK(took / 16'384 == doctest::Approx(closed.picoseconds_per_packet(0.01)).epsilon(0.01));
}

}  // namespace
}  // namespace gicsim
