// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/nsight.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/base/errors.h"
#include "traces/profile/detail/nsight_process.h"

namespace gicsim::profile {
namespace {

using detail::Database;
using detail::ProcessKey;

bool is_export(const Database& database) {
  return database.has("META_DATA_EXPORT") || database.has("CUPTI_ACTIVITY_KIND_KERNEL") ||
         (database.has("StringIds") && database.has("NVTX_EVENTS"));
}

std::string value_of(Database& database, const char* table, const char* name) {
  if (!database.has(table, {"name", "value"})) return {};
  Database::Rows rows(database,
                      fmt::format("SELECT value FROM {} WHERE name = '{}' COLLATE NOCASE LIMIT 1", table, name));
  return rows.next() ? rows.text(0) : std::string();
}

std::vector<ProcessKey> processes_of(Database& database) {
  std::set<std::pair<std::int64_t, ProcessKey>> found;  // by GPU
  const bool device = database.has("CUPTI_ACTIVITY_KIND_KERNEL", {"deviceId"});
  const bool process = database.has("CUPTI_ACTIVITY_KIND_KERNEL", {"globalPid"});
  Database::Rows rows(database, fmt::format("SELECT min({0}), {1} FROM CUPTI_ACTIVITY_KIND_KERNEL GROUP BY {2}",
                                            device ? "deviceId" : "0", process ? "globalPid" : "NULL",
                                            process  ? "globalPid"
                                            : device ? "deviceId"
                                                     : "NULL"));
  while (rows.next())
    found.emplace(rows.integer(0).value_or(0), ProcessKey{rows.integer(1), process ? std::nullopt : rows.integer(0)});
  std::vector<ProcessKey> keys;
  for (const auto& [gpu, key] : found) keys.push_back(key);
  return keys;
}

/// Samples of NICs and GPUs, in a few words.
void tell_metrics(Database& database, Common& common) {
  if (database.has("NET_NIC_METRIC", {"value", "metricsListId", "metricsIdx"}) &&
      database.has("TARGET_INFO_NETWORK_METRICS", {"metricsListId", "metricsIdx", "name", "unit"})) {
    const std::string nic = database.has("NET_NIC_METRIC", {"globalId"}) ? "m.globalId" : "0";
    Database::Rows rows(
        database,
        fmt::format("SELECT {0}, i.name, i.unit, count(*), sum(m.value), max(m.value) FROM NET_NIC_METRIC m JOIN "
                    "TARGET_INFO_NETWORK_METRICS i ON i.metricsListId = m.metricsListId AND i.metricsIdx = "
                    "m.metricsIdx GROUP BY {0}, i.name, i.unit ORDER BY 1, 2 LIMIT 64",
                    nic));
    while (rows.next())
      common.notes.add(fmt::format("NIC {:x}, {} ({}): {} samples, sum {}, most {}", rows.integer(0).value_or(0),
                                   rows.text(1), rows.text(2), rows.integer(3).value_or(0), rows.text(4),
                                   rows.text(5)));
  }
  for (const char* table : {"GPU_METRICS", "NET_NIC_METRIC"})
    if (database.has(table)) common.notes.add(fmt::format("{}: samples aren't replayed", table));
}

}  // namespace

bool looks_like_sqlite(std::string_view head) { return head.starts_with(std::string_view("SQLite format 3\0", 16)); }

bool is_nsight(const std::string& file) {
  try {
    return is_export(Database(file));
  } catch (const ConfigError&) {
    return false;
  }
}

std::unique_ptr<schedule::Source> open_nsight(const std::vector<std::string>& files) {
  auto common = std::make_shared<Common>();
  auto members = std::make_shared<detail::Members>();
  std::vector<std::unique_ptr<detail::NsightProcess>> processes;
  std::vector<std::string> hosts, where;
  bool communicators = true;
  for (const std::string& file : files) {
    Database database(file);
    if (!is_export(database))
      throw ConfigError(
          Location{file},
          "no export of Nsight Systems (nsys export --type sqlite): it has no META_DATA_EXPORT, and no kernels");
    if (!database.has("CUPTI_ACTIVITY_KIND_KERNEL", {"start", "end"}))
      throw ConfigError(Location{file},
                        "no kernels are in it: CUPTI_ACTIVITY_KIND_KERNEL (nsys profile --trace cuda,nvtx)");
    const std::string version = value_of(database, "META_DATA_EXPORT", "EXPORT_SCHEMA_VERSION");
    common->notes.add(version.empty() ? "the export doesn't say its schema's version" : "export schema " + version);
    tell_metrics(database, *common);
    const std::string host = value_of(database, "TARGET_INFO_SYSTEM_ENV", "Hostname");
    for (const ProcessKey& key : processes_of(database)) {
      auto process = std::make_unique<detail::NsightProcess>(file, key);
      const auto known = process->communicators();
      communicators = communicators && !known.empty();
      for (const auto& [name, range] : known)
        members->add(processes.size(), name, *range.number("rank"), range.number("nranks"));
      processes.push_back(std::move(process));
      hosts.push_back(host);
    }
  }
  if (processes.empty()) throw ConfigError(Location{files.at(0)}, "no process of it ran a kernel");
  std::vector<std::size_t> order(processes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (communicators) {
    members->settle(common->groups);
    if (members->count() == order.size())
      for (std::size_t rank = 0; rank < order.size(); ++rank) order[rank] = members->file_of(rank);
  } else {
    common->notes.add("which process is which rank isn't said: they are in the order of the files, and of their GPUs");
    members = std::make_shared<detail::Members>();
  }
  common->notes.add("what ended last before a kernel began on an idle stream is what it waited for");
  std::vector<std::unique_ptr<Reader>> ranks;
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
    auto& process = processes[order[rank]];
    process->link(rank, members, common);
    ranks.push_back(std::move(process));
    if (!hosts[order[rank]].empty()) where.push_back(hosts[order[rank]]);
  }
  if (where.size() != ranks.size()) where.clear();
  return std::make_unique<Profile>("Nsight Systems (SQLite)", common, std::move(ranks), std::move(where));
}

}  // namespace gicsim::profile
