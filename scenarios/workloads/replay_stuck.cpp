// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "models/base/errors.h"
#include "scenarios/workloads/replay.h"
#include "scenarios/workloads/replay_parts.h"

/// Why a replay can't go on.
namespace gicsim::workloads {
namespace {

using schedule::Action;
using schedule::Need;

constexpr std::size_t most_lines = 16;

std::string words_for(const schedule::Step& step) {
  std::string words(name_of(step.action));
  if (!step.name.empty()) words += " '" + step.name + "'";
  if (step.action == Action::recv)
    words += step.peer == schedule::any_rank ? " from any rank" : " from rank " + std::to_string(step.peer);
  else if (step.action != Action::calc)
    words += " to rank " + std::to_string(step.peer);
  if (step.action == Action::recv && step.tag == schedule::any_tag) return words + ", any tag";
  if (step.action == Action::recv || step.action == Action::send) words += ", tag " + std::to_string(step.tag);
  return words;
}

}  // namespace

std::vector<std::string> Replay::waiting() const {
  std::vector<std::string> lines;
  for (const auto& rank : ranks_)
    for (const Open& open : rank->open) {
      if (open.ended || open.missing > 0) continue;
      if (lines.size() == most_lines) {
        lines.emplace_back("and others");
        return lines;
      }
      std::string line = "rank " + std::to_string(rank->number) + ": " + words_for(open.step) + " (" +
                         to_text(source_.location(rank->number, open.step)) + ")";
      if (open.step.action == Action::recv)
        line += " waits for a message that nobody sends";
      else
        line += open.started ? " isn't complete" : " waits for its connection's thread";
      lines.push_back(std::move(line));
    }
  for (const auto& rank : ranks_)
    if (!rank->ahead.empty())
      lines.push_back("rank " + std::to_string(rank->number) +
                      ": a step needs another that stands further ahead than the " +
                      std::to_string(options_.look_ahead) + " which are held");
  return lines;
}

/// Follows, from a step that waits, one of those that it waits for, until one comes again.
std::vector<std::string> Replay::circle(Location& at) const {
  for (const auto& rank : ranks_) {
    std::map<std::uint64_t, std::uint64_t> waits_for;
    for (const Open& open : rank->open)
      for (const auto& [who, until] : open.dependents)
        if (!open.begun) waits_for.emplace(who, open.step.number);
    std::map<std::uint64_t, std::uint64_t> visited;  // by step: from which begin
    for (const auto& [begin, next] : waits_for) {
      std::uint64_t step = begin;
      while (waits_for.count(step) != 0 && visited.emplace(step, begin).second) step = waits_for.at(step);
      const auto seen = visited.find(step);
      if (seen == visited.end() || seen->second != begin) continue;
      std::vector<std::string> names;
      std::uint64_t member = step;
      do {
        const schedule::Step& one = rank->open[member - rank->first].step;
        names.push_back(words_for(one) + " (" + to_text(source_.location(rank->number, one)) + ")");
        member = waits_for.at(member);
      } while (member != step);
      at = source_.location(rank->number, rank->open[step - rank->first].step);
      return names;
    }
  }
  return {};
}

}  // namespace gicsim::workloads
