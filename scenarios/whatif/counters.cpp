// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/results.h"

namespace gicsim::whatif {
namespace {

class CounterVisitor {
 public:
  CounterVisitor(std::vector<report::Counter>& out, const char* module) : out_(out), module_(module) {}
  void operator()(std::string_view name, Count value, std::string_view sentence) { add(name, sentence, "", value); }
  void operator()(std::string_view name, Bytes value, std::string_view sentence) {
    add(name, sentence, "B", value.count());
  }
  void operator()(std::string_view name, Picoseconds value, std::string_view sentence) {
    add(name, sentence, "ps", value.count());
  }

 private:
  void add(std::string_view name, std::string_view sentence, const char* unit, std::int64_t value) {
    out_.push_back({module_, std::string(name), std::string(sentence), unit, value});
  }
  std::vector<report::Counter>& out_;
  const char* module_;
};

}  // namespace

std::vector<report::Counter> counters(const system::System& system) {
  std::vector<report::Counter> all;
  system.visit_stats([&](const char* module, auto stats) {
    CounterVisitor visitor(all, module);
    describe(visitor, stats);
  });
  return all;
}

}  // namespace gicsim::whatif
