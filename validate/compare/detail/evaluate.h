// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "validate/compare/compare.h"

namespace gicsim::compare {

/// A figure, or why there is none.
struct Figure {
  double value = 0;
  std::string wrong;
};

/// Works out expressions, running each scenario once.
class Evaluator {
 public:
  explicit Evaluator(const Simulate& simulate) : simulate_(simulate) {}
  /// In the model's own unit: ns, GB/s, Mmsg/s, B, cycles.
  Figure evaluate(const reference::Expression& expression);
  std::size_t runs() const { return outcomes_.size(); }

 private:
  /// Laid over every term before it runs.
  struct Change {
    std::string key, value;
    bool in_set = false;  ///< a parameter, not a scenario key
  };
  struct Outcome {
    std::vector<Record> results;
    std::string wrong;
  };
  const Outcome& outcome_of(const ScenarioRequest& request);
  Figure sum(std::vector<reference::Term> terms, const Change& change);
  /// Divided by the run that it is a part of, if there is one.
  Figure part(const reference::Expression& expression, const Change& change);
  Figure fitted(const reference::Expression& expression);
  Figure first(const reference::Expression& expression);

  const Simulate& simulate_;
  std::map<ScenarioRequest, Outcome> outcomes_;
};

}  // namespace gicsim::compare
