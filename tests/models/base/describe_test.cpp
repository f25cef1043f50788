// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <string_view>

#include "models/base/describe.h"
#include "models/base/errors.h"

namespace gicsim {
namespace {

using namespace std::string_view_literals;

struct Params {
  Picoseconds flight = 15ns;
  BitRate rate;
  Bytes buffer = 64_KiB;
  Count slots = 4;
  bool push = false;
};
template <class V>
constexpr void describe(V&& v, Params& p) {
  v("flight", p.flight, "time to the far end", derived("3 m x 5 ns/m"));
  v("rate", p.rate, "data rate", by_part, within(1_Gbps, 1600_Gbps));
  v("buffer", p.buffer, "bytes that may wait", assumed("A-014"), powers_of_two(1_KiB, 1_MiB));
  v("slots", p.slots, "entries", spec("somewhere"), at_least(1));
  v("push", p.push, "mode", assumed("A-015"));
}
static_assert(fully_described<Params>());

struct Forgotten {
  Count a = 0, b = 0;
};
template <class V>
constexpr void describe(V&& v, Forgotten& f) {
  v("a", f.a, "the only one", spec("somewhere"));
}
static_assert(!fully_described<Forgotten>());

}  // namespace

TEST_CASE("describe: bounds take the quantity of their literals") {
  constexpr auto time = within(1ns, 2us);
  CHECK(*time.low == 1000_ps);
  CHECK(*time.high == 2'000'000_ps);
  CHECK(*at_least(3).low == 3);
  CHECK_FALSE(at_least(3).high);
  CHECK(powers_of_two(128_B, 4_KiB).power_of_two);
  CHECK(name_of(by_part.kind) == "assumed"sv);
}

TEST_CASE("errors: all mistakes in one text, in the form that editors jump to") {
  const ConfigError error({{{"put.yaml", 12, 5}, "link.fligth: no such parameter"},
                           {{"--set nic.x=1"}, "no such parameter"}});
  CHECK(std::string(error.what()) ==
        "put.yaml:12:5: link.fligth: no such parameter\n--set nic.x=1: no such parameter");
  CHECK(error.mistakes().size() == 2);
}

TEST_CASE("errors: a ModelError says module, time and what broke") {
  CHECK(std::string(ModelError("node0.nic0.tx", 12'345ns, "credits 3 -> -1").what()) ==
        "node0.nic0.tx @ 12.345 us: credits 3 -> -1");
}

}  // namespace gicsim
