// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Cut, corrupt and hostile texts: a place and a sentence, never a crash, never a figure that isn't one.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "tests/traces/import/support.h"

namespace gicsim::imports {
namespace {

std::string with(std::string text, const std::string& old, const std::string& now) {
  REQUIRE(text.find(old) != std::string::npos);
  return text.replace(text.find(old), old.size(), now);
}

TEST_CASE("import: what is wrong with a row is said with its place") {
  const std::string text = sample("perftest_write_lat.txt");
  const auto wrong = [&](const char* old, const char* now) { return import(with(text, old, now)).wrong; };
  const auto typical = [&](const std::string& now) {
    return import(with(text, "4.10         1.26", "4.10         " + now));
  };
  CHECK(holds(typical("1e400").wrong, "f.txt:21:52: t_typical: '1e400' is no number"));
  CHECK(holds(typical("1e300").wrong, "f.txt:21:52: t_typical: '1e300' is larger than any measurement"));
  CHECK(holds(typical("-8.10").wrong, "t_typical: '-8.10' is less than nothing"));
  CHECK(holds(wrong(" 8       1000", " 8       ten"), "f.txt:21:10: iterations: 'ten' is no whole number"));
  CHECK(holds(wrong(" 8       1000", " 99999999999999999999 1000"), "size: '99999999999999999999' is no whole number"));
  CHECK(holds(wrong("4.10   \n", "\n"), "9 columns"));
  CHECK(typical("nan").left("t_typical not known") == 0);  // t_avg stands in
  CHECK(typical("nan").records.at(1).value == doctest::Approx(1270));
}

TEST_CASE("import: mistakes come all in one go, twenty at most") {
  std::string text = sample("perftest_write_lat.txt");
  const std::string head = text.substr(0, text.rfind(" 2       1000"));
  const Result three = import(head + " 2 1\n 4 1\n 8 1\n");
  CHECK(std::count(three.wrong.begin(), three.wrong.end(), '\n') == 2);
  std::string rows;
  for (int i = 0; i < 1000; ++i) rows += " 2 1\n";
  const Result many = import(head + rows);
  CHECK(std::count(many.wrong.begin(), many.wrong.end(), '\n') == 19);
}

TEST_CASE("import: texts of no known format, empty ones, binary ones") {
  CHECK(import("").wrong == "f.txt: is empty");
  CHECK(import(" \n\n").wrong == "f.txt: is empty");
  CHECK(holds(import("hello\n").wrong, "f.txt: no format that is known here"));
  CHECK(holds(import(std::string("#bytes #iterations t_avg[usec]\n\0\1\2", 33)).wrong, "not a text"));
  CHECK(holds(import(sample("perftest_write_lat.txt") + std::string(3 << 20, 'x')).wrong, "a line longer than 1 MiB"));
  CHECK(holds(import("{\"test_info\": {\"test\": \"x\"}, \"MsgSize\": " + std::string(100'000, '[')).wrong, "f.txt:1"));
  CHECK(holds(import("{\"nvbandwidth\": 3}").wrong, "'testcases' in it is missing"));
  CHECK(holds(import("{\"schema\":\"gicsim.result/1\"}\n").wrong, "f.txt:1:1: 'origin' is missing"));
}

TEST_CASE("import: any sample cut anywhere, or with a byte changed, ends in records that are numbers or in a mistake") {
  for (const auto& entry : std::filesystem::directory_iterator(source_root() + "/traces/samples")) {
    const std::string name = entry.path().filename().string();
    if (name == "README.md" || entry.is_directory()) continue;
    CAPTURE(name);
    const std::string text = sample(name);
    CHECK(import(text).wrong == "");
    const std::size_t step = text.size() / 60 + 1;
    for (std::size_t at = 0; at < text.size(); at += step) {
      for (const std::string& broken : {text.substr(0, at), text.substr(0, at) + "\x01" + text.substr(at + 1),
                                        text.substr(0, at) + " nan " + text.substr(at), text.substr(at)}) {
        const Result result = import(broken);
        CHECK((!result.wrong.empty() || !result.records.empty()));
        for (const Record& record : result.records) {
          const bool sound = std::isfinite(record.value) && record.value >= 0;
          CHECK(sound);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gicsim::imports
