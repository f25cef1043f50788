// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "validate/compare/compare.h"

namespace gicsim::compare {

/// What `gicsim compare` was asked.
struct Question {
  Selection selection;
  enum class Form { text, json, deviations } form = Form::text;
  bool strict = false;
};

/// What it prints, and whether its checks passed.
struct Answer {
  std::string text;                   ///< for standard output
  std::vector<std::string> failures;  ///< strict: for standard error, exit code 1 if any
};

/// @param root  the project's folder: validate/reference and DEVIATIONS.md are read from it
Answer answer(const Question& question, const std::string& root, const Simulate& simulate);

}  // namespace gicsim::compare
