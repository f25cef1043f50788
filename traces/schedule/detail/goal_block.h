// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "traces/schedule/detail/cursor.h"
#include "traces/schedule/detail/labels.h"
#include "traces/schedule/source.h"

namespace gicsim::schedule {

/// What the blocks of a file share.
struct GoalTally {
  std::uint64_t cores = 0, first_core = 0;  ///< messages with a cpu of their own
};

/// One rank's block, statement by statement. A step is held back until `hold` others were read, as its needs are
/// written behind it.
class GoalBlock {
 public:
  GoalBlock(File& file, const Extent& extent, std::size_t rank, std::size_t ranks, std::size_t hold, std::size_t labels,
            std::size_t buffer, GoalTally& tally);
  bool next(Step& step);

 private:
  struct Held {
    Step step;
    std::size_t unknown = 0;  ///< needs whose labels haven't come
  };
  /// `who requires what`, of which one hasn't come.
  struct Late {
    Token who, what;
    Need::Until until;
  };

  bool read_statement();
  void read_step(const Token& label, const Token& action);
  void read_options(Step& step);
  void end_statement();
  void require(const Token& who, const Token& what, Need::Until until);
  void put_off(const std::string& missing, Late late);
  void check_ended();
  [[noreturn]] void fail_late(bool ended);
  std::int64_t number(const char* of, std::int64_t most, bool any = false);
  void word(std::string_view expected, const char* instead);
  std::uint64_t first() const { return count_ - held_.size(); }

  Cursor cursor_;
  std::size_t rank_, ranks_, hold_;
  GoalTally& tally_;
  Labels labels_;
  std::deque<Held> held_;
  std::unordered_map<std::string, std::vector<Late>> late_;  ///< by the label that is missing
  std::size_t late_count_ = 0;
  std::uint64_t count_ = 0;
  bool ended_ = false;
  Token token_;
};

}  // namespace gicsim::schedule
