// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/json.h"

#include <iterator>
#include <nlohmann/json.hpp>

#include "scenarios/report/ports.h"
#include "scenarios/report/sums.h"

namespace gicsim::report {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// The record as its own format has it; only the blanks differ.
Json results_of(const Finished& run) {
  Json list = Json::array();
  for (const Record& record : run.results) list.push_back(Json::parse(to_json_line(record)));
  return list;
}

Json rows_of(const Rows& rows) {
  Json list = Json::array();
  for (const Row& row : rows) {
    Json hops = Json::array();
    for (const Hop& hop : row.hops) hops.push_back({{"at", hop.at}, {"ps", hop.time.count()}});
    list.push_back({{"layer", row.layer},
                    {"stage", row.stage},
                    {"ps", row.time.count()},
                    {"waiting_ps", row.waiting.count()},
                    {"hops", std::move(hops)}});
  }
  return list;
}

Json bound_of(const std::optional<Bound>& bound) {
  if (!bound) return nullptr;
  return {{"kind", bound->throughput ? "throughput" : "latency"},
          {"resource", bound->resource},
          {bound->throughput ? "utilisation" : "share", bound->share},
          {"gain", or_null(bound->gain)}};
}

Json shares_of(const Finished& run) {
  Json list = Json::array();
  for (const Share& share : run.shares)
    list.push_back({{"node", share.node},
                    {"cores", share.cores},
                    {"core_busy", share.core_busy},
                    {"gpu_threads", share.gpu_threads},
                    {"gpu_issuing", share.gpu_issuing},
                    {"gpu_waiting", share.gpu_waiting}});
  return list;
}

Json flows_of(const Finished& run) {
  Json list = Json::array();
  for (const FlowShare& share : run.flows)
    list.push_back({{"flow", share.flow},
                    {"GB/s", share.bandwidth},
                    {"priority", share.priority},
                    {"resent", share.resent},
                    {"cnps", share.cnps},
                    {"lowest_gbps", or_null(share.lowest)}});
  return list;
}

Json counters_of(const Finished& run) {
  Json modules = Json::object();
  for (const Counter& counter : run.counters) modules[counter.module][counter.name] = counter.value;
  return modules;
}

Json ports_of(const Finished& run) {
  Json modules = Json::object();
  for (const Counter& counter : run.ports) modules[counter.module][counter.name] = counter.value;
  return modules;
}

Json sent_again_of(const Finished& run) {
  const SentAgain all = sent_again(run);
  const auto one = [](Count n, Picoseconds time) { return Json{{"count", n}, {"ledger_ps", time.count()}}; };
  return {{"pcie", one(all.pcie, all.pcie_time)},
          {"link", one(all.link, all.link_time)},
          {"transport", one(all.transport, all.transport_time)}};
}

Json provenance_of(const Provenances& provenance) {
  static_assert(std::size(provenance_names) == std::size(Provenances{}.count));
  Json counts = Json::object();
  for (std::size_t i = 0; i < std::size(provenance_names); ++i)
    counts[std::string(provenance_names[i])] = provenance.count[i];
  return counts;
}

Json warnings_of(const Finished& run) {
  Json list = imbalances(run);
  for (const std::string& note : run.system_notes) list.push_back(note);
  for (const std::string& warning : run.warnings) list.push_back(warning);
  return list;
}

Json diagnosis_of(const std::optional<Diagnosis>& diagnosis) {
  if (!diagnosis) return nullptr;
  return {{"what", diagnosis->what},
          {"waits_for", diagnosis->waits_for},
          {"at_ps", diagnosis->at.count()}};
}

}  // namespace

std::string json(const Finished& run) {
  const Json report = {{"schema", "gicsim.report/1"},
                       {"version", run.version},
                       {"scenario", run.scenario},
                       {"system", run.system},
                       {"seed", run.seed},
                       {"status", to_name(run.status)},
                       {"headline", to_name(run.headline)},
                       {"results", results_of(run)},
                       {"ledger", rows_of(run.ledger)},
                       {"total_ps", total(run.ledger).count()},
                       {"delivery_path", rows_of(run.delivery_path)},
                       {"delivery_ps", total(run.delivery_path).count()},
                       {"completion_path", rows_of(run.completion_path)},
                       {"completion_ps", total(run.completion_path).count()},
                       {"bound_by", bound_of(run.bound_by)},
                       {"shares", shares_of(run)},
                       {"flows", flows_of(run)},
                       {"jain", run.flows.empty() ? Json(nullptr) : Json(jain(run.flows))},
                       {"jain_by_ms", run.jain_by_ms},
                       {"counters", counters_of(run)},
                       {"port_counters", ports_of(run)},
                       {"sent_again", sent_again_of(run)},
                       {"provenance", provenance_of(run.provenance)},
                       {"warnings", warnings_of(run)},
                       {"diagnosis", diagnosis_of(run.diagnosis)}};
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gicsim::report
