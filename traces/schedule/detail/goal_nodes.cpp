// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/detail/goal_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace gicsim::schedule {
namespace {

constexpr std::size_t most_ahead = 1 << 20;
constexpr std::uint32_t any = std::numeric_limits<std::uint32_t>::max();

}  // namespace

unsigned char Octets::octet() {
  if (used_ == buffer_.size()) {
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size_, end_ - at_)));
    buffer_.resize(file_.read(at_, buffer_.data(), buffer_.size()));
    if (buffer_.empty())
      throw ConfigError(Location{file_.name()}, fmt::format("byte {}: the file ends here; it was cut off", at_));
    at_ += buffer_.size();
    used_ = 0;
  }
  return static_cast<unsigned char>(buffer_[used_++]);
}

std::uint64_t Octets::number(std::size_t octets) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < octets; ++i) value |= std::uint64_t{octet()} << 8 * i;
  return value;
}

void GoalNodes::fail(std::uint64_t at, const std::string& what) const {
  throw ConfigError(Location{file_.name()}, fmt::format("byte {}: rank {}: {}", at, rank_, what));
}

GoalNodes::GoalNodes(File& file, std::uint64_t at, std::uint64_t end, std::size_t rank, std::size_t ranks,
                     std::size_t buffer, GoalTally& tally)
    : file_(file), rank_(rank), ranks_(ranks), tally_(tally) {
  Octets head(file, at, end, 8);
  nodes_ = head.number(4);
  const std::uint64_t roots = head.number(4), begin = at + 8 + 4 * roots;
  const auto fits = [&](std::uint64_t size) {
    return begin + nodes_ * size <= end && (end - begin - nodes_ * size) % 4 == 0;
  };
  const auto edges = [&](std::uint64_t size) {  // by the last node
    if (nodes_ == 0) return std::uint64_t{0};
    Octets last(file, begin + (nodes_ - 1) * size + 23, end, 16);
    last.number(8);
    const std::uint64_t count = last.number(4);
    return count + last.number(4);
  };
  const auto is = [&](std::uint64_t size) { return fits(size) && edges(size) * 4 == end - begin - nodes_ * size; };
  if (!is(node_size)) {
    if (is(node_size_2)) fail(at, "written by LogGOPSim2, whose nodes take 104 B; give the text that it was made of");
    fail(at, fmt::format("{} nodes and {} that begin don't make up its {} B; give the text that it was made of", nodes_,
                         roots, end - at));
  }
  parts_.emplace_back(file, begin, begin + nodes_ * node_size, buffer);
  parts_.emplace_back(file, begin + nodes_ * node_size, end, buffer);
}

/// The next `count` of the list need node `number`.
void GoalNodes::add_needs(std::uint64_t number, std::uint64_t count, Need::Until until, std::uint64_t at) {
  listed_ += count;
  for (; count > 0; --count) {
    const std::uint64_t who = parts_[1].number(4);
    if (who >= nodes_) fail(at, fmt::format("node {} of {} needs node {}", who, nodes_, number));
    if (who == number) fail(at, fmt::format("node {} needs itself and would never begin", number));
    if (who < first()) fail(at, fmt::format("node {} names more needs than it has", who));
    if (who < read_) {
      held_[who - first()].step.needs.push_back({number, until});
    } else {
      if (++ahead_count_ > most_ahead) fail(at, fmt::format("more than {} needs of nodes further on", most_ahead));
      ahead_[who].push_back({number, until});
    }
  }
}

void GoalNodes::read_node() {
  Octets& in = parts_[0];
  Held held;
  Step& step = held.step;
  step.place = in.at();
  step.number = read_;
  held.expected = in.number(4);
  const std::uint64_t type = in.number(1), peer = in.number(4), size = in.number(8), tag = in.number(4);
  const std::uint64_t cpu = in.number(1), nic = in.number(1);
  if (type < 1 || type > 3) fail(step.place, fmt::format("operation {}; send is 1, recv 2, calc 3", type));
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  if (size > (type == 3 ? most / 1000 : most / 8)) fail(step.place, fmt::format("a size of {}", size));
  if (type == 3) {
    step.time = Picoseconds{static_cast<std::int64_t>(size) * 1000};
    step.lane = static_cast<std::uint32_t>(cpu);
  } else {
    step.action = type == 1 ? Action::send : Action::recv;
    step.bytes = Bytes{static_cast<std::int64_t>(size)};
    if (peer >= ranks_ && !(type == 2 && peer == any)) fail(step.place, fmt::format("rank {} of {}", peer, ranks_));
    step.peer = peer == any ? any_rank : static_cast<std::uint32_t>(peer);
    step.tag = tag == any && type == 2 ? any_tag : static_cast<std::int64_t>(tag);
    step.lane = static_cast<std::uint32_t>(nic);
    if (cpu > 0 && tally_.cores++ == 0) tally_.first_core = step.place;
  }
  if (const auto needs = ahead_.extract(read_)) {
    ahead_count_ -= needs.mapped().size();
    step.needs = needs.mapped();
  }
  const std::uint64_t number = read_++, place = step.place;
  held_.push_back(std::move(held));
  for (const Need::Until until : {Need::Until::ended, Need::Until::started}) {
    const std::uint64_t count = in.number(4), index = in.number(4);
    if (index != listed_ && count > 0)
      fail(place, fmt::format("its list begins at {}, expected was {}", index, listed_));
    add_needs(number, count, until, place);
  }
}

bool GoalNodes::next(Step& step) {
  if (held_.empty() && read_ == nodes_) return false;
  while (held_.empty() || held_.front().step.needs.size() < held_.front().expected) {
    if (read_ == nodes_)
      fail(held_.front().step.place, fmt::format("a node with {} needs, of which {} are there", held_.front().expected,
                                                 held_.front().step.needs.size()));
    if (held_.size() >= Source::reach)
      fail(held_.front().step.place, fmt::format("needs a node that is more than {} further on", Source::reach));
    read_node();
  }
  if (held_.front().step.needs.size() > held_.front().expected)
    fail(held_.front().step.place, "has more needs than it says");
  step = std::move(held_.front().step);
  held_.pop_front();
  return true;
}

}  // namespace gicsim::schedule
