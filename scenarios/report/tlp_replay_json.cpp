// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/tlp_replay.h"

#include <nlohmann/json.hpp>

namespace gicsim::report {
namespace {

using Json = nlohmann::ordered_json;

Json times_of(const Quantiles& q) {
  if (q.n() == 0) return nullptr;
  const auto ns = [](std::uint64_t ps) { return static_cast<double>(ps) / 1000; };
  return {{"n", q.n()}, {"min", ns(q.least())}, {"p50", ns(q.at(0.5))}, {"p99", ns(q.at(0.99))}, {"max", ns(q.most())}};
}

Json counts_of(const std::vector<std::pair<std::string, Count>>& pairs, const char* name) {
  Json list = Json::array();
  for (const auto& [what, n] : pairs) list.push_back({{name, what}, {"count", n}});
  return list;
}

Json kinds_of(const TlpReplay& r) {
  Json list = Json::array();
  for (const TlpClass& one : r.classes)
    list.push_back({{"link", one.link},
                    {"direction", one.direction},
                    {"requester", one.requester},
                    {"by", one.by},
                    {"type", one.type},
                    {"n", one.n},
                    {"bytes", one.bytes.count()},
                    {"failed", one.failed},
                    {"captured_failed", one.captured_failed},
                    {"captured_ns", times_of(one.captured)},
                    {"simulated_ns", times_of(one.simulated)},
                    {"late_ns", times_of(one.late)}});
  return list;
}

Json carried_of(const TlpReplay& r) {
  Json list = Json::array();
  for (const TlpLink& one : r.links)
    list.push_back({{"link", one.link},
                    {"direction", one.direction},
                    {"as", one.as.empty() ? Json(nullptr) : Json(one.as)},
                    {"captured_tlps", one.captured_tlps},
                    {"captured_payload", one.captured_payload.count()},
                    {"tlps", one.tlps},
                    {"payload", one.payload.count()},
                    {"busy", one.busy}});
  return list;
}

Json binding_of(const std::optional<Bound>& bound) {
  if (!bound) return nullptr;
  return {{"kind", bound->throughput ? "throughput" : "latency"},
          {"resource", bound->resource},
          {bound->throughput ? "utilisation" : "share", bound->share},
          {"gain", bound->gain ? Json(*bound->gain) : Json(nullptr)},
          {"widened", bound->widened}};
}

}  // namespace

std::string json(const TlpReplay& r) {
  Json rows = Json::array(), modules = Json::object(), diagnosis = nullptr;
  for (const Row& row : r.path_rows)
    rows.push_back({{"layer", row.layer}, {"stage", row.stage}, {"ps", row.time.count()}});
  for (const Counter& counter : r.counters) modules[counter.module][counter.name] = counter.value;
  if (r.diagnosis)
    diagnosis = {
        {"what", r.diagnosis->what}, {"waits_for", r.diagnosis->waits_for}, {"at_ps", r.diagnosis->at.count()}};
  const Json out = {{"schema", "gicsim.tlp_replay/1"},
                    {"version", r.version},
                    {"files", r.files},
                    {"format", r.format},
                    {"system", r.system},
                    {"start", r.start},
                    {"seed", r.seed},
                    {"status", to_name(r.status)},
                    {"requests", r.requests},
                    {"unanswered", r.unanswered},
                    {"unused", counts_of(r.unused, "why")},
                    {"failures", counts_of(r.failures, "how")},
                    {"notes", r.notes},
                    {"makespan_ps", r.makespan.count()},
                    {"captured_ps", r.captured.count()},
                    {"path_rows", std::move(rows)},
                    {"classes", kinds_of(r)},
                    {"links", carried_of(r)},
                    {"bound_by", binding_of(r.bound_by)},
                    {"busiest", {{"resource", r.busiest}, {"utilisation", r.busiest_share}}},
                    {"counters", std::move(modules)},
                    {"warnings", r.warnings},
                    {"diagnosis", std::move(diagnosis)}};
  return out.dump(2) + "\n";
}

}  // namespace gicsim::report
