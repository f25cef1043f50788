// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "traces/result/read.h"
#include "traces/result/record.h"

namespace gicsim {
namespace {

Record put() {
  Record r;
  r.system = "h200_cx7_ib";
  r.where = {{"bytes", std::int64_t{8}}, {"ordering", std::string("gpu_fence")}};
  r.value = 4030.125;
  r.p50 = 4030.125;
  r.min = 4030.0;
  r.max = 0.1 + 0.2;
  r.n = 1000;
  r.source = "a \"quoted\"\ttext\\ \x01, \xC2\xB5s";
  return r;
}

std::string message_of(const std::string& text) {
  std::istringstream in(text);
  try {
    read_records(in, "r.jsonl");
  } catch (const MalformedRecord& error) {
    return error.what();
  }
  return "";
}

std::string with(std::string line, const std::string& old, const std::string& now) {
  REQUIRE(line.find(old) != std::string::npos);
  return line.replace(line.find(old), old.size(), now);
}

TEST_CASE("record: one line, fields in the format's order, unknown quantiles null") {
  CHECK(
      to_json_line(put()) ==
      R"({"schema":"gicsim.result/1","origin":"simulated","system":"h200_cx7_ib","pattern":"put",)"
      R"("path":"gpu_direct","where":{"bytes":8,"ordering":"gpu_fence"},)"
      R"("quantity":"put_completion","unit":"ns","value":4030.125,"p50":4030.125,"p99":null,)"
      R"("min":4030,"max":0.30000000000000004,"n":1000,)"
      R"("source":"a \"quoted\"\ttext\\ \u0001, )"
      "\xC2\xB5s\"}");
}

TEST_CASE("record: repeats stand at its end, and lines beside records are passed over") {
  Record fence = put();
  fence.repeats = Repeats{"gpu clock64 at 1980 MHz", 5, 283.5, 285};
  const std::string line = to_json_line(fence);
  CHECK(line.find(R"(,"repeats":{"clock":"gpu clock64 at 1980 MHz","count":5,"low":283.5,"high":285}})") != line.npos);
  std::istringstream in(R"({"schema":"gicsim.environment/1","gpu":"any"})" "\n" + line + "\n" +
                        R"({"schema":"gicsim.skipped/1","key":"put"})" "\n");
  const std::vector<Record> read = read_records(in, "r.jsonl");
  REQUIRE(read.size() == 1);
  REQUIRE(read[0].repeats.has_value());
  CHECK(to_json_line(read[0]) == line);
  CHECK(message_of(R"({"schema":"gicsim.report/1"})").find("'schema' is 'gicsim.report/1'") != std::string::npos);
}

TEST_CASE("record: what was written reads back the same") {
  Record bandwidth;
  bandwidth.origin = Origin::measured;
  bandwidth.pattern = Pattern::put_bw;
  bandwidth.path = Path::cpu_proxy;
  bandwidth.quantity = Quantity::bandwidth;
  bandwidth.value = 1e-300;
  std::istringstream in(to_json_line(put()) + "\n\n" + to_json_line(bandwidth) + "\r\n");
  const std::vector<Record> read = read_records(in, "r.jsonl");
  REQUIRE(read.size() == 2);
  CHECK(to_json_line(read[0]) == to_json_line(put()));
  CHECK(to_json_line(read[1]) == to_json_line(bandwidth));
  CHECK(read[0].max == 0.1 + 0.2);
  CHECK_FALSE(read[0].p99.has_value());
}

TEST_CASE("record: fields that a later format adds are passed over, escapes are read") {
  const std::string line = with(to_json_line(put()), "{", R"({"later":[1,{"a":[true,null]}],)");
  std::istringstream in(with(line, "h200_cx7_ib", R"(\u00b5 \ud83d\ude00 \/)"));
  CHECK(read_records(in, "r.jsonl").at(0).system == "\xC2\xB5 \xF0\x9F\x98\x80 /");
}

TEST_CASE("record: a wrong line is named with its number and what is wrong") {
  const std::string good = to_json_line(put());
  CHECK(message_of(good + "\n" + good.substr(0, good.size() - 1)) ==
        "r.jsonl:2: column " + std::to_string(good.size()) + ": '}' is missing");
  CHECK(message_of(with(good, "\"ns\"", "\"us\"")) ==
        "r.jsonl:1: 'unit' is 'us'; put_completion is given in ns");
  CHECK(message_of(with(good, "\"gpu_direct\"", "\"gpu\"")) ==
        "r.jsonl:1: 'path' is 'gpu'; known are gpu_direct, cpu_proxy, cpu_post, cpu_doorbell, host_staged, "
        "stream_triggered, none");
  CHECK(message_of(with(good, "\"n\":1000,", "")) == "r.jsonl:1: 'n' is missing");
  CHECK(message_of(with(good, "1000", "1.5")) == "r.jsonl:1: 'n' must be a whole number");
  CHECK(message_of(with(good, "result/1", "result/9")) ==
        "r.jsonl:1: 'schema' is 'gicsim.result/9'; this reads gicsim.result/1");
  CHECK(message_of(with(good, "\"bytes\":8", "\"bytes\":8,\"bytes\":8")).find("given twice") !=
        std::string::npos);
  CHECK(message_of(std::string(100'000, '[')).find("nested too deep") != std::string::npos);
  CHECK(message_of("[]") == "r.jsonl:1: a record is a JSON object: {...}");
}

TEST_CASE("record: infinity is refused, JSON has no word for it") {
  Record r = put();
  r.value = INFINITY;
  CHECK_THROWS_AS(to_json_line(r), std::domain_error);
}

}  // namespace
}  // namespace gicsim
