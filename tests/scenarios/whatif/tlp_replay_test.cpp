// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/tlp_replay.h"

#include <doctest/doctest.h>

#include <sstream>

#include "tests/traces/export/support.h"
#include "traces/tlp/log.h"

namespace gicsim {
namespace {

using exports::exported;

/// A log in memory.
class Held final : public tlp::Source {
 public:
  explicit Held(const std::string& text) : in_(text), log_(in_, "t.tsv") {}
  bool next(tlp::Record& record) override { return log_.next(record); }
  std::string note() const override { return log_.note(); }
  std::string format() const override { return log_.format(); }

 private:
  std::istringstream in_;
  tlp::Log log_;
};

whatif::ReplayRequest request(const char* system = "h200_cx7_ib", std::vector<schema::Override> sets = {}) {
  whatif::ReplayRequest request;
  request.files = {"t.tsv"};
  request.gain = false;
  request.set = std::move(sets);
  request.set.push_back({"system", system});
  return request;
}

report::TlpReplay play(const std::string& log, const whatif::ReplayRequest& how = request()) {
  return whatif::replay_tlps([&] { return std::make_unique<Held>(log); }, how, source_root());
}

/// When what went over which link, from the first TLP on; tags are the port's own choice.
std::vector<std::string> traffic(const std::string& log) {
  Held held(log);
  std::vector<std::string> lines;
  std::optional<Picoseconds> first;
  for (tlp::Record r; held.next(r);) {
    if (!first) first = r.begin;
    lines.push_back(std::to_string((r.begin - *first).count()) + " " + r.link + " " +
                    std::string(tlp::name_of(r.direction)) + " " + std::string(tlp::type_of(r)) + " " +
                    std::to_string(r.address) + " " + std::to_string(r.length.count()) + (r.relaxed ? " RO" : ""));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string made_again(const std::string& log, whatif::ReplayRequest how) {
  const auto exporters = exports::make_exporters("tlp", {});
  how.exporters = {exporters.front().get()};
  const report::TlpReplay replay = play(log, how);
  CHECK(replay.status == Status::done);
  CHECK(report::total(replay.path_rows) == replay.makespan);
  return exporters.front()->files().front().second;
}

TEST_CASE("tlp replay: on the machine that it was taken from, every TLP goes over every link at the same picosecond") {
  for (const char* differs : {"", "payload: read\nbytes: 64 KiB\n",
                              "pattern: put_bw\npayload: read\nbytes: 4 KiB\niterations: 40\nbatch: 4\n",
                              "path: cpu_proxy\nqueues: host\n"}) {
    CAPTURE(std::string(differs));
    const std::string log = exported("tlp", differs).file("tlps.tsv");
    for (const auto start :
         {workloads::ReplayOptions::Start::captured, workloads::ReplayOptions::Start::dependencies}) {
      whatif::ReplayRequest how = request();
      how.options.start = start;
      const auto played = traffic(made_again(log, how)), captured = traffic(log);
      REQUIRE(played.size() == captured.size());
      const auto apart = std::mismatch(played.begin(), played.end(), captured.begin());
      if (apart.first != played.end()) FAIL_CHECK(*apart.first << " was captured as " << *apart.second);
    }
  }
}

TEST_CASE("tlp replay: what was captured stands beside what is simulated, by requester and kind") {
  const std::string log = exported("tlp", "payload: read\n").file("tlps.tsv");
  const report::TlpReplay replay = play(log);
  CHECK(replay.captured == replay.makespan);
  REQUIRE(replay.classes.size() == 4);
  const auto reads =
      std::find_if(replay.classes.begin(), replay.classes.end(), [](const auto& one) { return one.type == "MRd"; });
  REQUIRE(reads != replay.classes.end());
  CHECK(reads->by == "node0.nic0");
  CHECK(reads->n == 14);
  CHECK(reads->captured.n() == 14);
  CHECK(reads->captured.most() == reads->simulated.most());
  REQUIRE(replay.links.size() == 6);
  for (const report::TlpLink& link : replay.links) {
    CHECK(link.tlps == link.captured_tlps);
    CHECK(link.payload == link.captured_payload);
  }
}

TEST_CASE(
    "tlp replay: on another machine other times: what waited for an answer comes later, what began by itself doesn't") {
  const std::string log = exported("tlp", "payload: read\nbytes: 64 KiB\n").file("tlps.tsv");
  const report::TlpReplay same = play(log), narrow = play(log, request("h200_cx7_ib", {{"nic.pcie.lanes", "4"}}));
  CHECK(narrow.makespan > same.makespan);
  whatif::ReplayRequest fixed = request("h200_cx7_ib", {{"nic.pcie.lanes", "4"}});
  fixed.options.start = workloads::ReplayOptions::Start::captured;
  const report::TlpReplay captured = play(log, fixed);
  CHECK(captured.makespan < narrow.makespan);
  const auto late = [](const report::TlpReplay& replay) {
    std::uint64_t most = 0;
    for (const report::TlpClass& one : replay.classes) most = std::max(most, one.late.most());
    return most;
  };
  CHECK(late(captured) > 0);
}

TEST_CASE("tlp replay: equal runs give equal bytes") {
  const std::string log = exported("tlp").file("tlps.tsv");
  CHECK(report::json(play(log)) == report::json(play(log)));
  CHECK(report::text(play(log)) == report::text(play(log)));
}

constexpr const char* header =
    "# gicsim.tlp_log/1\n"
    "time_ns\tlink\tdirection\ttype\trequester\ttag\taddress\tlength\tlast\tstage\tsent_ns\tflags\n";
constexpr const char* foreign_read = "1.000\t0000:3b:00.0\tup\tMRd\t0x3b00\t7\t0x12345fc0\t64\t1\t-\t1.500\t-\n";

TEST_CASE("tlp replay: another machine's link is a device's of this one, and goes to memory") {
  const report::TlpReplay replay = play(header + std::string(foreign_read));
  CHECK(replay.status == Status::done);
  CHECK(replay.unanswered == 1);
  REQUIRE(replay.classes.size() == 1);
  CHECK(replay.classes[0].by == "node0.nic0");
  CHECK(replay.classes[0].captured.n() == 0);
  CHECK(replay.classes[0].simulated.n() == 1);
  whatif::ReplayRequest mapped = request();
  mapped.map = "0000:3b:00.0=node1.gpu2";
  CHECK(play(header + std::string(foreign_read), mapped).classes.at(0).by == "node1.gpu2");
}

TEST_CASE("tlp replay: mistakes say what to write") {
  const auto said = [](const std::string& log, const whatif::ReplayRequest& how) {
    try {
      play(log, how);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string put = exported("tlp").file("tlps.tsv");
  CHECK(holds(said(put, request("h200_host")), "h200_host has no node0.nic0"));
  CHECK(holds(said(put, request("h200_cx7_ib", {{"system.nodes", "1"}})), "the trace's links are of 2 nodes"));
  CHECK(holds(said(header, request()), "without a request to play"));
  whatif::ReplayRequest map = request();
  map.map = "node9.nic0_pcie=node0.nic0";
  CHECK(holds(said(put, map), "is no link of the trace; it has node0.gpu0_pcie"));
  map.map = "node0.nic0_pcie=there";
  CHECK(holds(said(put, map), "'there' is no device"));
  CHECK(holds(
      said(header + std::string("1.000\tnode0.switch0_pcie\tup\tMWr\t0x0002\t-\t0x40\t8\t1\t-\t1.500\t-\n"), request()),
      "no device is known below it"));
  std::string two = foreign_read;
  two.replace(two.find("3b"), 2, "3c");
  CHECK(holds(said(header + std::string(foreign_read) + two, request()), "the trace has several links"));
}

TEST_CASE("tlp replay: requests that nobody answers with success are told, and end") {
  std::string gone = "1.000\tnode0.nic0_pcie\tup\tMRd\t0x0002\t7\t0x7fff00000000\t64\t1\t-\t1.500\t-\n";
  const report::TlpReplay replay = play(header + gone);
  CHECK(replay.status == Status::done);
  REQUIRE(replay.failures.size() == 1);
  CHECK(replay.failures[0].second == 1);
}

}  // namespace
}  // namespace gicsim
