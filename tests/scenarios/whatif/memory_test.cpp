// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

/// Most memory, in MB, that a process of its own needs for that many puts.
double megabytes(Count puts) {
  const pid_t child = fork();
  if (child == 0) {
    bool good = false;
    try {
      schema::Scenario s = scenario({});
      s.iterations = puts;
      good = simulate(s).status == Status::done;
    } catch (...) {
    }
    _exit(good ? 0 : 1);
  }
  int status = 1;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  CHECK(status == 0);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

TEST_CASE("memory: a put leaves behind its samples, and nothing else") {
  const double few = megabytes(50'000), many = megabytes(200'000);
  MESSAGE(few << " MB for 50,000 puts, " << many << " MB for 200,000");
  // Three latencies of 8 B a put are 3.6 MB. A million puts, which would take too long here, stay
  // below 60 MB by the same rule.
#ifndef __SANITIZE_ADDRESS__  // it keeps what was freed
  CHECK(many - few < 5);
  CHECK(many < 100);
#endif
}

}  // namespace
}  // namespace gicsim
