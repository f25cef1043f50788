// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "traces/profile/profile.h"

namespace gicsim::profile::detail {

/// Who is who: NCCL numbers ranks within each communicator, and a process may have several of either. A rank of the
/// schedule is a rank of a file's largest communicator.
class Members {
 public:
  /// @param size  of the communicator; none: not said
  void add(std::size_t file, const std::string& communicator, std::int64_t rank, std::optional<std::int64_t> size);
  /// Once all files were looked through: numbers the ranks, and tells `groups` of communicators that are there whole.
  void settle(schedule::Groups& groups);

  std::size_t count() const { return participants_.size(); }
  std::size_t file_of(std::size_t rank) const { return participants_[rank].first; }
  /// None: a rank of a process's second communicator, where it can't be told which of its GPUs it is
  std::optional<std::uint32_t> find(std::size_t file, const std::string& communicator, std::int64_t rank) const;
  /// Of a communicator's rank, whichever file it is in.
  std::optional<std::uint32_t> find(const std::string& communicator, std::int64_t rank) const;

 private:
  struct Communicator {
    std::map<std::int64_t, std::size_t> files;  ///< of each rank that was seen
    std::optional<std::int64_t> size;
    std::int64_t width() const { return size.value_or(static_cast<std::int64_t>(files.size())); }
  };
  std::vector<std::int64_t> ranks_in(std::size_t file, const Communicator& communicator) const;

  std::map<std::string, Communicator> communicators_;
  std::map<std::size_t, std::string> main_;                         ///< of each file, the largest
  std::vector<std::pair<std::size_t, std::int64_t>> participants_;  ///< file, and rank in its main communicator
};

}  // namespace gicsim::profile::detail
