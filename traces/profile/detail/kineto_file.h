// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "traces/profile/profile.h"
#include "traces/stream/items.h"

namespace gicsim::profile::detail {

/// What a trace says of its rank and the others.
struct Distributed {
  std::optional<std::int64_t> rank, world;
  std::map<std::string, std::vector<std::uint32_t>> groups;  ///< by name
};
/// Reads as far as it must: most traces say it ahead of their events.
Distributed distributed_in(const std::string& file);

/// Ranks of the job by their place among those that are given.
using Given = std::map<std::uint32_t, std::uint32_t>;

/// One rank's trace, event by event.
class KinetoFile final : public Reader {
 public:
  /// @param self  its place among those that are given
  KinetoFile(const std::string& file, std::uint32_t self, Distributed distributed, std::shared_ptr<const Given> given,
             std::shared_ptr<Common> common);
  bool next(Work& work) override;
  void rewind() override;
  double progress() const override { return in_.progress(); }
  Location location(std::uint64_t place) const override;

 private:
  bool take(const stream::Item& item, Work& work);
  void take_message(const stream::Value& args, Work& work);
  std::shared_ptr<const schedule::Communicator> group_of(const stream::Value& args);
  [[noreturn]] void fail(const stream::Item& item, const std::string& what) const { in_.fail(item.at, what); }

  stream::Input in_;
  std::uint32_t self_;
  std::unique_ptr<stream::Items> items_;
  Distributed distributed_;
  std::shared_ptr<const Given> given_;
  std::shared_ptr<Common> common_;
  std::map<std::string, std::shared_ptr<const schedule::Communicator>> groups_;  ///< by what the events call them
  std::set<std::uint32_t> began_;  ///< groups whose first Seq was looked at
};

}  // namespace gicsim::profile::detail
