// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hw_backend/core/experiment.h"

namespace gicsim::hw {

/// A line of `list`.
struct Entry {
  std::string_view group, key, sentence;
  Needs needs;
  std::unique_ptr<Experiment> (*make)() = nullptr;  ///< null: this program was built without what it is written in
  std::string_view missing;                         ///< then: what that was
};

template <class E, bool built>
Entry entry(std::string_view group, std::string_view missing) {
  Entry e{group, E::key, E::sentence, E::needs, nullptr, missing};
  if constexpr (built) e.make = []() -> std::unique_ptr<Experiment> { return std::make_unique<E>(); };
  return e;
}

/// Every experiment, in the order of `list`.
std::vector<Entry> catalog();

/// Empty when it can run on this machine; else why not, in one line.
std::string unavailable(const Entry& entry, const Machine& machine, const Options& options);

}  // namespace gicsim::hw
