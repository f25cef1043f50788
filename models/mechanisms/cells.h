// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/units/time.h"

namespace gicsim {

/// Told once, when a line that it watches gets content, at what time that is visible.
class Watcher {
 public:
  virtual void on_written(Picoseconds visible) = 0;

 protected:
  ~Watcher() = default;
};

/// The lines of a memory that somebody watches or checks. A read returns what was visible at
/// its time: the latest content if it is visible by then, else the one before, else nothing.
template <class Content>
class Cells {
 public:
  using Address = std::uint64_t;

  struct Seen {
    const Content* content = nullptr;  ///< null: never written
    Picoseconds visible{};             ///< since when
    Picoseconds next{};                ///< when newer content becomes visible; zero: none under way
    bool by_device = false;            ///< the latest write was a device's
  };

  void write(Address at, Content content, Picoseconds visible, bool by_device = false) {
    Cell& cell = cells_[at];
    cell.before = std::move(cell.latest);
    cell.before_visible = cell.visible;
    cell.latest = std::move(content);
    cell.visible = visible;
    cell.by_device = by_device;
    if (cell.watchers.empty()) return;
    std::vector<Watcher*> told;
    told.swap(cell.watchers);
    for (Watcher* watcher : told) watcher->on_written(visible);
  }

  Seen read(Address at, Picoseconds now) const {
    const auto found = cells_.find(at);
    if (found == cells_.end()) return {};
    const Cell& cell = found->second;
    if (cell.visible <= now) return {&cell.latest, cell.visible, {}, cell.by_device};
    if (cell.before.index() == 0) return {nullptr, {}, cell.visible, cell.by_device};
    if (cell.before_visible > now) return {nullptr, {}, cell.before_visible, cell.by_device};  // nor the one before
    return {&cell.before, cell.before_visible, cell.visible, cell.by_device};
  }

  /// A device has read the line: the next store of the local processor finds it elsewhere.
  void share(Address at) { cells_[at].elsewhere = true; }
  /// The local processor stores to the line. @return whether it has to be fetched first: a device
  /// has read it since the last store, or there was none
  bool claim(Address at) { return std::exchange(cells_[at].elsewhere, false); }

  /// One shot: the next write tells `watcher`, then forgets it.
  void watch(Address at, Watcher* watcher) { cells_[at].watchers.push_back(watcher); }

 private:
  struct Cell {
    Content latest, before;
    Picoseconds visible{}, before_visible{};
    bool elsewhere = true, by_device = false;
    std::vector<Watcher*> watchers;
  };
  std::unordered_map<Address, Cell> cells_;
};

}  // namespace gicsim
