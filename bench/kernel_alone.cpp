// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "models/base/calendar.h"
#include "models/base/context.h"
#include "models/base/kernel.h"

namespace gicsim::bench {
namespace {

constexpr std::int64_t events = 400'000;

/// What every event does: draw the delay to the next one, up to 2.1 us, and remember the time.
struct Walk {
  std::uint64_t state;
  std::uint64_t sum = 0;
  Picoseconds draw(Picoseconds now) {
    sum = sum * 3 + static_cast<std::uint64_t>(now.count());
    state = state * 6364136223846793005U + 1442695040888963407U;
    return Picoseconds{static_cast<std::int64_t>(state >> 43)};
  }
};

template <class Walker>
std::uint64_t checksum(const std::vector<Walker>& walkers) {
  std::uint64_t sum = 0;
  for (const Walker& walker : walkers) sum = sum * 31 + walker.walk.sum;
  return sum;
}

/// One event at a time in flight; all together stop after `events` events.
struct Walker {
  Kernel* kernel;
  std::int64_t* left;
  std::int64_t pending;
  Walk walk;
  void go() {
    const Picoseconds now = kernel->now();
    const Picoseconds delay = walk.draw(now);
    if (--*left >= pending) kernel->at<&Walker::go>(now + delay, this);
  }
};

struct Ticker : sc_core::sc_module {
  explicit Ticker(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(Ticker);
    SC_METHOD(tick);
  }
  void tick() { next_trigger(1, sc_core::SC_US); }
};

Run with_kernel(std::int64_t pending, bool foreign) {
  const ContextScope scope;
  Kernel kernel("kernel");
  std::unique_ptr<Ticker> ticker;
  if (foreign) ticker = std::make_unique<Ticker>("ticker");
  std::int64_t left = events;
  std::vector<Walker> walkers;
  for (std::int64_t i = 0; i < pending; ++i)
    walkers.push_back({&kernel, &left, pending, {static_cast<std::uint64_t>(i)}});
  kernel.run_through(Picoseconds{0});
  for (Walker& walker : walkers) kernel.at<&Walker::go>(Picoseconds{0}, &walker);
  return timed(static_cast<double>(events), [&] {
    kernel.run();
    return checksum(walkers);
  });
}

/// The same over anything with push(time, call, self) and pop(): a loop and nothing else.
template <class Queue>
struct Loop {
  struct Walker {
    Loop* loop;
    Walk walk;
  };
  Queue queue;
  Picoseconds now{0};
  std::int64_t left = events;
  std::int64_t pending;
  std::vector<Walker> walkers;

  static void go(void* object) {
    Walker& walker = *static_cast<Walker*>(object);
    Loop& loop = *walker.loop;
    const Picoseconds delay = walker.walk.draw(loop.now);
    if (--loop.left >= loop.pending) loop.queue.push(loop.now + delay, &go, &walker);
  }
  explicit Loop(std::int64_t n) : pending(n) {
    for (std::int64_t i = 0; i < n; ++i) walkers.push_back({this, {static_cast<std::uint64_t>(i)}});
    for (Walker& walker : walkers) queue.push(now, &go, &walker);
  }
  Run run() {
    return timed(static_cast<double>(events), [&] {
      queue.drain(now);
      return checksum(walkers);
    });
  }
};

struct BinaryHeap {
  struct Event {
    Picoseconds time;
    std::uint64_t sequence;
    void (*call)(void*);
    void* self;
    bool operator<(const Event& other) const {
      return time != other.time ? time > other.time : sequence > other.sequence;
    }
  };
  std::priority_queue<Event> events;
  std::uint64_t sequence = 0;
  void push(Picoseconds time, void (*call)(void*), void* self) {
    events.push({time, sequence++, call, self});
  }
  void drain(Picoseconds& now) {
    while (!events.empty()) {
      const Event event = events.top();
      events.pop();
      now = event.time;
      event.call(event.self);
    }
  }
};

struct BareCalendar {
  Calendar calendar;
  void push(Picoseconds time, void (*call)(void*), void* self) {
    calendar.push(time, 0, call, self);
  }
  void drain(Picoseconds& now) {
    Calendar::Event event;
    while (calendar.pop_through(never, event)) {
      now = event.time;
      event.call(event.self);
    }
  }
};

}  // namespace

std::vector<Case> kernel_alone() {
  std::vector<Case> cases;
  for (const bool foreign : {false, true}) {
    for (const std::int64_t pending : {1, 100, 10'000}) {
      cases.push_back({"kernel, " + std::to_string(pending) + " pending" +
                           (foreign ? ", foreign 1 us ticker" : ""),
                       "event",
                       {"kernel", [=] { return with_kernel(pending, foreign); }},
                       {{"priority_queue", [=] { return Loop<BinaryHeap>(pending).run(); }},
                        {"calendar", [=] { return Loop<BareCalendar>(pending).run(); }}},
                       !foreign});
    }
  }
  return cases;
}

}  // namespace gicsim::bench
