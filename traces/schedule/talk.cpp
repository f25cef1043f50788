// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/talk.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gicsim::schedule {
namespace {

void note_times(Talk& talk, const Step& step) {
  if (step.began) {
    talk.first = talk.began ? std::min(talk.first, *step.began) : *step.began;
    talk.last = std::max(talk.last, *step.began);
    talk.began = true;
  }
  if (step.ended) {
    talk.last = std::max(talk.last, *step.ended);
    talk.ended = true;
  }
}

}  // namespace

Talk listen(Source& source, const std::function<void()>& tell) {
  Talk talk;
  const auto ranks = static_cast<std::uint32_t>(source.ranks());
  // In turns: sources whose ranks are mixed in one file hold only what lies between them.
  constexpr std::size_t turn = 1024;
  std::vector<bool> whole(ranks);
  Step step;
  bool idle = false;  // nobody had a step without holding more
  for (std::size_t left = ranks; left > 0;) {
    const std::uint64_t before = talk.steps;
    const bool blocked = std::exchange(idle, true);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      for (std::size_t i = 0; i < turn && !whole[rank]; ++i) {
        if (!blocked && !source.ready(rank)) break;
        if (!source.next(rank, step)) {
          whole[rank] = true;
          idle = false;
          --left;
          break;
        }
        ++talk.steps;
        ++talk.actions[static_cast<std::size_t>(step.action)];
        note_times(talk, step);
        if (step.action == Action::calc) continue;
        const bool any = step.action == Action::recv && step.peer == any_rank;
        talk.any_source += any;
        if (any) continue;
        if (step.peer >= ranks)
          throw ConfigError(source.location(rank, step),
                            std::string(name_of(step.action)) + ": there is no rank " + std::to_string(step.peer) +
                                "; the trace has 0 to " + std::to_string(ranks - 1));
        if (step.peer == rank) continue;
        const bool receives = step.action == Action::recv;
        Talk::Sum& sum = talk.pairs[receives ? std::pair{step.peer, rank} : std::pair{rank, step.peer}];
        if (receives) {
          ++sum.receives;
          continue;
        }
        ++sum.messages;
        sum.bytes += step.bytes;
        talk.longest = std::max(talk.longest, step.bytes);
      }
      if (tell) tell();
    }
    idle = idle && talk.steps == before;
  }
  source.rewind();
  return talk;
}

}  // namespace gicsim::schedule
