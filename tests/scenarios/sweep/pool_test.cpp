// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/sweep/pool.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "tests/support/files.h"

namespace gicsim::sweep {
namespace {

std::vector<Ended> all(std::size_t count, int jobs, const std::function<std::string(std::size_t)>& work) {
  std::vector<Ended> ends(count);
  std::size_t calls = 0;
  run_apart(count, jobs, work, [&](std::size_t i, Ended ended) {
    ends[i] = std::move(ended);
    ++calls;
  });
  CHECK(calls == count);
  return ends;
}

TEST_CASE("pool: what each piece returns comes back whole, however many run at once") {
  const auto work = [](std::size_t i) { return std::string(i * 100'000, static_cast<char>('a' + i)); };
  for (const int jobs : {1, 3, 16}) {
    const auto ends = all(5, jobs, work);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      CHECK(ends[i].said == work(i));
      CHECK(ends[i].broke_off.empty());
    }
  }
  CHECK(all(0, 4, work).empty());
}

TEST_CASE("pool: each runs in a process of its own") {
  int here = 0;
  const auto ends = all(3, 1, [&](std::size_t) { return std::to_string(++here) + " " + std::to_string(getpid()); });
  CHECK(here == 0);
  for (const Ended& ended : ends) CHECK(ended.said.starts_with("1 "));
  CHECK(ends[0].said != ends[1].said);
}

TEST_CASE("pool: one that crashes, exits or throws takes no other along") {
  const auto ends = all(5, 2, [](std::size_t i) -> std::string {
    if (i == 1) raise(SIGKILL);
    if (i == 2) _exit(9);
    if (i == 3) signal(SIGABRT, SIG_DFL), throw std::runtime_error("nobody catches");
    return "fine";
  });
  CHECK(ends[0].said == "fine");
  CHECK(holds(ends[1].broke_off, "ended by signal 9"));
  CHECK(ends[2].broke_off == "ended with exit code 9");
  CHECK(holds(ends[3].broke_off, "ended by signal 6"));
  CHECK(ends[4].said == "fine");
}

}  // namespace
}  // namespace gicsim::sweep
