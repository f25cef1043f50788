// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Own captures of Linux's Soft-RoCE: what was run is known, and so is what got lost.
#include <doctest/doctest.h>

#include <map>

#include "tests/traces/roce/support.h"

namespace gicsim::roce {
namespace {

struct Truth {
  const char* name;
  std::uint64_t frames;
  struct Side {
    std::uint64_t messages, bytes, requests, answers, duplicates = 0;
  };
  std::vector<Side> flows;
};
/// Frames and messages as the commands that made them say; resends and duplicates as counted by hand.
const std::vector<Truth> truths = {
    {"rxe-write-lat-64B", 104, {{20, 1280, 31, 31, 11}, {20, 1280, 21, 21, 1}}},
    {"rxe-write-4KiB", 100, {{20, 81'920, 80, 20}}},
    {"rxe-write-64KiB", 390, {{6, 393'216, 384, 6}}},
    {"rxe-read-64B", 40, {{20, 1280, 20, 20}}},
    {"rxe-read-4KiB", 100, {{20, 81'920, 20, 80}}},
    {"rxe-read-64KiB", 390, {{6, 393'216, 6, 384}}},
    {"rxe-send-lat-64B", 98, {{20, 1280, 20, 20}, {20, 1280, 29, 29, 9}}},
    {"rxe-send-4KiB", 100, {{20, 81'920, 80, 20}}},
    {"rxe-atomic-fadd", 40, {{20, 160, 20, 20}}},
    {"rxe-atomic-cas", 40, {{20, 160, 20, 20}}},
    {"rxe-ud-send-64B", 40, {{20, 1280, 20, 0}, {20, 1280, 20, 0}}},
    {"rxe-put-signal-atomic", 56, {{16, 32'832, 40, 16}}},
    {"rxe-put-signal-atomic-responder", 56, {{16, 32'832, 40, 16}}},
    {"rxe-put-flag-write", 32, {{16, 8256, 16, 16}}},
    {"rxe-write-64B-batch32", 64, {{32, 2048, 32, 32}}},
    {"rxe-send-rnr", 157, {{3, 7500, 126, 31}}},
    {"rxe-nak-access", 7, {{2, 2112, 3, 2}, {1, 64, 1, 1}}},
    {"rxe-write-64KiB-reqloss", 656, {{6, 393'216, 646, 10, 1}}},
    {"rxe-write-16KiB-reqloss", 146, {{8, 131'072, 137, 9}}},
    {"rxe-write-16KiB-reqloss-responder", 146, {{8, 131'072, 137, 9}}},
    {"rxe-write-4KiB-reqloss", 220, {{40, 163'840, 176, 44, 2}}},
    {"rxe-write-4KiB-reqloss-responder", 220, {{40, 163'840, 176, 44, 2}}},
    {"rxe-write-4KiB-ackloss", 248, {{40, 163'840, 184, 64, 24}}},
    {"rxe-send-4KiB-ackloss", 216, {{40, 163'840, 168, 48, 8}}},
    {"rxe-atomic-fadd-reqloss", 86, {{40, 320, 46, 40}}},
    {"rxe-atomic-fadd-reqloss-responder", 86, {{40, 320, 46, 40}}},
    {"rxe-put-signal-atomic-resploss", 56, {{16, 32'832, 40, 16}}},
};

TEST_CASE("roce: each capture's messages, bytes, packets and duplicates are those that were sent") {
  for (const Truth& truth : truths) {
    CAPTURE(truth.name);
    const Info info = read_info(sample_path(truth.name));
    CHECK(info.format == "pcap, ns, little-endian");
    CHECK(info.survey.frames == truth.frames);
    CHECK(info.survey.used == truth.frames);
    CHECK(info.survey.icrc_right == truth.frames);
    REQUIRE(info.survey.flows().size() == truth.flows.size());
    for (std::size_t i = 0; i < truth.flows.size(); ++i) {
      const Flow& flow = *info.survey.flows()[i];
      const Truth::Side& side = truth.flows[i];
      CHECK(flow.messages == side.messages);
      CHECK(flow.payload == side.bytes);
      CHECK(flow.packets == side.requests);
      CHECK(flow.answers == side.answers);
      CHECK(flow.duplicates == side.duplicates);
      CHECK(flow.cut == 0);
      CHECK(flow.missing + flow.late + flow.answers_missing == 0);
      CHECK(flow.answers_to.has_value() == (side.answers > 0));
    }
  }
}

TEST_CASE("roce: frames that got lost, told by the capture behind the loss") {
  const std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> lost = {
      {"rxe-write-16KiB-reqloss", {1, 137}}, {"rxe-write-4KiB-reqloss", {3, 176}},
      {"rxe-write-4KiB-ackloss", {15, 64}},  {"rxe-send-4KiB-ackloss", {4, 48}},
      {"rxe-atomic-fadd-reqloss", {6, 46}},  {"rxe-put-signal-atomic-resploss", {1, 16}}};
  for (const auto& [name, truth] : lost) {
    CAPTURE(name);
    const Info info = read_info(sample_path(name), sample_path(name + "-delivered"));
    CHECK(info.lost->count() == truth.first);
    CHECK(info.lost->sent == truth.second);
    CHECK(info.lost->first.size() == truth.first);
    const std::string there = name + "-responder";
    if (!std::ifstream(sample_path(there))) continue;
    const auto again = read_info(sample_path(there), sample_path(name + "-delivered")).lost;
    CHECK(again->count() == truth.first);
  }
  const auto fadd = read_info(sample_path("rxe-atomic-fadd-reqloss"), sample_path("rxe-atomic-fadd-reqloss-delivered")).lost;
  CHECK(fadd->first[0].number == 7);  // sent again in frame 8, 53 ms later
  CHECK(fadd->first[0].psn == 0x54bef9);
  CHECK_THROWS_WITH_AS(read_info(sample_path("rxe-atomic-fadd"), sample_path("rxe-write-4KiB")),
                       doctest::Contains("isn't in"), ConfigError);
}

TEST_CASE("roce: resends by their cause, NAKs by their kind, PSNs that wrap") {
  const Info lossy = read_info(sample_path("rxe-write-4KiB-reqloss"));
  const Flow& flow = *lossy.survey.flows()[0];
  CHECK(flow.resent == 16);
  CHECK(flow.resent_after_nak == 13);
  CHECK(flow.naks[0] == 2);
  CHECK(flow.acks == 42);
  CHECK(flow.wraps == 0);
  const Info rnr = read_info(sample_path("rxe-send-rnr"));
  CHECK(rnr.survey.flows()[0]->rnr_naks[20] == 14);
  CHECK(rnr.survey.flows()[0]->naks[0] == 14);
  CHECK(rnr.survey.flows()[0]->resent == 117);
  const Info access = read_info(sample_path("rxe-nak-access"));
  CHECK(access.survey.flows()[0]->naks[2] == 1);
  CHECK(access.survey.flows()[1]->naks[2] == 1);
  CHECK(read_info(sample_path("rxe-put-signal-atomic")).survey.flows()[0]->wraps == 1);
  CHECK(read_info(sample_path("rxe-write-16KiB-reqloss-delivered")).survey.flows()[0]->late == 1);
}

TEST_CASE("roce: times to the answer are those of requests that were sent once") {
  const Info info = read_info(sample_path("rxe-put-flag-write"));
  const Quantiles& t = info.survey.flows()[0]->answered;
  CHECK(t.n() == 16);
  CHECK(t.least() <= t.at(0.5));
  CHECK(t.at(0.5) <= t.at(0.99));
  CHECK(t.at(0.99) <= t.most());
  CHECK(read_info(sample_path("rxe-send-rnr")).survey.flows()[0]->answered.n() == 0);
}

TEST_CASE("roce: the report says it in words and as JSON") {
  const Info info = read_info(sample_path("rxe-write-4KiB-reqloss"), sample_path("rxe-write-4KiB-reqloss-delivered"));
  const std::string text = to_text(info);
  CHECK(text.find("10.0.0.2 QP 18 -> 10.0.0.1 QP 18, RC") != std::string::npos);
  CHECK(text.find("16 request packets: 13 after a NAK, 3 after a time-out; 2 had arrived before") != std::string::npos);
  CHECK(text.find("2 sequence (0x60)") != std::string::npos);
  CHECK(text.find("3 of 176 frames to 10.0.0.1") != std::string::npos);
  std::vector<Info> all;
  all.push_back(read_info(sample_path("rxe-nak-access")));
  const std::string json = to_json(all);
  CHECK(json.find("\"schema\": \"gicsim.trace/1\"") != std::string::npos);
  CHECK(json.find("\"remote_access\": 1") != std::string::npos);
}

}  // namespace
}  // namespace gicsim::roce
