// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/base/errors.h"
#include "scenarios/catalog/catalog.h"
#include "scenarios/schema/block.h"
#include "scenarios/schema/hint.h"
#include "traces/result/names.h"

namespace gicsim::catalog {
namespace {

using schema::Field;

/// What makes a pattern's first run worth looking at; the default elsewhere.
std::string first_value(const Field& field, Pattern pattern) {
  if (field.name == "pattern") return std::string(to_name(pattern));
  if (field.name == "path" && pattern == Pattern::doorbell_echo) return std::string(to_name(Path::gpu_direct));
  if (field.name == "path" && is_probe(pattern)) return std::string(to_name(Path::none));
  if (field.name == "about") return "'" + std::string(to_name(pattern)) + ": what this run asks'";
  if (field.name == "system") return is_dma(pattern) ? "hsw_nfp6000" : "h200_cx7_ib";
  if (field.name == "bytes" && pattern == Pattern::put_bw) return "64 KiB";
  if (field.name == "qps" && pattern == Pattern::quiet) return "16";
  if ((field.name == "threads" || field.name == "qps") && pattern == Pattern::message_rate) return "16";
  if (field.name == "payload" && (pattern == Pattern::put_bw || pattern == Pattern::get || pattern == Pattern::atomic ||
                                  pattern == Pattern::barrier))
    return "read";
  if (!field.choices.empty() && field.default_text.empty()) return field.choices.front();
  return field.example;
}

std::string wrapped(const std::string& text) {
  std::string lines = "\n#";
  std::size_t column = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (column + 1 + end - at > 98) {
      lines += "\n#";
      column = 1;
    }
    lines += " " + text.substr(at, end - at);
    column += 1 + end - at;
    at = end + 1;
  }
  return lines + "\n";
}

}  // namespace

std::string new_scenario(const std::string& pattern) {
  const auto names = names_of(Pattern{});
  for (std::size_t i = 0; i < simulated_patterns; ++i) {
    if (names[i] != pattern) continue;
    std::string text =
        "# A scenario: gicsim run THIS_FILE. What is commented out shows its default.\n"
        "# Counts are bare numbers; everything else carries its unit (8 B, 15 ns, 400 Gbps).\n";
    for (const Field& field : schema::scenario_block().fields) {
      if (field.name == "name") continue;
      std::string note(field.sentence);
      if (!field.choices.empty()) note += "; one of " + schema::listed(field.choices);
      if (!field.bounds.empty()) note += "; " + field.bounds;
      const bool shown = field.source.by_part || field.name == "about" || field.name == "bytes";
      text += wrapped(note) + (shown ? "" : "# ") + std::string(field.name) + ": " +
              first_value(field, static_cast<Pattern>(i)) + "\n";
    }
    return text +
           "\n# Parameters of the system, by their names in `gicsim params`:\n"
           "# nic.x is every NIC's, node1.nic0.x that one's, nic.pcie.x all NICs' PCIe links'.\n"
           "# set:\n"
           "#   pcie.lanes: 8\n"
           "#   nic.decode: 80 ns\n"
           "#   switch.latency: {is: 140 ns, measured: 'where and how'}\n";
  }
  const std::vector<std::string> all(names.begin(), names.end());
  throw ConfigError({"new " + pattern, 0, 0}, "no such pattern" +
                                                  schema::did_you_mean(pattern, all) +
                                                  "; there are " + schema::listed(all));
}

}  // namespace gicsim::catalog
