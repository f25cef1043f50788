// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include "bench/bench.h"
#include "models/base/calendar.h"
#include "scenarios/schema/load.h"
#include "scenarios/whatif/run.h"

namespace gicsim::bench {
namespace {

constexpr std::int64_t puts = 20'000;

schema::Scenario scenario(const std::string& system, const std::string& path) {
  const char* const root = std::getenv("GICSIM_ROOT");
  return schema::load_scenario("put_8B",
                               {{"system", system},
                                {"path", path},
                                {"ordering", "gpu_fence"},
                                {"iterations", std::to_string(puts)}},
                               root ? root : ".");
}

/// So many events through a bare calendar, one after another, with the delays of a put's hops:
/// what remains of a put when its models cost nothing.
struct Chain {
  Calendar calendar;
  std::int64_t left;
  Picoseconds now{};
  void go() {
    constexpr std::int64_t hops[] = {30'457, 72'508, 177'508, 150'000, 72'381, 110'000, 300'000, 82'000};
    if (--left <= 0) return;
    calendar.push(now + Picoseconds{hops[left % 8]}, 0,
                  [](void* self) { static_cast<Chain*>(self)->go(); }, this);
  }
};

Run bare(std::int64_t events) {
  Chain chain{{}, events, {}};
  return timed(static_cast<double>(puts), [&] {
    chain.go();
    Calendar::Event event;
    while (chain.calendar.pop_through(Picoseconds::max(), event)) {
      chain.now = event.time;
      event.call(event.self);
    }
    return static_cast<std::uint64_t>(puts);
  });
}

Case whole_put(const std::string& system, const std::string& path) {
  const schema::Scenario put = scenario(system, path);
  const whatif::RunOptions options{.gain = false};
  const Count events = whatif::run_scenario(put, options).events;
  return {"put_8B " + system + " " + path + ", " + std::to_string(events / puts) + " events",
          "put",
          {"gicsim",
           [put, options] {
             return timed(static_cast<double>(puts), [&] {
               return static_cast<std::uint64_t>(whatif::run_scenario(put, options).results.front().n);
             });
           }},
          {{"events alone", [events] { return bare(events); }}},
          false};
}

}  // namespace

std::vector<Case> whole_puts() {
  return {whole_put("h200_cx7_ib", "gpu_direct"), whole_put("h200_cx7_ib", "cpu_proxy"),
          whole_put("gb200_cx7_ib", "gpu_direct")};
}

}  // namespace gicsim::bench
