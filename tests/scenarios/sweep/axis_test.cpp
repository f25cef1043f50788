// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/sweep/axis.h"

#include <doctest/doctest.h>

#include "tests/support/files.h"

namespace gicsim::sweep {
namespace {

using Values = std::vector<std::string>;

Values values(const std::string& text) { return axis_from("key=" + text).values; }
std::string wrong(const std::string& argument) {
  return mistakes_of([&] { axis_from(argument); });
}

TEST_CASE("axis: a list keeps words and writes numbers as reports do") {
  CHECK(axis_from("ordering=none,gpu_fence").key == "ordering");
  CHECK(values("none,gpu_fence") == Values{"none", "gpu_fence"});
  CHECK(values("8B, 1024 B") == Values{"8 B", "1 KiB"});
  CHECK(values("1,16,256") == Values{"1", "16", "256"});
  CHECK(values("../other.yaml,mine.yaml") == Values{"../other.yaml", "mine.yaml"});
  CHECK(values("2.5us") == Values{"2.5 us"});
}

TEST_CASE("axis: a range goes by factor or step, up to the last value that isn't beyond its end") {
  CHECK(values("8B..64B:*2") == Values{"8 B", "16 B", "32 B", "64 B"});
  CHECK(values("8B..1MiB:*2").size() == 18);
  CHECK(values("1..100:*10") == Values{"1", "10", "100"});
  CHECK(values("1..99:*10") == Values{"1", "10"});
  CHECK(values("100ns..250ns:+50ns") == Values{"100 ns", "150 ns", "200 ns", "250 ns"});
  CHECK(values("1.5ns..3ns:+0.5ns") == Values{"1.5 ns", "2 ns", "2.5 ns", "3 ns"});
  CHECK(values("0..5:+2") == Values{"0", "2", "4"});
  CHECK(values("100 Gbps .. 400 Gbps : *2") == Values{"100 Gbps", "200 Gbps", "400 Gbps"});
  CHECK(values("1GHz..2GHz:+500MHz") == Values{"1 GHz", "1.5 GHz", "2 GHz"});
  CHECK(values("100 cycles..300 cycles:+100 cycles").size() == 3);
  CHECK(values("7..7:*2") == Values{"7"});
}

TEST_CASE("axis: a range near the largest number ends") {
  CHECK(values("4000000000000000000..9000000000000000000:*2").size() == 2);
  CHECK(values("8999999999999999999..9000000000000000000:+1").size() == 2);
}

TEST_CASE("axis: what can't be read gets one sentence") {
  CHECK(wrong("bytes") == "--vary bytes: write it like --vary bytes='8 B..1 MiB:*2' or threads=1,16");
  CHECK(wrong("=8B") == "--vary =8B: write it like --vary bytes='8 B..1 MiB:*2' or threads=1,16");
  CHECK(holds(wrong("k=8B,,16B"), "holds an empty value"));
  CHECK(holds(wrong("k="), "holds an empty value"));
  CHECK(holds(wrong("k=8B,16B,8 B"), "'8 B' is given twice"));
  CHECK(holds(wrong("k=8B..1MiB"), "a range needs its factor or step"));
  CHECK(holds(wrong("k=8B..1MB:*2"), "'1MB' is no number with its unit"));
  CHECK(holds(wrong("k=8..1MiB:*2"), "'8' and '1MiB' are different quantities"));
  CHECK(holds(wrong("k=1MiB..8B:*2"), "'8B' is less than '1MiB'"));
  CHECK(holds(wrong("k=8B..1MiB:2"), "'2' is neither factor nor step"));
  CHECK(holds(wrong("k=8B..1MiB:*1"), "a factor is a whole number from 2 on"));
  CHECK(holds(wrong("k=8B..1MiB:*2B"), "a factor is a whole number from 2 on"));
  CHECK(holds(wrong("k=0..8:*2"), "a range by factor begins above 0"));
  CHECK(holds(wrong("k=8B..1MiB:+8"), "different quantities"));
  CHECK(holds(wrong("k=1..9:+0"), "leads nowhere"));
  CHECK(holds(wrong("k=1..1000000:+1"), "more than 10000 values"));
}

}  // namespace
}  // namespace gicsim::sweep
