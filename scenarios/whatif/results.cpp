// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/results.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "models/units/text.h"
#include "scenarios/whatif/keys.h"

namespace gicsim::whatif {
namespace {

Quantity headline_of(const schema::Scenario& s) {
  if (schema::streams(s) && is_gpu_probe(s.pattern)) return Quantity::bandwidth;
  switch (s.pattern) {
    case Pattern::put:
    case Pattern::put_signal:
    case Pattern::quiet: return Quantity::put_completion;
    case Pattern::get:
    case Pattern::atomic: return Quantity::completion;
    case Pattern::ping_pong: return Quantity::rtt;
    case Pattern::put_bw: return Quantity::bandwidth;
    case Pattern::message_rate: return Quantity::message_rate;
    case Pattern::launch:
    case Pattern::copy_engine: return Quantity::synced;
    case Pattern::host_store: return Quantity::issue;
    case Pattern::barrier:
    case Pattern::host_load:
    case Pattern::fence:
    case Pattern::host_atomic: return Quantity::latency;
    case Pattern::doorbell_echo:
    case Pattern::bar_ping_pong: return Quantity::rtt;
    case Pattern::bar_write: return Quantity::issue;
    case Pattern::dma_read:
    case Pattern::dma_write_read: return Quantity::latency;
    case Pattern::dma_read_bw:
    case Pattern::dma_write_bw:
    case Pattern::dma_rw_bw: return Quantity::bandwidth;
    default: break;
  }
  return Quantity::put_completion;
}

/// A message and its reply make one operation.
bool goes_both_ways(const schema::Scenario& s) {
  return s.pattern == Pattern::ping_pong || s.pattern == Pattern::bar_ping_pong;
}

std::string flow_name(const schema::Scenario& s, const schema::Lane& lane) {
  const std::string pair = "gpu" + std::to_string(lane.flow.gpu) + "-nic" + std::to_string(lane.flow.nic);
  if (s.traffic == Traffic::pair) return pair;
  const std::string nodes = "node" + std::to_string(lane.from) + "-node" + std::to_string(lane.to);
  return s.routes.size() > 1 ? nodes + " " + pair : nodes;
}

/// Of what the poster waits for.
Quantity completion_of(const schema::Scenario& s) {
  if (schema::streams(s) && is_probe(s.pattern)) return Quantity::completion;
  if (is_probe(s.pattern) || s.pattern == Pattern::barrier) return headline_of(s);
  return carries(schema::verb(s)) ? Quantity::put_completion : Quantity::completion;
}

double nanoseconds(Picoseconds t) { return static_cast<double>(t.count()) / 1000.0; }

Record record(const schema::Scenario& s, Quantity quantity, double value, std::int64_t n) {
  Record r;
  r.system = s.system.name;
  r.pattern = s.pattern;
  r.path = s.path;
  r.where = where(s);
  r.quantity = quantity;
  r.value = value;
  r.n = n;
  r.source = "gicsim";
  return r;
}

/// Something makes equal operations differ: without it a p99 would tell of nothing but the start-up.
bool spreads(const schema::Scenario& s) {
  const auto loses = [](const schema::Cable& cable) {
    const link::Errors& errors = cable.errors;
    return std::max({cable.loss, cable.ber, errors.burst.to_bad, errors.burst.loss_good}) > Probability{} ||
           cable.stress_ber || (errors.fec.code != link::FecCode::lumped && errors.fec.raw_ber > Probability{});
  };
  for (const schema::NodeSpec& node : s.system.nodes)
    for (const schema::PairSpec& pair : node.pairs)
      if (loses(pair.nic_link)) return true;
  return s.system.spread.any() || std::any_of(s.system.fabric_links.begin(), s.system.fabric_links.end(), loses);
}

void add_latency(report::Finished& finished, const schema::Scenario& s, Quantity quantity,
                 const workloads::Samples& samples) {
  if (samples.size() == 0) return;
  Record r = record(s, quantity, nanoseconds(samples.quantile(0.5)), samples.size());
  r.p50 = r.value;
  r.min = nanoseconds(samples.min());
  r.max = nanoseconds(samples.max());
  if (spreads(s)) r.p99 = nanoseconds(samples.quantile(0.99));
  finished.results.push_back(r);
}

}  // namespace

report::Finished describe_run(const schema::Scenario& s) {
  report::Finished f;
  f.scenario = s.name;
  f.about = s.about;
  f.system = s.system.name;
  f.system_about = s.system.about;
  f.system_notes = s.system.notes;
  f.warnings = s.warnings;
  f.seed = s.seed;
  f.expected = s.expect;
  f.headline = headline_of(s);
  const auto key = [&](const char* name, std::string_view value) { f.keys.emplace_back(name, std::string(value)); };
  key("system", s.system.name);
  key("pattern", to_name(s.pattern));
  key("path", to_name(s.path));
  if (s.pattern != Pattern::launch && s.pattern != Pattern::fence) key("bytes", text::write(s.bytes));
  if (s.pattern == Pattern::fence) key("stores", text::write(s.stores));
  for (const auto& [name, value] : pattern_keys(s)) key(name, value);
  for (const auto& [name, value] : path_keys(s)) key(name, value);
  for (const auto& [name, value] : load_keys(s)) key(name, value);
  if (is_gpu_probe(s.pattern) && schema::streams(s)) key("threads", text::write(s.threads)), key("sms", text::write(s.sms));
  if (!is_probe(s.pattern)) {
    if (s.flows != schema::Scenario{}.flows) key("flows", s.flows);
    key("threads", text::write(s.threads));
    key("sms", text::write(s.sms));
    key("qps", text::write(s.qps));
    if (s.path == Path::cpu_proxy) key("workers", text::write(s.workers)), key("rings", text::write(s.rings));
    key("batch", text::write(s.batch));
    if (s.load > 0) {
      key("load", text::write(s.load));
      key("load_bytes", text::write(s.load_bytes));
      key("load_gap", text::write(s.load_gap));
      key("probe", to_name(s.probe));
    }
    key("depth", text::write(s.depth));
  }
  key("iterations", text::write(s.iterations));
  key("warmup", text::write(s.warmup));
  std::set<std::tuple<std::string, std::string, Provenance>> distinct;
  for (const schema::Resolved& r : s.parameters)
    if (distinct.emplace(r.kind, r.name, r.provenance).second) ++f.provenance.count[static_cast<int>(r.provenance)];
  return f;
}

Picoseconds explained(const schema::Scenario& s, const workloads::Measured& m) {
  return (goes_both_ways(s) ? m.rtt : m.completion).quantile(0.5);
}

bool fill_results(report::Finished& f, const schema::Scenario& s, const workloads::Measured& m) {
  if (!is_gpu_probe(s.pattern) && !is_dma(s.pattern)) add_latency(f, s, Quantity::issue, m.issue);
  add_latency(f, s, is_probe(s.pattern) ? Quantity::visible : Quantity::one_way, m.one_way);
  add_latency(f, s, Quantity::flush, m.flush);
  if (s.pattern != Pattern::bar_write) add_latency(f, s, completion_of(s), m.completion);
  add_latency(f, s, Quantity::rtt, m.rtt);
  if (s.load > 0) f.results.push_back(record(s, Quantity::load_rate, m.load_rate, m.load_messages));
  if (schema::streams(s)) {
    const double ns = nanoseconds(m.window_end - m.window_begin);
    f.results.push_back(record(s, Quantity::bandwidth, static_cast<double>(m.window_bytes.count()) / ns,
                               m.window_messages));
    f.flows_to_their_end = !m.flow_ends.empty();
    for (std::size_t i = 0; s.lanes.size() > 1 && i < s.lanes.size(); ++i) {
      const double of = f.flows_to_their_end ? nanoseconds(m.flow_ends[i]) : ns;
      f.flows.push_back({flow_name(s, s.lanes[i]), static_cast<double>((s.bytes * m.flow_messages[i]).count()) / of});
    }
    f.results.push_back(record(s, Quantity::message_rate, static_cast<double>(m.window_messages) / ns * 1000.0,
                               m.window_messages));
  }
  if (s.pattern == Pattern::copy_engine || s.pattern == Pattern::bar_write)
    f.results.push_back(record(s, Quantity::bandwidth,
                               static_cast<double>((schema::both_ways(s) ? 2 : 1) * s.bytes.count()) /
                                   nanoseconds(m.completion.quantile(0.5)),
                               m.completion.size()));
  const auto* kept = m.ledgers.of(explained(s, m));
  if (!kept) return false;
  f.ledger = rows(kept->headline);
  f.delivery_path = rows(kept->delivery);
  if (!goes_both_ways(s)) f.completion_path = rows(kept->completion);
  return true;
}

namespace {

/// Who sent again: a PCIe link, a cable, or the transport.
std::pair<std::string, std::string> layer_and_stage(const Ledger::Entry& entry) {
  if (entry.stage == Stage::retransmit) {
    if (std::string_view(entry.at).ends_with(".replay")) return {"L3", "pcie_replay"};
    if (std::string_view(entry.at).ends_with(".retry")) return {"L5", "link_retry"};
  }
  return {std::string(layer_of(entry.stage)), std::string(name_of(entry.stage))};
}

}  // namespace

report::Rows rows(const Ledger& ledger) {
  report::Rows rows;
  for (const Ledger::Entry& entry : ledger.entries()) {
    const auto [layer, stage] = layer_and_stage(entry);
    if (rows.empty() || rows.back().stage != stage) rows.push_back({layer, stage, Picoseconds{}, Picoseconds{}, {}});
    rows.back().time += entry.time;
    rows.back().waiting += entry.waiting;
    rows.back().hops.push_back({entry.at, entry.time});
  }
  return rows;
}

double headline(const report::Finished& finished) {
  for (const Record& r : finished.results)
    if (r.quantity == finished.headline) return r.value;
  return 0;
}

}  // namespace gicsim::whatif
