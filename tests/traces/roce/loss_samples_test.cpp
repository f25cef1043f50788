// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Captures of Soft-RoCE under loss, of IPv6, of other path MTUs and operations: messages are those that were posted, losses what netem counted.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/traces/roce/support.h"

namespace gicsim::roce {
namespace {

struct Way {
  std::uint64_t lost = 0, overtaken = 0, twice = 0;
};
struct Truth {
  const char* name;
  std::size_t flows;
  std::uint64_t messages, bytes, requests, answers, resent;
  Way to_responder, to_requester;
};
const std::vector<Truth> truths = {
    {"rxe-write-imm-1KiB", 1, 20, 40'240, 40, 20, 0, {}, {}},
    {"rxe-write-16KiB-mtu4096", 1, 10, 163'840, 40, 10, 0, {}, {}},
    {"rxe-read-mtu4096", 1, 12, 82'320, 12, 24, 0, {}, {}},
    {"rxe-ipv6-mix", 1, 28, 36'144, 40, 40, 0, {}, {}},
    {"rxe-read-4KiB-resploss", 1, 20, 81'920, 42, 155, 22, {}, {15, 0, 0}},
    {"rxe-read-2KiB-reqloss", 1, 25, 51'200, 56, 56, 31, {13, 0, 0}, {}},
    {"rxe-atomic-cas-resploss", 1, 30, 240, 55, 55, 25, {}, {10, 0, 0}},
    {"rxe-atomic-fadd-bothloss", 1, 30, 240, 33, 31, 3, {2, 0, 0}, {1, 0, 0}},
    {"rxe-qps-reqloss", 4, 80, 182'080, 191, 126, 31, {7, 0, 0}, {}},
    {"rxe-send-rnr-exhausted", 1, 2, 5'000, 30, 10, 24, {}, {}},
    {"rxe-write-exhausted", 1, 4, 8'192, 16, 1, 8, {6, 0, 0}, {}},
    {"rxe-nak-access-long", 1, 2, 8'192, 8, 1, 0, {}, {}},
    {"rxe-read-bw-resploss", 1, 20, 81'920, 27, 105, 7, {}, {4, 0, 0}},
    {"rxe-write-bidi-bothloss", 2, 30, 122'880, 205, 91, 85, {2, 0, 0}, {4, 0, 0}},
    {"rxe-mix-mtu4096-bothloss", 1, 18, 196'656, 72, 87, 36, {3, 0, 0}, {7, 0, 0}},
    {"rxe-read-1000B-resploss", 1, 20, 20'000, 41, 151, 21, {}, {9, 0, 0}},
    {"rxe-mix-wrap-bothloss", 1, 40, 30'000, 165, 87, 65, {10, 0, 0}, {2, 0, 0}},
    {"rxe-mix-qps-bothloss", 2, 60, 30'160, 288, 358, 198, {19, 0, 0}, {40, 0, 0}},
    {"rxe-put-signal-atomic-bothloss", 1, 40, 20'160, 251, 122, 151, {17, 0, 0}, {16, 0, 0}},
    {"rxe-send-rnr-bothloss", 1, 16, 5'600, 114, 30, 82, {11, 0, 0}, {3, 0, 0}},
    {"rxe-ipv6-bothloss", 1, 36, 15'696, 118, 53, 34, {6, 0, 0}, {4, 0, 0}},
    {"rxe-send-invalidate-reqloss", 1, 32, 6'336, 91, 38, 43, {13, 0, 0}, {}},
    {"rxe-uc-reqloss", 1, 40, 13'280, 80, 0, 0, {3, 0, 0}, {}},
    {"rxe-write-overtaken", 1, 12, 12'000, 80, 30, 32, {0, 10, 0}, {}},
    {"rxe-write-doubled", 1, 24, 7'296, 48, 29, 0, {0, 0, 5}, {}},
};

TEST_CASE("roce: what was posted, sent again and lost, under loss both ways") {
  for (const Truth& truth : truths) {
    CAPTURE(truth.name);
    const Info info = read_info(sample_path(truth.name));
    CHECK(info.survey.icrc_right == info.survey.frames);
    CHECK(info.survey.used == info.survey.frames);
    CHECK(info.survey.flows().size() == truth.flows);
    Truth sum{truth.name, info.survey.flows().size(), 0, 0, 0, 0, 0, {}, {}};
    for (const auto& flow : info.survey.flows()) {
      sum.messages += flow->messages, sum.bytes += flow->payload;
      sum.requests += flow->packets, sum.answers += flow->answers, sum.resent += flow->resent;
      CHECK(flow->cut + flow->missing + flow->late + flow->answers_missing + flow->copies == 0);
    }
    CHECK(sum.messages == truth.messages);
    CHECK(sum.bytes == truth.bytes);
    CHECK(sum.requests == truth.requests);
    CHECK(sum.answers == truth.answers);
    CHECK(sum.resent == truth.resent);
    const auto compare = [&](const char* side, const Way& way) {
      const std::string behind = sample_path(std::string(truth.name) + side);
      if (!std::filesystem::exists(behind)) {
        CHECK(way.lost + way.overtaken + way.twice == 0);
        return;
      }
      const auto lost = read_info(sample_path(truth.name), behind).lost;
      CHECK(lost->count() == way.lost);
      CHECK(lost->overtaken == way.overtaken);
      CHECK(lost->twice == way.twice);
    };
    compare("-delivered-requests", truth.to_responder);
    compare("-delivered-answers", truth.to_requester);
  }
}

TEST_CASE("roce: nothing came through; where to is known if all went there") {
  const std::string none = (std::filesystem::temp_directory_path() / "gicsim-none.pcap").string();
  File file;
  file.begin();
  std::ofstream(none, std::ios::binary) << file.octets;
  CHECK(read_info(sample_path("rxe-uc-reqloss"), none).lost->count() == 80);
  CHECK_THROWS_WITH_AS(read_info(sample_path("rxe-write-4KiB"), none), doctest::Contains("nobody can say which way"), ConfigError);
  std::filesystem::remove(none);
}

}  // namespace
}  // namespace gicsim::roce
