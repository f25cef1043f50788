// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "scenarios/report/replay.h"

namespace gicsim::report {
namespace {

using Json = nlohmann::ordered_json;

Json rows_of(const Rows& rows) {
  Json list = Json::array();
  for (const Row& row : rows) list.push_back({{"layer", row.layer}, {"stage", row.stage}, {"ps", row.time.count()}});
  return list;
}

Json quantiles_of(const Quantiles& q, double unit) {
  const auto in = [unit](std::uint64_t value) { return static_cast<double>(value) / unit; };
  return {{"n", q.n()},           {"min", in(q.least())},  {"p10", in(q.at(0.1))}, {"p50", in(q.at(0.5))},
          {"p90", in(q.at(0.9))}, {"p99", in(q.at(0.99))}, {"max", in(q.most())}};
}

Json bound_of(const std::optional<Bound>& bound) {
  if (!bound) return nullptr;
  return {{"kind", bound->throughput ? "throughput" : "latency"},
          {"resource", bound->resource},
          {bound->throughput ? "utilisation" : "share", bound->share},
          {"gain", bound->gain ? Json(*bound->gain) : Json(nullptr)},
          {"widened", bound->widened}};
}

Json ranks_of(const Replay& r) {
  Json list = Json::array();
  for (const ReplayRank& rank : r.ranks)
    list.push_back({{"on", rank.where},
                    {"host", rank.host},
                    {"messages", rank.messages},
                    {"sent", rank.sent.count()},
                    {"compute_ps", rank.compute.count()},
                    {"ended_ps", rank.ended.count()}});
  return list;
}

Json diagnosis_of(const Replay& r) {
  if (!r.diagnosis) return nullptr;
  return {{"what", r.diagnosis->what}, {"waits_for", r.diagnosis->waits_for}, {"at_ps", r.diagnosis->at.count()}};
}

Json counters_of(const Replay& r) {
  Json modules = Json::object();
  for (const Counter& counter : r.counters) modules[counter.module][counter.name] = counter.value;
  return modules;
}

}  // namespace

std::string json(const Replay& r) {
  Json unused = Json::array(), latencies = Json::object(), ratios = Json::array();
  for (const schedule::Unused& one : r.unused)
    unused.push_back({{"why", one.why}, {"count", one.count}, {"first", one.first}});
  for (const Spread& spread : r.spreads) latencies[spread.what] = quantiles_of(spread.ps, 1000);
  for (const Ratio& ratio : r.ratios) {
    Json one = {{"from", ratio.from.count()}, {"below", ratio.to == Bytes{} ? Json(nullptr) : Json(ratio.to.count())}};
    one.update(quantiles_of(ratio.ppm, 1e6));
    ratios.push_back(std::move(one));
  }
  const Json out = {{"schema", "gicsim.replay/1"},
                    {"version", r.version},
                    {"files", r.files},
                    {"format", r.format},
                    {"system", r.system},
                    {"path", r.path},
                    {"start", r.start},
                    {"seed", r.seed},
                    {"status", to_name(r.status)},
                    {"read", r.read},
                    {"unused", std::move(unused)},
                    {"notes", r.notes},
                    {"steps", r.steps},
                    {"calcs", r.calcs},
                    {"messages", r.messages},
                    {"bytes", r.bytes.count()},
                    {"makespan_ps", r.makespan.count()},
                    {"captured_ps", r.captured ? Json(r.captured->count()) : Json(nullptr)},
                    {"path_rows", rows_of(r.path_rows)},
                    {"message_rows", rows_of(r.message_rows)},
                    {"latency_ns", std::move(latencies)},
                    {"simulated_over_captured", std::move(ratios)},
                    {"bound_by", bound_of(r.bound_by)},
                    {"busiest", {{"resource", r.busiest}, {"utilisation", r.busiest_share}}},
                    {"ranks", ranks_of(r)},
                    {"counters", counters_of(r)},
                    {"warnings", r.warnings},
                    {"diagnosis", diagnosis_of(r)}};
  return out.dump(2) + "\n";
}

}  // namespace gicsim::report
