// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/schedule.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/files.h"

namespace gicsim::roce {
namespace {

using schedule::Action;
using schedule::Need;
using schedule::Step;

std::string sample(const std::string& name) { return source_root() + "/traces/samples/roce/" + name + ".pcap"; }

std::vector<std::vector<Step>> read(CaptureSchedule& capture) {
  std::vector<std::vector<Step>> all(capture.ranks());
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (Step step; capture.next(rank, step);) all[rank].push_back(step);
  return all;
}

TEST_CASE("capture as schedule: a ping-pong's messages wait for each other's arrival") {
  CaptureSchedule capture(sample("rxe-write-lat-64B"));
  const auto all = read(capture);
  REQUIRE(all.size() == 2);
  CHECK(capture.hosts() == std::vector<std::string>{"10.0.0.1", "10.0.0.2"});
  for (const auto& rank : all) {
    std::size_t sends = 0, behind_arrival = 0;
    for (const Step& step : rank) {
      CHECK(step.number == static_cast<std::uint64_t>(&step - rank.data()));
      if (step.action == Action::recv) continue;
      REQUIRE(step.action == Action::send);
      CHECK(step.bytes == 64_B);
      ++sends;
      REQUIRE(step.began);
      if (step.needs.empty()) continue;
      const Step& before = rank[step.needs[0].step];
      behind_arrival += before.action == Action::recv;
      CHECK(before.number < step.number);
      CHECK(step.gap >= Picoseconds{});
    }
    CHECK(sends == 20);
    CHECK(behind_arrival >= 18);
  }
}

TEST_CASE(
    "capture as schedule: each message once, however often it was sent; READs and atomics are their requester's") {
  for (const auto& [name, action, n, bytes] : {std::tuple{"rxe-write-16KiB-reqloss", Action::send, 0u, 16_KiB},
                                               std::tuple{"rxe-read-4KiB", Action::get, 20u, 4_KiB},
                                               std::tuple{"rxe-atomic-fadd", Action::fetch_add, 20u, 8_B},
                                               std::tuple{"rxe-atomic-cas", Action::compare_swap, 20u, 8_B}}) {
    CAPTURE(std::string(name));
    CaptureSchedule capture(sample(name));
    std::size_t found = 0;
    for (const auto& rank : read(capture))
      for (const Step& step : rank) {
        if (step.action != action) continue;
        ++found;
        CHECK(step.bytes == bytes);
        CHECK(step.ended);
      }
    if (n > 0) CHECK(found == n);
    CHECK(found > 0);
  }
}

TEST_CASE("capture as schedule: read again it is the same; ranks are asked in any order") {
  CaptureSchedule capture(sample("rxe-send-lat-64B"));
  const auto once = read(capture);
  capture.rewind();
  CHECK(capture.sends());
  std::vector<std::vector<Step>> again(2);
  for (bool more = true; more;) {
    more = false;
    for (const std::size_t rank : {1, 0})
      if (Step step; capture.ready(rank) && capture.next(rank, step)) again[rank].push_back(step), more = true;
  }
  CHECK(again == once);
  CHECK(capture.progress() == 1);
}

TEST_CASE("capture as schedule: what isn't whole is counted, what is cut off is a mistake") {
  const Folder folder;
  const std::string whole = contents(sample("rxe-write-64KiB"));
  const std::string cut = folder.write("cut.pcap", whole.substr(0, whole.size() - 7));
  CHECK_THROWS_WITH_AS(CaptureSchedule{cut}, doctest::Contains("byte"), ConfigError);
  CHECK_THROWS_AS(CaptureSchedule{folder.write("none.pcap", "no capture at all, but longer than a header")},
                  ConfigError);
}

}  // namespace
}  // namespace gicsim::roce
