// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "traces/schedule/source.h"

namespace gicsim::schedule {

/// Plays schedules without time: a step begins when all that it needs has ended (or begun), a receive ends with the
/// oldest message of its sender and tag. It keeps who had been heard of at each end.
struct Play {
  using Steps = std::vector<Step>;
  std::vector<std::vector<std::set<std::size_t>>> heard;  ///< by rank and step
  std::string stuck;
  std::size_t messages = 0;
  Bytes bytes{};
  std::size_t most_open = 0;  ///< receives of one rank at once

  explicit Play(const std::vector<Steps>& all) {
    struct Sent {
      Bytes bytes;
      std::set<std::size_t> heard;
    };
    std::map<std::tuple<std::size_t, std::size_t, std::int64_t>, std::deque<Sent>> under_way;
    std::vector<std::vector<bool>> begun(all.size()), ended(all.size());
    for (const Steps& steps : all) {
      begun[heard.size()].resize(steps.size());
      ended[heard.size()].resize(steps.size());
      heard.emplace_back(steps.size());
    }
    for (bool any = true; any;) {
      any = false;
      for (std::size_t r = 0; r < all.size(); ++r) {
        std::size_t open = 0;
        for (std::size_t i = 0; i < all[r].size(); ++i) {
          const Step& step = all[r][i];
          if (ended[r][i] || !(begun[r][i] || may_begin(step, begun[r], ended[r]))) continue;
          if (!begun[r][i]) {
            begun[r][i] = true;
            heard[r][i].insert(r);
            for (const Need& need : step.needs) heard[r][i].merge(std::set(heard[r][need.step]));
          }
          if (step.action == Action::recv) {
            auto& waiting = under_way[{step.peer, r, step.tag}];
            if (waiting.empty()) {
              most_open = std::max(most_open, ++open);
              continue;
            }
            if (waiting.front().bytes != step.bytes) stuck += "lengths differ; ";
            heard[r][i].merge(waiting.front().heard);
            waiting.pop_front();
          } else if (step.action == Action::send) {
            under_way[{r, step.peer, step.tag}].push_back({step.bytes, heard[r][i]});
            ++messages;
            bytes += step.bytes;
          }
          ended[r][i] = any = true;
        }
      }
    }
    for (std::size_t r = 0; r < all.size(); ++r)
      for (std::size_t i = 0; i < all[r].size(); ++i)
        if (!ended[r][i]) stuck += "rank " + std::to_string(r) + " step " + std::to_string(i) + "; ";
    for (const auto& [key, left] : under_way)
      if (!left.empty()) stuck += "a message that nobody received; ";
  }

 private:
  static bool may_begin(const Step& step, const std::vector<bool>& begun, const std::vector<bool>& ended) {
    for (const Need& need : step.needs)
      if (!(need.until == Need::Until::ended ? ended : begun)[need.step]) return false;
    return true;
  }
};

}  // namespace gicsim::schedule
