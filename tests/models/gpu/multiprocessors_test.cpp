// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/multiprocessors.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "tests/support/bench.h"

namespace gicsim::gpu {
namespace {

/// Two multiprocessors, each with room for two blocks of `half` or one of `whole`.
constexpr BlockNeeds half{.threads = 1024, .registers = 32, .shared = 1_KiB}, whole{.threads = 1024, .registers = 64, .shared = 1_KiB};

struct Fixture {
  Bench bench;
  MultiprocessorParams params{.count = 2};
  Multiprocessors on{"sms", bench.kernel, params};
  std::map<std::string, Picoseconds> began, ended;

  Task timed(std::string who, Picoseconds at, Grid grid, Picoseconds each) {
    co_await bench.kernel.sleep(at);
    Multiprocessors::Launch launch = on.launch(grid, each);
    co_await launch;
    ended[who] = bench.now();
  }
  Task staying(std::string who, Picoseconds at, Grid grid, Picoseconds stays) {
    co_await bench.kernel.sleep(at);
    Multiprocessors::Launch launch = on.launch(grid);
    co_await launch;
    began[who] = bench.now();
    CHECK(launch.waited() == bench.now() - at);
    co_await bench.kernel.sleep(stays);
    on.leave(launch);
    ended[who] = bench.now();
  }
  /// Programs come in the order of their start.
  void add(const std::string& who, Picoseconds at, Grid grid, Picoseconds each) {
    bench.kernel.start(who, timed(who, at, grid, each), Kernel::Kind::service);
  }
  void add_staying(const std::string& who, Picoseconds at, Grid grid, Picoseconds stays) {
    bench.kernel.start(who, staying(who, at, grid, stays));
  }
};

TEST_CASE("multiprocessors: room is what is scarcest: blocks, threads, registers by warps, shared memory") {
  const MultiprocessorParams sm;
  CHECK(Multiprocessors::room(sm, {.threads = 1, .registers = 16}) == 32);
  CHECK(Multiprocessors::room(sm, {.threads = 1024, .registers = 32}) == 2);
  CHECK(Multiprocessors::room(sm, {.threads = 1024, .registers = 33}) == 1);  // 33 x 32 count as 1,280 a warp
  CHECK(Multiprocessors::room(sm, {.threads = 384, .registers = 168, .shared = 200_KiB}) == 1);
  CHECK(Multiprocessors::room(sm, {.threads = 32, .registers = 16, .shared = 75_KiB}) == 3);
  CHECK(Multiprocessors::room(sm, {.threads = 1024, .registers = 65}) == 0);
}

TEST_CASE("multiprocessors: a grid of n blocks takes ceil(n / room) waves") {
  Fixture f;
  f.add("a", 0ns, {.blocks = 9, .needs = half}, 100us);
  f.bench.run_through(300us - 1_ps);
  CHECK(f.ended.empty());
  f.bench.run_through(300us);
  CHECK(f.ended.at("a") == 300us);
  CHECK(f.on.stats().blocks == 9);
  CHECK(f.on.stats().resident_peak == 4);
  CHECK(f.on.stats().block_time == 900us);
}

TEST_CASE("multiprocessors: a kernel that stays waits until blocks end, and those behind it wait for it") {
  Fixture f;
  f.add("load", 0ns, {.blocks = 4, .needs = whole}, 100us);
  f.add_staying("calls", 30us, {.blocks = 2, .needs = whole}, 50us);
  f.add("behind", 40us, {.blocks = 2, .needs = whole}, 100us);
  f.bench.run_through(1ms);
  CHECK(f.ended.at("load") == 200us);   // two waves: all its blocks had come before
  CHECK(f.began.at("calls") == 200us);
  CHECK(f.ended.at("calls") == 250us);
  CHECK(f.ended.at("behind") == 350us);
  CHECK(f.on.stats().made_wait == 1);
  CHECK(f.on.stats().room_wait == 170us);
}

TEST_CASE("multiprocessors: one of high priority takes the first places that get free, from a kernel that has blocks left") {
  Fixture f;
  f.add("load", 0ns, {.blocks = 4, .needs = whole}, 100us);
  f.add_staying("calls", 30us, {.blocks = 1, .needs = whole, .urgent = true}, 50us);
  f.bench.run_through(1ms);
  CHECK(f.began.at("calls") == 100us);
  CHECK(f.ended.at("load") == 250us);  // 2, 1, and one behind the call
}

TEST_CASE("multiprocessors: what fits beside a kernel begins at once") {
  Fixture f;
  f.add("load", 0ns, {.blocks = 2, .needs = {.threads = 384, .registers = 168, .shared = 200_KiB}}, 100us);
  f.add_staying("small", 30us, {.blocks = 2, .needs = {.threads = 1, .registers = 32}}, 1us);
  f.bench.run_through(1ms);
  CHECK(f.began.at("small") == 30us);
  CHECK(f.on.stats().made_wait == 0);
}

TEST_CASE("multiprocessors: a kernel without room keeps a run alive while blocks run, one that never has any is stuck") {
  Fixture waits;
  waits.add("load", 0ns, {.blocks = 2, .needs = whole}, 100us);
  waits.add_staying("calls", 1us, {.blocks = 1, .needs = whole}, 1us);
  CHECK(waits.bench.run() == Kernel::Ended::idle);
  CHECK(waits.began.at("calls") == 100us);

  Fixture alone;
  alone.add("load", 0ns, {.blocks = 2, .needs = whole}, 100us);
  CHECK(alone.bench.run() == Kernel::Ended::idle);
  CHECK(alone.bench.now() < 100us);  // blocks that nobody waits for end in the background
}

}  // namespace
}  // namespace gicsim::gpu
