// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/base/errors.h"
#include "traces/chakra/rank.h"

namespace gicsim::chakra {

void Rank::look_for_cycles() {
  if (const std::string circle = cycles_.look(); !circle.empty())
    throw ConfigError(Location{nodes_.file()}, fmt::format("rank {}: {}", self_, circle));
  until_look_ = schedule::Source::reach / 2;
}

/// As far ahead as needs reach. A circle is found before the first of its steps is given away, if it is no longer than
/// half of that.
void Rank::fill() {
  Node node;
  while (!done_ && feed_.room()) {
    if (!nodes_.next(node)) {
      done_ = true;
      look_for_cycles();
      break;
    }
    for (const std::uint64_t need : node.needs)
      if (need == node.id) fail(node, "it needs itself");
    cycles_.add(node.id, node.name, node.needs);
    take(node);
  }
  if (!done_ && until_look_ == 0) look_for_cycles();
}

bool Rank::next(schedule::Step& step) {
  fill();
  if (feed_.empty()) return false;
  std::vector<std::uint64_t> missing;
  step = feed_.take(missing);
  if (until_look_ > 0) --until_look_;
  for (std::size_t i = 0; i < missing.size(); ++i)
    common_.unused.add(
        fmt::format("a dependency on a node that isn't among the {} steps before or behind, or not in the "
                    "file: it is left out",
                    schedule::Source::reach),
        step.place);
  return true;
}

void Rank::rewind() {
  nodes_.rewind();
  feed_ = schedule::Feed();
  cycles_ = Cycles(schedule::Source::reach);
  until_look_ = 0;
  own_groups_.clear();
  done_ = false;
}

}  // namespace gicsim::chakra
