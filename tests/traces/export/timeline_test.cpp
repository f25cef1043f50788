// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/timeline.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/traces/export/support.h"

namespace gicsim::exports {
namespace {

using Json = nlohmann::json;

std::int64_t picoseconds(const Json& microseconds) { return std::llround(microseconds.get<double>() * 1e6); }

/// What a viewer asks of any trace: names, pairs, and slices that don't cut one another.
void check_whole(const Json& trace) {
  std::set<std::pair<int, int>> named, used;
  std::map<std::string, int> spans;
  struct Arrow {
    int starts = 0, ends = 0;
    double last = -1;
  };
  std::map<int, Arrow> arrows;
  std::map<std::pair<int, int>, std::vector<std::pair<std::int64_t, std::int64_t>>> slices;
  for (const Json& event : trace.at("traceEvents")) {
    const std::string phase = event.at("ph");
    const std::pair<int, int> track{event.at("pid"), event.value("tid", 0)};
    if (phase == "M") {
      if (event.at("name") == "thread_name") CHECK(named.insert(track).second);
      continue;
    }
    used.insert(track);
    CHECK(event.at("ts").get<double>() >= 0);
    if (phase == "X") slices[track].emplace_back(picoseconds(event.at("ts")), picoseconds(event.at("dur")));
    if (phase == "b") ++spans[event.at("id")];
    if (phase == "e") CHECK(--spans[event.at("id")] == 0);
    if (phase != "s" && phase != "t" && phase != "f") continue;
    Arrow& arrow = arrows[event.at("id")];
    CHECK(arrow.starts == (phase == "s" ? 0 : 1));
    CHECK(arrow.ends == 0);
    CHECK(event.at("ts").get<double>() >= arrow.last);
    arrow.last = event.at("ts");
    (phase == "s" ? arrow.starts : arrow.ends) += phase != "t";
  }
  for (const auto& track : used) CHECK(named.contains(track));
  for (const auto& [id, open] : spans) CHECK(open == 0);
  for (const auto& [id, arrow] : arrows) CHECK((arrow.starts == 1 && arrow.ends == 1));
  for (auto& [track, all] : slices) {
    std::sort(all.begin(), all.end());
    for (std::size_t i = 1; i < all.size(); ++i) REQUIRE(all[i - 1].first + all[i - 1].second <= all[i].first);
  }
}

std::set<std::string> names_of(const Json& trace, const std::string& kind) {
  std::set<std::string> names;
  for (const Json& event : trace.at("traceEvents"))
    if (event.at("ph") == "M" && event.at("name") == kind) names.insert(event.at("args").at("name").get<std::string>());
  return names;
}

/// By message, from 1: picoseconds of its completion and of its delivery, as the slices tell it.
std::map<int, std::pair<std::int64_t, std::int64_t>> sums_of(const Json& trace) {
  std::map<int, std::pair<std::int64_t, std::int64_t>> sums;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("ph") != "X" || !event.at("args").contains("branch")) continue;
    const Json& args = event.at("args");
    CHECK(picoseconds(event.at("dur")) == args.at("ps").get<std::int64_t>());
    auto& [completion, delivery] = sums[args.at("message")];
    if (args.at("branch") != "delivery") completion += args.at("ps").get<std::int64_t>();
    if (args.at("branch") != "completion") delivery += args.at("ps").get<std::int64_t>();
  }
  return sums;
}

void check_sums(const Json& trace, const Recorder& heard) {
  const auto sums = sums_of(trace);
  REQUIRE(sums.size() == heard.messages.size());
  for (const auto& [number, sum] : sums) {
    const Recorder::Ended& message = heard.messages[static_cast<std::size_t>(number) - 1];
    CHECK(sum.first == (message.completion.last() - message.begun).count());
    if (message.delivery.total() > 0ns) CHECK(sum.second == (message.delivery.last() - message.begun).count());
  }
}

TEST_CASE("timeline: each message's stages add up to its ledgers, whatever the path and pattern") {
  for (const char* differs :
       {"", "bytes: 64 KiB\npayload: read\n", "pattern: ping_pong\n", "pattern: get\n", "pattern: put_signal\n",
        "pattern: atomic\n", "path: cpu_proxy\nqueues: host\n", "path: cpu_post\nqueues: host\n",
        "path: stream_triggered\nqueues: host\n",
        "pattern: put_bw\npayload: read\nbytes: 4 KiB\niterations: 40\nbatch: 4\n", "pattern: launch\npath: none\n"}) {
    CAPTURE(differs);
    const Exported run = exported("timeline", differs);
    const Json trace = Json::parse(run.file("timeline.json"));
    check_whole(trace);
    check_sums(trace, run.heard);
    CHECK(run.left_out.empty());
  }
}

TEST_CASE("timeline: a process a node and one for the fabric; tracks for all that a put passes") {
  const Exported run = exported("timeline", "", {.interval = 100ns});
  const Json trace = Json::parse(run.file("timeline.json"));
  CHECK(names_of(trace, "process_name") == std::set<std::string>{"node0", "node1", "fabric"});
  const std::set<std::string> tracks = names_of(trace, "thread_name");
  for (const char* track :
       {"gpu0.thread0", "nic0.qp1 send queue", "gpu0_pcie_up", "gpu0_pcie_up TLPs", "nic0 wqe_decode", "nic0 nic_tx",
        "nic0 nic_rx", "node0_nic0_link_up", "node0_nic0_link_up packets", "counters"})
    CHECK_MESSAGE(tracks.contains(track), track);
  std::set<std::string> counters;
  Count tlps = 0, packets = 0;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "C") counters.insert(event.at("name").get<std::string>());
    if (event.at("ph") == "X") tlps += event.at("cat") == "tlp", packets += event.at("cat") == "packet";
  }
  for (const char* counter : {"nic0_port.tags", "nic0.qp1.rung", "nic0.qp1.completed", "nic0.packetiser busy %"})
    CHECK_MESSAGE(counters.contains(counter), counter);
  CHECK(tlps == run.heard.tlps);
  CHECK(packets == run.heard.packets);
}

TEST_CASE("timeline: equal runs, equal bytes; whatever its limit, it is whole and says what it lacks") {
  const Exported whole = exported("timeline"), again = exported("timeline");
  CHECK(whole.file("timeline.json") == again.file("timeline.json"));
  for (const Bytes limit : {40_KiB, 4_KiB, 1_B}) {
    const Exported cut = exported("timeline", "", {.limit = limit});
    const std::string& text = cut.file("timeline.json");
    if (limit > 1_B) CHECK(static_cast<std::int64_t>(text.size()) <= limit.count());
    check_whole(Json::parse(text));
    REQUIRE(cut.left_out.size() == 1);
    CHECK(cut.left_out[0].left_out > 0);
    CHECK(cut.left_out[0].left_out <= cut.left_out[0].of);
  }
}

TEST_CASE("timeline: what overlaps has tracks beside each other, and a limit takes their names along") {
  TraceEvents events(100_KiB);
  events.process("a");
  for (int i = 0; i < 3; ++i) {
    TraceEvents::Unit unit;
    unit.slice(events.track("a", "x", 0), Picoseconds{i}, 2_ps, "s", "c", "");
    events.add(std::move(unit));
  }
  const Json trace = Json::parse(events.text({}));
  check_whole(trace);
  CHECK(names_of(trace, "thread_name") == std::set<std::string>{"x", "x (2)"});
  CHECK(events.written() == 3);
}

}  // namespace
}  // namespace gicsim::exports
