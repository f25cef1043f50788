// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/detail/ledger_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scenarios/report/detail/format.h"
#include "scenarios/report/sums.h"

namespace gicsim::report::detail {
namespace {

std::string layer_text(const std::string& layer) {
  static const std::map<std::string, std::string, std::less<>> names = {{"L1", "L1 runtime"},
                                                                        {"L2", "L2 GPU"},
                                                                        {"L3", "L3 PCIe"},
                                                                        {"L4", "L4 NIC"},
                                                                        {"L5", "L5 link"}};
  const auto found = names.find(layer);
  return found == names.end() ? layer : found->second;
}

double share_of(Picoseconds part, Picoseconds whole) {
  return whole.count() == 0
             ? 0
             : static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

std::string explained(const Finished& run) {
  const std::string quantity = words(run, run.headline);
  if (run.status != Status::done) return "Where the time went until then";
  if (!figure_explained(run))
    return "Where the time goes: completion of a message in the middle of the run";
  return fmt::format("Where the time goes: {} of the message whose total is the p50", quantity);
}

std::string table(const Rows& rows) {
  constexpr auto line = "  {:<12}{:<20}{:>14}{:>9}{:>13}{:>14}  {}";
  const Picoseconds whole = total(rows);
  std::string out =
      fmt::format(line, "layer", "stage", "time/ns", "share", "waiting/ns", "cumulative", "");
  out = out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  std::string layer;
  Picoseconds sum{};
  for (const Row& row : rows) {
    sum += row.time;
    const double share = share_of(row.time, whole);
    std::string text = fmt::format(line, row.layer == layer ? "" : layer_text(row.layer), row.stage,
                                   exact_ns(row.time), percent(share),
                                   row.waiting.count() == 0 ? "" : exact_ns(row.waiting),
                                   exact_ns(sum), bar(share, 14));
    out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
    for (const Hop& hop : row.hops)
      out += fmt::format("  {:<10}  {:<24}{:>10}\n", "", hop.at, exact_ns(hop.time));
    layer = row.layer;
  }
  return out;
}

std::string verdict(const Finished& run) {
  const std::vector<std::string> wrong = imbalances(run);
  std::string out;
  for (const std::string& what : wrong)
    out += wrapped("  DOES NOT ADD UP (a bug of gicsim): " + what, 4);
  if (!wrong.empty()) return out;
  const std::string sum = exact_ns(total(run.ledger));
  if (!figure_explained(run)) return fmt::format("  The rows add up to {} ns.\n", sum);
  return fmt::format("  The rows add up to {} ns: {}, to the picosecond.\n", sum,
                     words(run, run.headline));
}

std::string by_layer(const Rows& rows) {
  std::map<std::string, Picoseconds> layers;
  for (const Row& row : rows) layers[row.layer] += row.time;
  std::string out = heading("By layer");
  for (const auto& [layer, time] : layers) {
    const double share = share_of(time, total(rows));
    out += fmt::format("  {:<12}{:>34}{:>9}  {}\n", layer_text(layer), exact_ns(time),
                       percent(share), bar(share, 40));
  }
  return out;
}

std::string_view delivery_words(const Finished& run) {
  const std::optional<Pattern> pattern = pattern_of(run);
  if (pattern == Pattern::get) return "delivery: until the data are in own memory";
  if (pattern == Pattern::atomic) return "delivery: until the far memory is changed";
  return "delivery: until the far GPU sees the data";
}

bool same(const Row& a, const Row& b) {
  return a.layer == b.layer && a.stage == b.stage && a.time == b.time;
}

/// One row of one column: stage, time, cumulative; `sum` moves on.
std::string cell(const Row& row, Picoseconds& sum) {
  sum += row.time;
  return fmt::format("{:<22}{:>12}{:>13}", row.layer + "." + row.stage, exact_ns(row.time),
                     exact_ns(sum));
}

}  // namespace

std::string ledger_text(const Finished& run) {
  if (run.ledger.empty()) return "";
  return heading(explained(run)) + table(run.ledger) + verdict(run) + by_layer(run.ledger);
}

std::string fork_text(const Finished& run) {
  const Rows& left = run.delivery_path;
  const Rows& right = run.completion_path;
  if (left.empty() || right.empty()) return "";
  std::size_t fork = 0;
  while (fork < left.size() && fork < right.size() && same(left[fork], right[fork])) ++fork;

  std::string out = heading("Delivery and completion (stage, time/ns, cumulative)");
  Picoseconds left_sum{};
  for (std::size_t i = 0; i < fork; ++i) out += fmt::format("  {}\n", cell(left[i], left_sum));
  Picoseconds right_sum = left_sum;
  const std::string rule(47, '-');
  out += fmt::format("  {} + {}\n", rule, rule);
  out += fmt::format("  {:<47} | {}\n", delivery_words(run), "completion: until the poster knows");
  for (std::size_t i = fork; i < std::max(left.size(), right.size()); ++i) {
    std::string line = fmt::format("  {:<47} | {}", i < left.size() ? cell(left[i], left_sum) : "",
                                   i < right.size() ? cell(right[i], right_sum) : "");
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  out += fmt::format("  {:<34}{:>13} | {:<34}{:>13}\n", "delivered after", exact_ns(left_sum),
                     "completed after", exact_ns(right_sum));
  return out;
}

}  // namespace gicsim::report::detail
