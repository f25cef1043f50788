// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/commit_queue.h"

#include <doctest/doctest.h>

namespace gicsim {
namespace {

TEST_CASE("commit queue: without terms a write is visible when it comes, and holds nothing") {
  CommitQueue queue({.window = 256_B});
  for (int i = 0; i < 10; ++i) {
    const auto taken = queue.take(0, 4_KiB, i % 2 == 0, 7ns);
    CHECK(taken.at == 7ns);
    CHECK(taken.visible == 7ns);
  }
  CHECK(queue.drained() == 0ns);
}

TEST_CASE("commit queue: strict writes that all wait come in at a window a latency") {
  const std::int64_t n = 1000, each = 4;  // 1,100 B hold four of 256 B
  CommitQueue queue({.strict = 300ns, .relaxed = 300ns, .window = 1100_B});
  Picoseconds last{};
  for (std::int64_t i = 0; i < n; ++i) {
    const auto taken = queue.take(static_cast<std::uint64_t>(i) * 256, 256_B, false, 0ns);
    CHECK(taken.at == 300ns * (i / each));
    CHECK(taken.visible == taken.at + 300ns);
    last = taken.visible;
  }
  CHECK(last == 300ns * (n / each));
  CHECK(queue.drained() == last);
  CHECK(queue.full() == Picoseconds{n * ((300'000 * 256 + 1099) / 1100)});
}

TEST_CASE("commit queue: a write larger than the window goes alone") {
  CommitQueue queue({.strict = 300ns, .window = 128_B});
  CHECK(queue.take(0, 256_B, false, 0ns).at == 0ns);
  CHECK(queue.take(0, 256_B, false, 0ns).at == 300ns);
}

TEST_CASE("commit queue: relaxed writes overlap, whatever the window") {
  CommitQueue queue({.strict = 300ns, .relaxed = 200ns, .window = 256_B});
  for (std::uint64_t i = 0; i < 100; ++i) {
    const auto taken = queue.take(i * 256, 256_B, true, Picoseconds{1000} * static_cast<int>(i));
    CHECK(taken.at == Picoseconds{1000} * static_cast<int>(i));
    CHECK(taken.visible == taken.at + 200ns);
  }
}

TEST_CASE("commit queue: a strict write is visible behind all before it, a relaxed one passes it unless on its channel") {
  CommitQueue queue({.strict = 10ns, .relaxed = 500ns, .window = 4_KiB});
  CHECK(queue.take(0, 256_B, true, 0ns).visible == 500ns);
  CHECK(queue.take(256, 8_B, false, 5ns).visible == 500ns);
  CHECK(queue.drained() == 500ns);
  CommitQueue slow({.strict = 500ns, .relaxed = 10ns, .window = 4_KiB});
  CHECK(slow.take(0, 8_B, false, 0ns).visible == 500ns);
  CHECK(slow.take(256, 8_B, true, 5ns).visible == 15ns);
  CHECK(slow.take(64, 8_B, true, 5ns).visible == 500ns);
}

TEST_CASE("commit queue: a root complex that handles relaxed writes one at a time") {
  CommitQueue queue({.window = 4_KiB, .handling = 50ns});
  for (std::int64_t i = 1; i <= 20; ++i) {
    const auto taken = queue.take(static_cast<std::uint64_t>(i) * 256, 256_B, true, 0ns);
    CHECK(taken.at == 50ns * i);
    CHECK(taken.visible == 50ns * i);
  }
  CHECK(queue.take(0, 256_B, false, 0ns).at == 0ns);
}

TEST_CASE("commit queue: with spread relaxed writes pass each other, strict ones and those of a channel never do") {
  Spread spread;
  spread.params.write_commit = true;
  bool passed = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    spread.seed = seed;
    CommitQueue queue({.window = 4_KiB});
    queue.vary(spread, "m");
    const Picoseconds data = queue.take(0, 256_B, true, 0ns).visible;
    const Picoseconds flag = queue.take(256, 8_B, true, 1ns).visible;
    passed |= flag < data;
    CHECK(queue.take(0, 8_B, true, 2ns).visible >= data);
    CHECK(queue.take(512, 8_B, false, 3ns).visible >= std::max(data, flag));
    CHECK(data <= 500ns);
  }
  CHECK(passed);
}

}  // namespace
}  // namespace gicsim
