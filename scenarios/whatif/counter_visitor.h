// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/units/bytes.h"
#include "models/units/time.h"
#include "scenarios/report/finished.h"

namespace gicsim::whatif {

/// Turns described statistics into counters; what a module lacks gives none.
class CounterVisitor {
 public:
  CounterVisitor(std::vector<report::Counter>& out, std::string module) : out_(out), module_(std::move(module)) {}
  void operator()(std::string_view name, Count value, std::string_view sentence) { add(name, sentence, "", value); }
  void operator()(std::string_view name, std::optional<Count> value, std::string_view sentence) {
    if (value) add(name, sentence, "", *value);
  }
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
  std::string module_;
};

}  // namespace gicsim::whatif
