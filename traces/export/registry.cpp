// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/registry.h"

#include <algorithm>

#include "models/base/errors.h"
#include "traces/export/dmon.h"
#include "traces/export/hops.h"
#include "traces/export/metrics.h"
#include "traces/export/nettlp.h"
#include "traces/export/packets.h"
#include "traces/export/schedule.h"
#include "traces/export/timeline.h"
#include "traces/export/tlp.h"
#include "traces/export/vcd.h"

namespace gicsim::exports {
namespace {

template <class E>
std::unique_ptr<Exporter> made(const Options& options) {
  return std::make_unique<E>(options);
}

constexpr Entry entries[] = {
    {"timeline", "what Perfetto and chrome://tracing open: timeline.json", made<Timeline>},
    {"hops", "messages, their stages, TLPs and packets in SQLite: hops.sqlite", made<Hops>},
    {"dmon", "GPUs as `nvidia-smi dmon` prints them: dmon.node0.txt ..", made<Dmon>},
    {"metrics", "counters of ports and queue pairs as OpenMetrics: metrics.txt", made<Metrics>},
    {"vcd", "signals for GTKWave, those of --signals: signals.vcd", made<Vcd>},
    {"tlp", "every TLP, a line each: tlps.tsv", made<TlpExporter>},
    {"schedule", "what each thread sent and waited for, to be replayed: schedule.jsonl", made<ScheduleExporter>},
    {"goal", "the same as GOAL: schedule.goal", made<GoalExporter>},
    {"pcapng", "the packets at each NIC's port: packets.pcapng (InfiniBand: packets.erf.pcapng)", made<PcapWriter>},
    {"nettlp", "every TLP as a NetTLP adapter sends it: nettlp.pcap, nettlp.hosts", made<NetTlp>},
};

std::vector<std::string_view> parts(std::string_view list) {
  std::vector<std::string_view> found;
  for (;;) {
    const std::size_t comma = list.find(',');
    std::string_view part = list.substr(0, comma);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (std::find(found.begin(), found.end(), part) == found.end()) found.push_back(part);
    if (comma == list.npos) return found;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

std::span<const Entry> registry() { return entries; }

std::string names() {
  std::string list;
  for (const Entry& entry : entries) list += (list.empty() ? "" : ", ") + std::string(entry.name);
  return list;
}

std::vector<std::unique_ptr<Exporter>> make_exporters(std::string_view list, const Options& options) {
  std::vector<std::unique_ptr<Exporter>> all;
  std::string unknown;
  for (const std::string_view name : parts(list)) {
    const auto* entry = std::find_if(std::begin(entries), std::end(entries), [&](const Entry& e) { return e.name == name; });
    if (entry != std::end(entries)) all.push_back(entry->make(options));
    else unknown += (unknown.empty() ? "'" : ", '") + std::string(name) + "'";
  }
  if (!unknown.empty())
    throw ConfigError(Location{"gicsim"}, "--export: " + unknown + ": no such export; there are " + names());
  return all;
}

}  // namespace gicsim::exports
