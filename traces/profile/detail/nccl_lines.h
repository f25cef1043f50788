// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gicsim::profile::detail {

/// A line that NCCL_DEBUG=INFO wrote: HOST:PID:TID [DEVICE] NCCL INFO what, whatever stands before the host.
struct LogLine {
  std::string_view host, process, what;  ///< process: HOST:PID
  std::int64_t device = -1;
};
std::optional<LogLine> parse_log_line(std::string_view line);

constexpr std::int64_t most_ranks = 1 << 20;
/// The number, the word behind a word: "rank 3".
std::optional<std::int64_t> number_behind(std::string_view text, std::string_view word);
std::string_view word_behind(std::string_view text, std::string_view word);

/// What a log tells of a job's largest communicator.
class Topology {
 public:
  void add(const LogLine& line);

  std::int64_t ranks() const { return ranks_; }
  std::vector<std::string> hosts() const;                ///< of each rank; empty where it wasn't logged
  std::size_t others() const { return others_.size(); }  ///< sizes of smaller communicators
  std::vector<std::string> told() const;                 ///< devices, networks, rings, who talks to whom

 private:
  struct Rank {
    std::string host, bus;
    std::int64_t device = -1;
  };

  void add_rank(const LogLine& line);
  void add_channel(std::string_view what);

  std::int64_t ranks_ = 0;
  std::map<std::int64_t, Rank> who_;
  std::map<std::int64_t, std::size_t> others_;
  std::map<std::string, std::string> rings_;  ///< by channel
  std::map<std::pair<std::int64_t, std::int64_t>, std::map<std::string, std::set<std::string>>>
      links_;  ///< channels by transport
  std::map<std::string, std::size_t> networks_;
};

}  // namespace gicsim::profile::detail
