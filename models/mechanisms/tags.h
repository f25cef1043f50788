// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/describe.h"
#include "models/units/time.h"

namespace gicsim {

struct TagsStats {
  Count taken = 0;
  Count refused = 0;
  Count most = 0;
  Picoseconds held{0};
};
template <class V>
constexpr void describe(V&& v, TagsStats& s) {
  v("taken", s.taken, "tags taken");
  v("refused", s.refused, "times that none was free");
  v("most", s.most, "most tags in use at once");
  v("held", s.held, "time that tags were in use, summed up to the last take or give");
}
static_assert(fully_described<TagsStats>());

/// Identifiers of outstanding requests: a bounded set, the lowest free one goes first.
///
/// Closed form (Little): held = the sum of (given - taken) over all requests, so `held` over the
/// time of a run is the mean number outstanding.
class Tags {
 public:
  using Tag = std::uint32_t;

  Tags(std::string module, Count size);

  std::optional<Tag> take(Picoseconds now);
  /// @throws ModelError when the tag is not in use
  void give(Tag tag, Picoseconds now);

  Count size() const { return size_; }
  Count in_use() const { return in_use_; }
  Count available() const { return size_ - in_use_; }
  const TagsStats& stats() const { return stats_; }

 private:
  void account(Picoseconds now);

  Count size_;
  Count in_use_ = 0;
  std::vector<std::uint64_t> free_;  ///< a bit a tag
  std::size_t first_ = 0;            ///< no free tag in the words before
  Picoseconds accounted_{0};
  TagsStats stats_;
  std::string module_;
};

}  // namespace gicsim
