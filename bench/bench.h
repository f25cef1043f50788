// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace gicsim::bench {

/// One timed run of a contender.
struct Run {
  double nanoseconds;      ///< per unit of work
  std::uint64_t checksum;  ///< equal for all contenders of a case: they do the same work
};

struct Contender {
  std::string name;
  std::function<Run()> run;
};

/// Ours against the best of the limits, all measured in the same process, in turns.
struct Case {
  std::string name;
  std::string unit;  ///< "event", "TLP"
  Contender ours;
  std::vector<Contender> limits;
  bool bounded = true;  ///< false: for information, whatever the ratio
};

std::vector<Case> kernel_alone();
std::vector<Case> tlp_pipeline();
std::vector<Case> whole_puts();  ///< reads scenarios below GICSIM_ROOT

/// Times `work`, which does `units` units and returns a checksum. Processor time, as a machine
/// with other users would spoil the wall's.
template <class Work>
Run timed(double units, Work&& work) {
  const std::clock_t start = std::clock();
  const std::uint64_t checksum = work();
  const double spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return {spent * 1e9 / units, checksum};
}

}  // namespace gicsim::bench
