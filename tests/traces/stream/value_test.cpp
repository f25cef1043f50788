// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/stream/value.h"

#include <doctest/doctest.h>

#include "tests/support/files.h"

using namespace gicsim;
using namespace gicsim::stream;
using namespace std::chrono_literals;

TEST_CASE("values: numbers stay as they are written, and become times to the picosecond") {
  const Value v =
      parse_value(R"({"ts": 1712345678901234.567, "n": "12", "f": 7.000, "x": 0.5, "b": true, "s": "\"0\""})", "f", 0);
  CHECK(time_of(v, "ts", 1ns) == 1'712'345'678'901'234'567_ps);
  CHECK(integer_of(v, "n") == 12);
  CHECK(integer_of(v, "f") == 7);
  CHECK(!integer_of(v, "x"));
  CHECK(time_of(v, "x", 1us) == 500ns);
  CHECK(v.find("b")->boolean() == true);
  CHECK(word_of(v, "s") == "0");
  CHECK(!integer_of(v, "none"));
}

TEST_CASE("values: times outside of 64 bits, and what is no number, are none") {
  CHECK(parse_time("1e3", 1us) == 1ms);
  CHECK(parse_time("-2.5", 1us) == Picoseconds(-2'500'000));
  CHECK(parse_time("0.0000004", 1us) == 0_ps);
  CHECK(parse_time("0.0000005", 1us) == 1_ps);
  CHECK(!parse_time("1e400", 1us));
  CHECK(!parse_time("99999999999999999999999999", 1ns));
  CHECK(!parse_time("1712345678901234.567", 1us));  // 54 years in picoseconds
  CHECK(!parse_time("", 1us));
  CHECK(!parse_time("NaN", 1us));
  CHECK(!parse_time("1x", 1us));
}

TEST_CASE("values: a mistake is told with its octet") {
  const auto said = [](const std::string& text) { return mistakes_of([&] { parse_value(text, "f.json", 100); }); };
  CHECK(holds(said(R"({"a": 1,, })"), "f.json: byte 108: "));
  CHECK(holds(said("{\"a\": \x01}"), "byte 106"));
  CHECK(holds(said(std::string(100, '[')), "nested more than 64 deep"));
  CHECK(said(std::string(60, '[') + std::string(60, ']')).empty());
}
