// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "traces/profile/detail/nccl_lines.h"
#include "traces/profile/words.h"
#include "traces/schedule/groups.h"

/// What a log has of NCCL_DEBUG_SUBSYS=COLL: who called what, in which order.
namespace gicsim::profile::detail {

/// A GPU's part in a communicator.
struct Seat {
  std::string gpu;           ///< host, process, device: a rank of the schedule
  std::string communicator;  ///< as all its ranks' lines call it
  std::int64_t rank = 0, ranks = 0;
};

/// A call of NCCL's, at one GPU.
struct LoggedCall {
  Seat seat;
  std::string what;  ///< "AllReduce", "Send"
  Meant meant;
  Bytes bytes{};           ///< of a collective: the whole vector
  std::int64_t other = 0;  ///< the root; of a message: its other end; in the communicator
};

/// Reads a log's lines in their order. A communicator goes by its address in the process, which its first lines say
/// whose it is; an address can come again.
class CallReader {
 public:
  /// None: no call. @throws nothing; what can't be is in `wrong`
  std::optional<LoggedCall> read(const LogLine& line);
  const std::string& wrong() const { return wrong_; }  ///< of the line that was read last; empty: nothing is
  std::optional<Seat> seat_of(const LogLine& line) const;

 private:
  void seat(const LogLine& line);

  std::map<std::string, Seat> seats_;  ///< by process and address
  std::string wrong_;
};

/// All calls of a job, looked through once: who is who, and how NCCL took its collectives apart.
class Job {
 public:
  void add(std::size_t file, const LogLine& line);
  /// Once all files were looked through.
  void settle(schedule::Groups& groups);

  bool any() const { return calls_ > 0; }
  std::size_t ranks() const { return static_cast<std::size_t>(ranks_); }
  /// None: a GPU that isn't in the largest communicator.
  std::optional<std::uint32_t> rank_of(const std::string& gpu) const;
  std::optional<std::uint32_t> rank_of(const std::string& communicator, std::int64_t rank) const;
  std::optional<std::size_t> file_of(std::uint32_t rank) const;  ///< none: its log isn't there
  std::uint64_t calls() const { return calls_; }
  /// As its "Algo" line says; a ring where it says neither.
  schedule::Algorithm algorithm_of(const LoggedCall& call) const;

 private:
  using Kind = std::tuple<std::string, std::string, std::int64_t>;  ///< communicator, operation, bytes

  CallReader reader_;
  std::uint64_t calls_ = 0;
  std::int64_t ranks_ = 0;
  std::map<std::string, std::map<std::int64_t, std::string>> communicators_;  ///< GPUs by rank
  std::map<std::string, std::int64_t> sizes_;
  std::map<std::string, std::size_t> files_;      ///< of each GPU that calls
  std::map<std::string, std::uint32_t> numbers_;  ///< of each GPU
  std::map<std::string, LoggedCall> latest_;      ///< of each process
  std::set<Kind> trees_;
};

}  // namespace gicsim::profile::detail
