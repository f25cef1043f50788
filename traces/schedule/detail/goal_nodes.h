// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "traces/schedule/detail/cursor.h"
#include "traces/schedule/detail/goal_block.h"
#include "traces/schedule/source.h"

namespace gicsim::schedule {

/// Little-endian numbers of a part of a file, one behind the other.
class Octets {
 public:
  Octets(File& file, std::uint64_t at, std::uint64_t end, std::size_t buffer)
      : file_(file), at_(at), end_(end), size_(buffer) {}
  std::uint64_t number(std::size_t octets);
  std::uint64_t at() const { return at_ - (buffer_.size() - used_); }

 private:
  unsigned char octet();

  File& file_;
  std::uint64_t at_, end_;
  std::size_t size_, used_ = 0;
  std::vector<char> buffer_;
};

/// One rank of the binary form: nodes of equal size, each with its place in the list of those that need it, then that
/// list.
class GoalNodes {
 public:
  static constexpr std::uint64_t node_size = 39, node_size_2 = 104;  ///< of LogGOPSim, of LogGOPSim2

  /// @param at, end  of the rank's part of the file
  GoalNodes(File& file, std::uint64_t at, std::uint64_t end, std::size_t rank, std::size_t ranks, std::size_t buffer,
            GoalTally& tally);
  bool next(Step& step);

 private:
  struct Held {
    Step step;
    std::uint64_t expected = 0;  ///< needs that it has in all
  };
  void read_node();
  void add_needs(std::uint64_t number, std::uint64_t count, Need::Until until, std::uint64_t at);
  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const;
  std::uint64_t first() const { return read_ - held_.size(); }

  File& file_;
  std::size_t rank_, ranks_;
  GoalTally& tally_;
  std::uint64_t nodes_ = 0, read_ = 0, listed_ = 0;
  std::deque<Held> held_;
  std::unordered_map<std::uint64_t, std::vector<Need>> ahead_;  ///< of nodes that weren't read yet
  std::size_t ahead_count_ = 0;
  std::vector<Octets> parts_;  ///< nodes, list
};

}  // namespace gicsim::schedule
