// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/acs.h"

#include <doctest/doctest.h>

#include <string>

namespace gicsim::pcie {
namespace {

/// The rules again, from the text of the specification, as one table: the first row that fits decides.
/// Columns: flow, RO, AT, TB, RR, CR, DT, UF, bound; '.' is anything.
/// Flow: r request, c completion. AT: 0 untranslated, 1 translation request, 2 translated. Bound: u, b, p.
struct Row {
  const char* when;
  Way way;
};
constexpr Row rules[] = {
    {"r.11.....", Way::blocked},   // 6.12.1.1 TB: any upstream memory request whose AT isn't 00b
    {"r.21.....", Way::blocked},
    {"........u", Way::ahead},
    {".......1b", Way::upstream},  // UF: what was redirected below goes on
    {".......0b", Way::blocked},
    {"r.2...1.p", Way::ahead},     // DT overrides RR for translated addresses
    {"r...1...p", Way::upstream},  // RR
    {"r...0...p", Way::ahead},
    {"c1......p", Way::ahead},     // CR spares completions with RO
    {"c0...1..p", Way::upstream},
    {"c0...0..p", Way::ahead},
};

Way by_table(const std::string& now) {
  for (const Row& row : rules) {
    const std::string when = row.when;
    bool fits = true;
    for (std::size_t i = 0; i < when.size(); ++i) fits = fits && (when[i] == '.' || when[i] == now[i]);
    if (fits) return row.way;
  }
  FAIL("no rule for ", now);
  return Way::blocked;
}

TEST_CASE("acs: every combination of controls, attributes and directions") {
  int seen = 0;
  for (const Flow flow : {Flow::posted, Flow::non_posted, Flow::completion})
    for (const bool relaxed : {false, true})
      for (const AddressType at : {AddressType::untranslated, AddressType::translation_request, AddressType::translated})
        for (int bits = 0; bits < 32; ++bits)
          for (const Bound bound : {Bound::upstream, Bound::back, Bound::peer}) {
            SlotParams port;
            port.acs_translation_blocking = bits & 1;
            port.acs_request_redirect = bits & 2;
            port.acs_completion_redirect = bits & 4;
            port.acs_direct_translated = bits & 8;
            port.acs_upstream_forwarding = bits & 16;
            const auto bit = [&](int b) { return bits & b ? '1' : '0'; };
            const std::string now{flow == Flow::completion ? 'c' : 'r', relaxed ? '1' : '0',
                                  static_cast<char>('0' + static_cast<int>(at)), bit(1), bit(2), bit(4), bit(8), bit(16),
                                  bound == Bound::upstream ? 'u' : bound == Bound::back ? 'b' : 'p'};
            INFO(now);
            CHECK(acs_way(port, flow, relaxed, at, bound) == by_table(now));
            ++seen;
          }
  CHECK(seen == 3 * 2 * 3 * 32 * 3);
}

TEST_CASE("acs: off, as after reset, nothing is turned round but what comes back") {
  const SlotParams off;
  for (const Flow flow : {Flow::posted, Flow::non_posted, Flow::completion}) {
    CHECK(acs_way(off, flow, false, AddressType::untranslated, Bound::peer) == Way::ahead);
    CHECK(acs_way(off, flow, false, AddressType::untranslated, Bound::upstream) == Way::ahead);
    CHECK(acs_way(off, flow, false, AddressType::untranslated, Bound::back) == Way::blocked);
  }
}

}  // namespace
}  // namespace gicsim::pcie
