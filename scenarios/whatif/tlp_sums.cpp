// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/tlp_sums.h"

#include <fmt/format.h>

namespace gicsim::whatif {

report::Rows chain_rows(const TlpPlayer::Spent& spent) {
  constexpr std::pair<const char*, const char*> names[] = {
      {"-", "gap"}, {"L3", "remote_read"}, {"L3", "remote_write"}, {"L3", "queued"}};
  report::Rows rows;
  for (std::size_t i = 0; i < spent.size(); ++i)
    if (spent[i] != Picoseconds{}) rows.push_back({names[i].first, names[i].second, spent[i], {}, {}});
  return rows;
}

std::vector<report::TlpClass> classes_of(const tlp::Requests& trace, const TlpPlan& plan, const TlpPlayer& player) {
  std::vector<report::TlpClass> all;
  for (std::size_t at = 0; at < trace.entries().size(); ++at) {
    const tlp::Entry& entry = trace.entries()[at];
    for (const auto& [kind, then] : entry.sums) {
      report::TlpClass one;
      one.link = trace.links()[entry.link];
      one.direction = tlp::name_of(entry.direction);
      one.requester = fmt::format("{:#06x}", entry.requester);
      one.by = name_of(plan.seat(at));
      one.type = name_of(kind);
      one.posted = flow_of(kind) == Flow::posted;
      one.captured_failed = static_cast<Count>(then.failed);
      one.captured = one.posted ? then.passed : then.answered;
      if (const auto now = player.sums().find({at, kind}); now != player.sums().end()) {
        one.n = now->second.n, one.failed = now->second.failed, one.bytes = now->second.bytes;
        one.simulated = one.posted ? now->second.passed : now->second.answered;
        one.late = now->second.late;
      }
      all.push_back(std::move(one));
    }
  }
  return all;
}

std::vector<report::TlpLink> links_of(const tlp::Requests& trace, const TlpStands& stands, const system::System& system,
                                      Picoseconds elapsed) {
  std::vector<report::TlpLink> all;
  for (const auto& [way, carried] : trace.carried()) {
    report::TlpLink& one = all.emplace_back();
    one.link = trace.links()[way.first], one.direction = tlp::name_of(way.second);
    one.as = stands.links[way.first][way.second == tlp::Direction::up ? 0 : 1];
    one.captured_tlps = static_cast<Count>(carried.tlps), one.captured_payload = carried.payload;
    system.visit_stats([&](const std::string& module, const auto& stats) {
      using S = std::remove_cvref_t<decltype(stats)>;
      if (module != one.as) return;
      if constexpr (std::is_same_v<S, pcie::LinkStats>) one.tlps = stats.tlps;
      if constexpr (std::is_same_v<S, pcie::ConduitStats>) one.tlps = stats.requests;
      if constexpr (std::is_same_v<S, pcie::LinkStats> || std::is_same_v<S, pcie::ConduitStats>) {
        one.payload = stats.payload;
        one.busy = static_cast<double>(stats.busy.count()) / static_cast<double>(elapsed.count());
      }
    });
  }
  return all;
}

}  // namespace gicsim::whatif
