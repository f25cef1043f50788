// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/describe.h"
#include "models/base/errors.h"
#include "models/base/random.h"

namespace gicsim {

enum class Replacement { lru, random };
constexpr auto names_of(Replacement) { return std::array<std::string_view, 2>{"lru", "random"}; }

struct SetCacheStats {
  Count hits = 0, misses = 0, evictions = 0;
};
template <class V>
constexpr void describe(V&& v, SetCacheStats& s) {
  v("hits", s.hits, "look-ups that found their entry");
  v("misses", s.misses, "look-ups that didn't");
  v("evictions", s.evictions, "entries that had to go for another");
}
static_assert(fully_described<SetCacheStats>());

/// A set-associative cache of numbers (lines, pages): which are in and which one goes. It holds no data. A number's set
/// is its remainder by the number of sets. Closed form: random look-ups among n > size numbers that are all put in hit
/// with probability size / n, whatever the replacement.
class SetCache {
 public:
  using Key = std::uint64_t;

  /// @throws ModelError when the entries aren't whole sets
  SetCache(std::string module, Count entries, Count ways, Replacement replacement, std::uint64_t seed = 0)
      : ways_(static_cast<std::size_t>(ways)),
        sets_(static_cast<std::size_t>(entries / ways)),
        replacement_(replacement),
        random_(seed, module),
        places_(static_cast<std::size_t>(entries)) {
    if (entries <= 0 || entries % ways != 0)
      throw ModelError(module, Picoseconds{},
                       std::to_string(entries) + " entries aren't whole sets of " + std::to_string(ways));
  }

  bool contains(Key key) const { return const_cast<SetCache*>(this)->find(key) != nullptr; }

  /// Looks a number up; one that is there counts as used.
  bool look_up(Key key) {
    Place* place = find(key);
    ++(place ? stats_.hits : stats_.misses);
    if (place) place->used = ++clock_;
    return place != nullptr;
  }

  /// Puts a number in, into one of the first `ways` of its set unless it is there already.
  void insert(Key key, std::size_t ways = ~std::size_t{0}) {
    if (Place* place = find(key)) {
      place->used = ++clock_;
      return;
    }
    Place& victim = oldest(set_of(key), std::min(ways, ways_));
    if (victim.used != 0) ++stats_.evictions;
    victim = {key, ++clock_};
  }
  void erase(Key key) {
    if (Place* place = find(key)) *place = {};
  }
  void clear() { std::fill(places_.begin(), places_.end(), Place{}); }

  const SetCacheStats& stats() const { return stats_; }

 private:
  struct Place {
    Key key = 0;
    std::uint64_t used = 0;  ///< 0: empty
  };

  Place* set_of(Key key) { return &places_[key % sets_ * ways_]; }
  Place* find(Key key) {
    Place* set = set_of(key);
    for (std::size_t i = 0; i < ways_; ++i)
      if (set[i].used != 0 && set[i].key == key) return &set[i];
    return nullptr;
  }
  Place& oldest(Place* set, std::size_t ways) {
    Place* place = std::min_element(set, set + ways, [](const Place& a, const Place& b) { return a.used < b.used; });
    if (place->used == 0 || replacement_ == Replacement::lru) return *place;
    return set[random_.below(ways)];
  }

  std::size_t ways_, sets_;
  Replacement replacement_;
  RandomStream random_;
  std::vector<Place> places_;
  std::uint64_t clock_ = 0;
  SetCacheStats stats_;
};

}  // namespace gicsim
