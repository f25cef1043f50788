// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/cores.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "hw_backend/core/error.h"

namespace gicsim::hw {
namespace {

std::string line_of(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace

std::vector<int> parse_cpu_list(const std::string& text) {
  std::vector<int> cpus;
  std::size_t at = 0;
  const auto number = [&] {
    int value = -1;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && value < 100'000; ++at)
      value = std::max(value, 0) * 10 + (text[at] - '0');
    return value;
  };
  while (at < text.size()) {
    const int from = number();
    int to = from;
    if (at < text.size() && text[at] == '-') ++at, to = number();
    if (from < 0 || to < from) return {};
    for (int cpu = from; cpu <= to; ++cpu) cpus.push_back(cpu);
    if (at < text.size() && text[at++] != ',') return {};
  }
  return cpus;
}

std::vector<int> cores_near(const std::string& numa_node) {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  const auto allowed = [&](int cpu) { return cpu < CPU_SETSIZE && CPU_ISSET(cpu, &set); };
  const std::vector<int> near = parse_cpu_list(line_of("/sys/devices/system/node/node" + numa_node + "/cpulist"));
  std::vector<int> cores;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!allowed(cpu)) continue;
    const std::string topology = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list";
    const std::vector<int> siblings = parse_cpu_list(line_of(topology));
    const auto first = std::find_if(siblings.begin(), siblings.end(), allowed);
    if (first == siblings.end() || *first == cpu) cores.push_back(cpu);
  }
  std::stable_sort(cores.begin(), cores.end(), [&](int a, int b) {
    const auto rank = [&](int cpu) {
      return 2 * (std::find(near.begin(), near.end(), cpu) == near.end()) + (cpu == 0);
    };
    return rank(a) < rank(b);
  });
  return cores;
}

OnCore::OnCore(int core) {
  sched_getaffinity(0, sizeof before_, &before_);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0)
    fail(__FILE__, __LINE__, "sched_setaffinity to core " + std::to_string(core), std::strerror(errno));
}

OnCore::~OnCore() { sched_setaffinity(0, sizeof before_, &before_); }

}  // namespace gicsim::hw
