// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ostream>

#include "hw_backend/core/beside.h"
#include "hw_backend/core/catalog.h"
#include "hw_backend/core/commands.h"
#include "hw_backend/core/error.h"

namespace gicsim::hw {
namespace {

/// Those asked for, in the order of the catalog; all when nothing was asked for.
std::vector<Entry> chosen(const std::vector<std::string>& keys) {
  std::vector<Entry> entries = catalog();
  for (const std::string& key : keys) {
    const auto same = [&](const Entry& e) { return e.key == key || e.group == key; };
    if (std::any_of(entries.begin(), entries.end(), same)) continue;
    std::string known;
    for (const Entry& e : entries) (known += known.empty() ? "" : ", ") += e.key;
    throw UsageError("run: no experiment '" + key + "'; there are " + known);
  }
  const auto left_out = [&](const Entry& e) {
    const auto named = [&](const std::string& key) { return e.key == key || e.group == key; };
    return !keys.empty() && std::none_of(keys.begin(), keys.end(), named);
  };
  entries.erase(std::remove_if(entries.begin(), entries.end(), left_out), entries.end());
  return entries;
}

std::map<std::string, long> grown(const std::map<std::string, long>& before, const std::map<std::string, long>& after) {
  std::map<std::string, long> by;
  for (const auto& [name, count] : after) {
    const auto was = before.find(name);
    if (const long more = count - (was == before.end() ? 0 : was->second); more > 0) by[name] = more;
  }
  return by;
}

}  // namespace

int run(const Options& options, std::ostream& progress) {
  const std::vector<Entry> entries = chosen(options.keys);
  const std::vector<Record> predicted = predictions(options.kit);
  const Machine machine = find_machine();
  Output output(machine, options);
  Session session(machine, options, output);
  const auto began = std::chrono::steady_clock::now();
  int ran = 0, failed = 0, n = 0;
  for (const Entry& e : entries) {
    ++n;
    if (const std::string why = unavailable(e, machine, options); !why.empty()) {
      output.skipped(std::string(e.key), "", why);
      progress << "gicsim hw: [" << n << '/' << entries.size() << "] " << e.key << ": skipped: " << why << '\n';
      continue;
    }
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    progress << "gicsim hw: [" << n << '/' << entries.size() << "] " << e.key << ", " << static_cast<int>(s) << " s so far" << std::endl;
    const std::map<std::string, long> before = aer_counters(machine);
    try {
      e.make()->run(session);
      ++ran;
    } catch (const HardwareError& error) {
      ++failed;
      output.skipped(std::string(e.key), "", std::string("failed: ") + error.what());
      progress << "gicsim hw: " << e.key << ": " << error.what() << '\n';
    }
    const std::map<std::string, long> after = aer_counters(machine);
    output.counters(std::string(e.key), grown(before, after), !after.empty());
  }
  output.finish();
  progress << "gicsim hw: " << ran << " experiments, " << output.records().size() << " records";
  if (failed > 0) progress << "; " << failed << " failed";
  progress << (options.out.empty() ? "" : " in " + options.out) << '\n';
  if (!options.kit.empty()) beside(predicted, output.records(), progress);
  return failed > 0 ? 1 : 0;
}

}  // namespace gicsim::hw
