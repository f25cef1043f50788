// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "traces/profile/detail/nccl_calls.h"
#include "traces/schedule/feed.h"
#include "traces/schedule/source.h"
#include "traces/schedule/tally.h"
#include "traces/stream/input.h"

namespace gicsim::profile::detail {

/// Each line of a log. @param number  from 1
void each_line(stream::Input& in, const std::function<void(std::uint64_t number, const std::string& line)>& take);
/// @return false at the end of the file
bool read_line(stream::Input& in, std::string& line);

/// The calls of a log as steps without times, each GPU's in the order of its lines. Each rank reads its file for
/// itself.
class LogSource final : public schedule::Source {
 public:
  LogSource(std::vector<std::string> files, std::shared_ptr<const Job> job,
            std::shared_ptr<const schedule::Groups> groups, std::vector<std::string> hosts, schedule::Tally unused,
            std::vector<std::string> notes);

  std::string format() const override { return "NCCL log"; }
  std::size_t ranks() const override { return ranks_.size(); }
  bool next(std::size_t rank, schedule::Step& step) override;
  void rewind() override;
  std::vector<std::string> hosts() const override { return hosts_; }
  std::vector<schedule::Unused> unused() const override { return unused_.all(); }
  std::vector<std::string> notes() const override { return notes_; }
  double progress() const override;
  Location location(std::size_t rank, const schedule::Step& step) const override;

 private:
  using Ids = std::vector<schedule::Feed::Id>;
  /// What a communicator's calls come after: messages between two collectives don't wait for one another.
  struct Order {
    Ids before, together;
  };
  struct Rank {
    std::unique_ptr<stream::Input> in;  ///< null: its log isn't there
    std::uint64_t line = 0;
    CallReader reader;
    schedule::Feed feed;
    schedule::Feed::Id calls = 0;
    std::map<std::string, Order> orders;  ///< of each communicator
  };

  void open(std::size_t rank);
  void take(std::uint32_t self, const LoggedCall& call);

  std::vector<std::string> files_;
  std::shared_ptr<const Job> job_;
  std::shared_ptr<const schedule::Groups> groups_;
  std::vector<std::string> hosts_;
  schedule::Tally unused_, of_lines_;  ///< of_lines_: what no rank's calls are
  std::vector<std::string> notes_;
  std::vector<Rank> ranks_;
};

}  // namespace gicsim::profile::detail
