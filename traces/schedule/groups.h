// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/schedule/collectives.h"

namespace gicsim::schedule {

/// The communicators of a trace, by the names that it gives them. All ranks of a source share one of these, so that an
/// id is the same at all of a communicator's ranks.
class Groups {
 public:
  /// @return false: there is one of that name, with other ranks
  bool set(std::string_view name, std::vector<std::uint32_t> ranks);
  /// Null: nobody said who they are.
  std::shared_ptr<const Communicator> find(std::string_view name) const;
  std::size_t size() const { return groups_.size(); }

 private:
  std::map<std::string, std::shared_ptr<const Communicator>, std::less<>> groups_;
};

/// A rank's place in a communicator; none: it isn't there.
std::optional<std::size_t> place_of(std::uint32_t rank, const Communicator& in);

}  // namespace gicsim::schedule
