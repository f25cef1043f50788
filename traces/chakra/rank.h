// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "traces/chakra/cycles.h"
#include "traces/chakra/nodes.h"
#include "traces/schedule/feed.h"
#include "traces/schedule/groups.h"
#include "traces/schedule/tally.h"

namespace gicsim::chakra {

/// What the ranks of a trace have in common.
struct Common {
  std::map<std::uint32_t, std::string> files;  ///< by rank
  schedule::Groups groups;                     ///< "": all ranks
  schedule::Tally unused;
  schedule::Notes notes;
  std::int64_t base_us = 0;               ///< the earliest start
  std::function<void()> look_for_groups;  ///< of nodes whose group nobody lists

  std::uint32_t ranks() const { return files.empty() ? 0 : files.rbegin()->first + 1; }
  bool given(std::uint32_t rank) const { return files.count(rank) > 0; }
};

/// One rank's nodes as steps.
class Rank {
 public:
  Rank(std::uint32_t self, const std::string& file, Common& common) : self_(self), common_(common), nodes_(file) {}

  bool next(schedule::Step& step);
  void rewind();
  double progress() const { return nodes_.progress(); }

 private:
  using Step = schedule::Step;

  void fill();
  void take(const Node& node);
  void take_calc(const Node& node, const std::string& why_no_message = {});
  bool take_message(const Node& node);
  bool take_collective(const Node& node);
  std::shared_ptr<const schedule::Communicator> group_of(const Node& node);
  Step step_of(const Node& node, schedule::Action action);
  std::uint32_t lane(const std::string& of) {
    return lanes_.try_emplace(of, static_cast<std::uint32_t>(lanes_.size())).first->second;
  }
  void look_for_cycles();
  [[noreturn]] void fail(const Node& node, const std::string& what) const;

  std::uint32_t self_;
  Common& common_;
  Nodes nodes_;
  schedule::Feed feed_;
  Cycles cycles_{schedule::Source::reach};
  std::size_t until_look_ = 0;  ///< steps that are taken before circles are looked for again
  std::map<std::string, std::uint32_t> lanes_;
  std::map<std::string, std::string> own_groups_;  ///< names may hold for this rank alone: what all ranks know them by
  bool done_ = false;
};

}  // namespace gicsim::chakra
