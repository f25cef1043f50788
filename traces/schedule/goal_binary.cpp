// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/detail/goal_binary.h"

#include <fmt/format.h>

#include <algorithm>

#include "traces/schedule/detail/goal_nodes.h"
#include "traces/schedule/goal.h"

namespace gicsim::schedule {
namespace {

constexpr std::uint64_t magic = 4223;
constexpr std::uint64_t table = 14, entry = 16;  ///< magic, ranks, cpus, nics; begin and end of a rank, from byte 8 on
constexpr std::uint64_t most_ranks = 1 << 20;

/// What txt2bin writes and LogGOPSim maps into memory. Source: spcl/LogGOPSim, src/LogGOPSim/Parser.hpp
class GoalBinary final : public Source {
 public:
  explicit GoalBinary(const std::string& name) : file_(name) {
    Octets head(file_, 8, file_.size(), 4);
    ranks_ = head.number(4);
    if (ranks_ == 0 || ranks_ > most_ranks) fail(8, fmt::format("{} ranks; 1 .. {} are read", ranks_, most_ranks));
    if (table + ranks_ * entry > file_.size())
      fail(file_.size(), "the file ends inside the table of ranks; it was cut off");
    done_.resize(ranks_);
    nodes_.resize(ranks_);
    file_.forget_read();
  }

  std::string format() const override { return "GOAL, binary"; }
  std::size_t ranks() const override { return ranks_; }
  bool next(std::size_t rank, Step& step) override {
    if (done_[rank]) return false;
    if (!nodes_[rank]) nodes_[rank] = open(rank);
    if (nodes_[rank]->next(step)) return true;
    done_[rank] = true;
    nodes_[rank].reset();
    return false;
  }
  void rewind() override {
    for (auto& nodes : nodes_) nodes.reset();
    done_.assign(ranks_, false);
    tally_ = {};
    file_.forget_read();
  }
  std::vector<Unused> unused() const override {
    if (tally_.cores == 0) return {};
    return {{"cpu of a send or recv: messages keep no core busy here", tally_.cores, tally_.first_core}};
  }
  std::vector<std::string> notes() const override {
    return {"layout of LogGOPSim's txt2bin; calc is in ns, and keeps its cpu busy; a message's queue pair is its nic"};
  }
  double progress() const override { return file_.share_read(); }
  Location location(std::size_t, const Step&) const override { return {file_.name(), 0, 0}; }

 private:
  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const {
    throw ConfigError(Location{file_.name()}, fmt::format("byte {}: {}", at, what));
  }
  std::unique_ptr<GoalNodes> open(std::size_t rank) {
    const std::uint64_t at = table + rank * entry;
    Octets in(file_, at, file_.size(), entry);
    const std::uint64_t begin = in.number(8), end = in.number(8);
    if (end < begin || end - begin < 8 || begin < table - 8 + ranks_ * entry)
      fail(at, fmt::format("rank {} lies at {} .. {}", rank, begin, end));
    if (end > file_.size() - 8)
      fail(file_.size(), fmt::format("the file ends inside rank {}, which ends at {}; it was cut off", rank, end));
    const std::size_t buffer = std::clamp<std::size_t>((std::size_t{32} << 20) / ranks_, 512, 1 << 16);
    return std::make_unique<GoalNodes>(file_, begin + 8, end + 8, rank, ranks_, buffer, tally_);
  }

  File file_;
  std::uint64_t ranks_ = 0;
  std::vector<std::unique_ptr<GoalNodes>> nodes_;
  std::vector<bool> done_;
  GoalTally tally_;
};

std::uint64_t magic_of(std::string_view begin) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8 && begin.size() >= 8; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(begin[i])} << 8 * i;
  return value;
}

}  // namespace

bool looks_like_goal_binary(std::string_view begin) { return magic_of(begin) == magic; }

std::unique_ptr<Source> read_goal_binary(const std::string& file) { return std::make_unique<GoalBinary>(file); }

}  // namespace gicsim::schedule
