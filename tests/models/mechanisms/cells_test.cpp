// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/cells.h"

#include <doctest/doctest.h>

#include <variant>
#include <vector>

namespace gicsim {
namespace {

using Content = std::variant<std::monostate, int>;

int value(const Content* content) { return content && content->index() == 1 ? std::get<int>(*content) : -1; }

struct Waiting : Watcher {
  std::vector<Picoseconds> told;
  void on_written(Picoseconds visible) override { told.push_back(visible); }
};

TEST_CASE("cells: a read before content is visible sees what was there, and that more is coming") {
  Cells<Content> cells;
  CHECK(cells.read(64, 0ns).content == nullptr);
  cells.write(64, 1, 10ns);
  CHECK(cells.read(64, 10ns - 1_ps).content == nullptr);
  CHECK(cells.read(64, 10ns - 1_ps).next == 10ns);
  CHECK(value(cells.read(64, 10ns).content) == 1);
  CHECK(cells.read(64, 10ns).visible == 10ns);
  CHECK(cells.read(64, 10ns).next == 0ns);
  cells.write(64, 2, 30ns);
  CHECK(value(cells.read(64, 30ns - 1_ps).content) == 1);
  CHECK(cells.read(64, 30ns - 1_ps).visible == 10ns);
  CHECK(cells.read(64, 30ns - 1_ps).next == 30ns);
  CHECK(value(cells.read(64, 30ns).content) == 2);
}

TEST_CASE("cells: lines are apart") {
  Cells<Content> cells;
  cells.write(0, 1, 0ns);
  cells.write(64, 2, 0ns);
  CHECK(value(cells.read(0, 0ns).content) == 1);
  CHECK(value(cells.read(64, 0ns).content) == 2);
  CHECK(cells.read(8, 0ns).content == nullptr);
}

TEST_CASE("cells: a watcher is told once, with the time at which it may look") {
  Cells<Content> cells;
  Waiting one, other;
  cells.watch(64, &one);
  cells.watch(64, &other);
  cells.write(0, 1, 5ns);
  CHECK(one.told.empty());
  cells.write(64, 1, 7ns);
  cells.write(64, 2, 9ns);
  CHECK(one.told == std::vector<Picoseconds>{7ns});
  CHECK(other.told == std::vector<Picoseconds>{7ns});
}

TEST_CASE("cells: a watcher may watch again while it is told") {
  Cells<Content> cells;
  struct Again : Watcher {
    Cells<Content>& cells;
    int told = 0;
    explicit Again(Cells<Content>& c) : cells(c) {}
    void on_written(Picoseconds) override {
      if (++told < 3) cells.watch(0, this);
    }
  } again(cells);
  cells.watch(0, &again);
  for (int i = 0; i < 5; ++i) cells.write(0, i, 0ns);
  CHECK(again.told == 3);
}

TEST_CASE("cells: a line that is only watched holds nothing") {
  Cells<Content> cells;
  Waiting one;
  cells.watch(64, &one);
  CHECK(value(cells.read(64, 5ns).content) == -1);
  cells.write(64, 4, 9ns);
  CHECK(value(cells.read(64, 5ns).content) == -1);
}

}  // namespace
}  // namespace gicsim
