// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "traces/schedule/feed.h"
#include "traces/schedule/tally.h"

/// What profilers write: who was busy when.
namespace gicsim::profile {

/// Something that a rank was busy with, on a stream or the like.
struct Work {
  enum class Kind : std::uint8_t { calc, collective, send, receive };
  Kind kind = Kind::calc;
  std::int64_t begin = 0, end = 0;  ///< ns, by the trace's clock
  bool timed = true;                ///< false: these only keep an order
  std::string lane, name;
  std::uint64_t place = 0;
  // Of messages:
  std::shared_ptr<const schedule::Communicator> group;
  schedule::Operation operation = schedule::Operation::all_reduce;
  Bytes bytes{};  ///< of a collective: the whole vector
  std::size_t root = 0;
  std::uint32_t peer = 0;
};

/// One rank's work, put in the order of its begin, and what each piece of it waited for: what its lane did before, and
/// what ended last before it began, if its lane was idle then. Between the last of these and its begin lies a gap.
class Timeline {
 public:
  static constexpr std::size_t reach = 4096;  ///< how far out of order work may come

  Timeline(std::uint32_t self, schedule::Tally& unused) : self_(self), unused_(&unused) {}

  /// Takes more work before a step is asked for.
  bool wants() const { return early_.size() < reach; }
  void add(Work work);
  /// The begin of the earliest work.
  std::optional<std::int64_t> earliest() const;
  /// @param origin  ns, by the trace's clock: time 0 of the schedule
  /// @return false: nothing is left
  bool next(std::int64_t origin, schedule::Step& step);

 private:
  struct Later {
    bool operator()(const std::pair<std::uint64_t, Work>& a, const std::pair<std::uint64_t, Work>& b) const {
      return a.second.begin != b.second.begin ? a.second.begin > b.second.begin : a.first > b.first;
    }
  };
  struct Ended {
    std::int64_t end = 0;
    std::uint64_t id = 0;
    friend auto operator<=>(const Ended&, const Ended&) = default;
  };

  void place(Work work, std::int64_t origin);
  std::uint32_t lane(const std::string& name) {
    return lanes_.try_emplace(name, static_cast<std::uint32_t>(lanes_.size())).first->second;
  }

  std::uint32_t self_;
  schedule::Tally* unused_;
  std::priority_queue<std::pair<std::uint64_t, Work>, std::vector<std::pair<std::uint64_t, Work>>, Later> early_;
  std::uint64_t read_ = 0, placed_ = 0;
  std::int64_t last_begin_ = 0;
  schedule::Feed feed_{reach};
  std::map<std::string, Ended> before_;  ///< of each lane
  std::priority_queue<Ended, std::vector<Ended>, std::greater<>> busy_;
  std::optional<Ended> latest_;  ///< what ended last before the work that was placed last began
  std::map<std::string, std::uint32_t> lanes_;
};

}  // namespace gicsim::profile
