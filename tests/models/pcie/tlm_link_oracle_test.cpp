// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The link against the same link in naive TLM-2.0: random traffic, equal arrivals.
#include "tests/models/pcie/tlm_link_oracle.h"

#include <doctest/doctest.h>

#include "models/base/random.h"
#include "models/pcie/link.h"
#include "tests/support/bench.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"

namespace gicsim::pcie {
namespace {

struct Draw {
  RandomStream random;
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n))); }
};

LinkParams draw_link(Draw& draw) {
  LinkParams params{.generation = 1 + draw.below(5),
                    .lanes = Count{1} << draw.below(6),
                    .latency = Picoseconds{draw.below(100'000)},
                    .posted_headers = 1 + draw.below(8),
                    .posted_data = 16_B * (16 + draw.below(64)),
                    .non_posted_headers = 1 + draw.below(4)};
  if (draw.below(2) != 0) params.completion_headers = 1 + draw.below(4);
  if (draw.below(2) != 0) params.completion_data = 16_B * (16 + draw.below(32));
  params.overtaking = 64;  // the oracle knows no limit
  return params;
}

std::vector<Offered> draw_traffic(Draw& draw, bool attributes, std::int64_t gap) {
  std::vector<Offered> list;
  Picoseconds now{};
  for (Address n = 0; n < 60; ++n) {
    if (draw.below(4) != 0) now += Picoseconds{draw.below(gap)};  // else in the same instant
    list.push_back({now,
                    {.kind = static_cast<TlpKind>(draw.below(5)),
                     .requester = static_cast<RequesterId>(draw.below(2)),
                     .tag = static_cast<std::uint16_t>(draw.below(3)),
                     .completer = static_cast<RequesterId>(draw.below(2)),
                     .relaxed = attributes && draw.below(3) == 0,
                     .by_id = attributes && draw.below(3) == 0,
                     .length = Bytes(1 + draw.below(256)),
                     .address = 1000 * n + static_cast<Address>(draw.below(4))}});
  }
  return list;
}

std::vector<Offered> simulate(const LinkParams& params, const std::vector<Offered>& offered) {
  Bench bench;
  Probe<TlpSent> sent;
  Link& link = bench.add_named<Link>("link", params, Kernel::Lane{1}, sent);
  TlpLog log(bench.kernel);
  link.out.bind(log);
  Script script(bench.kernel);
  Transfer transfer;
  for (const Offered& one : offered)
    script.at(one.at, [&link, &bench, &transfer, one] {
      Tlp tlp = one.tlp;
      tlp.transfer = &transfer;
      link.in->send(tlp, bench.now());
    });
  bench.run();
  link.check_books();
  std::vector<Offered> arrivals;
  for (const auto& arrival : log.all) arrivals.push_back({arrival.at, arrival.tlp});
  return arrivals;
}

TEST_CASE("pcie link: arrives when its naive TLM-2.0 version does, whatever credits, lanes and attributes") {
  Draw draw{RandomStream(17, "tlm oracle")};
  Count overtaken = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const LinkParams params = draw_link(draw);
    const std::vector<Offered> offered = draw_traffic(draw, round % 2 == 0, round % 3 == 0 ? 1'000 : 60'000);
    const auto fast = simulate(params, offered), naive = simulate_with_tlm(params, offered);
    REQUIRE(fast.size() == offered.size());
    REQUIRE(naive.size() == offered.size());
    for (std::size_t i = 0; i < fast.size(); ++i) {
      CAPTURE(i);
      REQUIRE(fast[i].tlp.address == naive[i].tlp.address);
      REQUIRE(fast[i].at == naive[i].at);
      overtaken += fast[i].tlp.address / 1000 != i;
    }
  }
  CHECK(overtaken > 1000);  // else there was nothing to compare
}

}  // namespace
}  // namespace gicsim::pcie
