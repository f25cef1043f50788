// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bench.h"

namespace gicsim::bench {
namespace {

constexpr double bound = 1.5;  // ours over the best limit

constexpr std::string_view usage =
    "gicsim-bench [--strict] [--repeats N] [--only TEXT]\n"
    "  What the kernel costs against limits measured in the same run: contenders take turns,\n"
    "  the minimum of N repeats (15) counts. --strict: exit 1 when a ratio is above 1.5.\n";

/// Every table of the program.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (auto* const make : {kernel_alone, tlp_pipeline, whole_puts})
    for (Case& entry : make()) cases.push_back(std::move(entry));
  return cases;
}

/// @return whether ours is within the bound
bool measure(const Case& entry, int repeats) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double ours = infinity;
  std::vector<double> limits(entry.limits.size(), infinity);
  bool equal = true;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Run own = entry.ours.run();
    ours = std::min(ours, own.nanoseconds);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const Run other = entry.limits[i].run();
      limits[i] = std::min(limits[i], other.nanoseconds);
      equal = equal && other.checksum == own.checksum;
    }
  }
  const auto best = std::min_element(limits.begin(), limits.end());
  const double ratio = ours / *best;
  const bool within = ratio <= bound;
  const char* const verdict = !equal           ? "DIFFERENT WORK"
                              : !entry.bounded ? ""
                              : within         ? "ok"
                                               : "TOO SLOW";
  std::printf("%-42s %8.1f %8.1f  %-16s %6.2f  %6.1f  %s\n", entry.name.c_str(), ours, *best,
              entry.limits[static_cast<std::size_t>(best - limits.begin())].name.c_str(), ratio,
              1e3 / ours, verdict);
  std::fflush(stdout);
  return equal && (within || !entry.bounded);
}

int run(const std::vector<std::string_view>& arguments) {
  bool strict = false;
  int repeats = 15;
  std::string_view only;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool more = i + 1 < arguments.size();
    if (arguments[i] == "--strict") {
      strict = true;
    } else if (arguments[i] == "--repeats" && more) {
      repeats = std::max(1, std::atoi(std::string(arguments[++i]).c_str()));
    } else if (arguments[i] == "--only" && more) {
      only = arguments[++i];
    } else {
      std::fputs(usage.data(), stderr);
      return arguments[i] == "--help" ? 0 : 2;
    }
  }
  std::printf("%-42s %8s %8s  %-16s %6s  %6s\n", "case (ns per event or TLP)", "ours", "limit",
              "which", "ratio", "M/s");
  bool within = true;
  for (const Case& entry : all_cases())
    if (entry.name.find(only) != std::string::npos) within = measure(entry, repeats) && within;
  return strict && !within ? 1 : 0;
}

}  // namespace
}  // namespace gicsim::bench

int main(int argc, char** argv) { return gicsim::bench::run({argv + 1, argv + argc}); }

// The SystemC library brings a main of its own, which asks for this.
extern "C" int sc_main(int, char**) { return 0; }
