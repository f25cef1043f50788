// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/json.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/scenarios/report/example.h"

namespace gicsim::report {
namespace {

using Json = nlohmann::ordered_json;

TEST_CASE("report json: fields and their order are the format's") {
  Finished run = example();
  run.results.resize(1);
  run.ledger = {run.ledger[2]};
  run.headline = Quantity::put_completion;  // not among the results: nothing to add up to
  run.delivery_path = run.completion_path = {};
  run.counters.resize(2);
  run.shares = {{"node0", 1, 0.25, 2, 0.125, 0.5}};
  run.flows = {{"gpu0-nic1", 24.5}};
  run.jain_by_ms = {0.9, 0.96};
  run.ports = {{"node0.nic0", "link_downed", "", "", 1}, {"node0.nic0.qp1", "posted", "", "", 3}};
  run.counters.push_back({"node0.nic0", "resent", "", "", 2});
  CHECK(Json::parse(json(run)).dump() ==
        R"({"schema":"gicsim.report/1","version":"0.1.0","scenario":"put_8B","system":"two_nodes",)"
        R"("seed":1,"status":"done","headline":"put_completion","results":[)" +
            to_json_line(run.results[0]) +
            R"(],"ledger":[{"layer":"L3","stage":"doorbell_flight","ps":300125,"waiting_ps":0,)"
            R"("hops":[{"at":"node0.gpu0.pcie","ps":100000},{"at":"node0.switch0","ps":200125}]}],)"
            R"("total_ps":300125,"delivery_path":[],"delivery_ps":0,"completion_path":[],)"
            R"("completion_ps":0,"bound_by":{"kind":"latency","resource":"L3.cqe_write",)"
            R"("share":0.5037,"gain":0.2519},)"
            R"("shares":[{"node":"node0","cores":1,"core_busy":0.25,"gpu_threads":2,"gpu_issuing":0.125,)"
            R"("gpu_waiting":0.5}],"flows":[{"flow":"gpu0-nic1","GB/s":24.5,"priority":0,"resent":0,"cnps":0,"lowest_gbps":null}],"jain":1.0,"jain_by_ms":[0.9,0.96],"counters":{"node0.gpu0":{"stores":3030},)"
            R"("node0.nic0":{"doorbells":1010,"resent":2}},)"
            R"("port_counters":{"node0.nic0":{"link_downed":1},"node0.nic0.qp1":{"posted":3}},)"
            R"("sent_again":{"pcie":{"count":0,"ledger_ps":0},"link":{"count":0,"ledger_ps":0},)"
            R"("transport":{"count":2,"ledger_ps":0}},"provenance":{"spec":41,"datasheet":0,"paper":0,)"
            R"("measured":0,"derived":0,"fitted":12,"claimed":0,"assumed":0,"user":0},)"
            R"("warnings":["the GPU leg is a prediction"],"diagnosis":null})");
}

TEST_CASE("report json: throughput has a utilisation, a gain that nobody measured is null") {
  Finished run = example();
  run.bound_by = Bound{true, "node0.nic0.link", 0.97, std::nullopt, ""};
  CHECK(Json::parse(json(run))["bound_by"].dump() ==
        R"({"kind":"throughput","resource":"node0.nic0.link","utilisation":0.97,"gain":null})");
}

TEST_CASE("report json: a stuck run says what waits for what") {
  Finished run = example();
  run.status = Status::stuck;
  run.diagnosis = Diagnosis{"nothing happens any more", {"poster: cqe 3"}, 12'350'000_ps};
  const Json report = Json::parse(json(run));
  CHECK(report["status"] == "stuck");
  CHECK(report["diagnosis"].dump() ==
        R"({"what":"nothing happens any more","waits_for":["poster: cqe 3"],"at_ps":12350000})");
}

TEST_CASE("report json: bytes depend on what was found, not on how long that took") {
  Finished slower = example();
  slower.wall_seconds = 99;
  slower.events = 1;
  CHECK(json(slower) == json(example()));
}

TEST_CASE("report json: an empty run is a report too") {
  CHECK(Json::parse(json(Finished{}))["bound_by"].is_null());
}

}  // namespace
}  // namespace gicsim::report
