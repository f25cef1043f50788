// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <string>
#include <vector>

namespace gicsim::hw {

/// "0-3,8" as Linux writes it. Empty where it isn't of that form.
std::vector<int> parse_cpu_list(const std::string& text);

/// One hardware thread of each core that this process may use: those of the NUMA node first ("" or "-1": no matter),
/// and core 0, which serves most interrupts, last. Never empty.
std::vector<int> cores_near(const std::string& numa_node);

/// The calling thread stays on a core, for a scope.
class OnCore {
 public:
  /// @throws HardwareError the system refuses
  explicit OnCore(int core);
  ~OnCore();
  OnCore(const OnCore&) = delete;
  OnCore& operator=(const OnCore&) = delete;

 private:
  cpu_set_t before_;
};

}  // namespace gicsim::hw
