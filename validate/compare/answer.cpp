// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/compare/answer.h"

#include <utility>

#include "validate/compare/deviations.h"
#include "validate/compare/print.h"

namespace gicsim::compare {

Answer answer(const Question& question, const std::string& root, const Simulate& simulate) {
  const auto known = load_deviations(root + "/DEVIATIONS.md");
  Library library = load_library(root);
  if (const auto& records = question.selection.records; !records.empty())
    library = {{}, {}, reference::from_records(records, question.selection.system)};
  const Comparison comparison = compare(library, question.selection, simulate);
  Answer given;
  switch (question.form) {
    case Question::Form::text:
      given.text = to_text(comparison);
      break;
    case Question::Form::json:
      given.text = to_json(comparison);
      break;
    case Question::Form::deviations:
      given.text = deviations_table(comparison, known);
      break;
  }
  if (!question.strict) return given;
  given.failures = strict_failures(comparison, known);
  if (!question.selection.system.empty() || !question.selection.records.empty()) return given;  // lines of other systems have no figure here
  for (std::string& stale : stale_lines(comparison, known)) given.failures.push_back(std::move(stale));
  return given;
}

}  // namespace gicsim::compare
