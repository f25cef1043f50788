// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/print.h"
#include "scenarios/whatif/run.h"
#include "validate/compare/answer.h"
#include "validate/compare/simulator.h"
#include "validate/evidence/evidence.h"

namespace gicsim::cli {

int perform(const Compare& command, const std::string& root) {
  using Form = compare::Question::Form;
  compare::Question question;
  question.selection = {command.tables, command.system, command.records};
  question.form = command.json ? Form::json : command.deviations ? Form::deviations : Form::text;
  question.strict = command.strict;
  const auto simulate = compare::simulator(root, [](const schema::Scenario& scenario) {
    return whatif::run_scenario(scenario, {.gain = false});
  });
  if (command.evidence) {
    print(evidence::to_yaml(evidence::gather(
        compare::compare(compare::load_library(root), question.selection, simulate))));
    return 0;
  }
  const compare::Answer answer = compare::answer(question, root, simulate);
  print(answer.text);
  for (const std::string& failure : answer.failures) complain(failure);
  return answer.failures.empty() ? 0 : 1;
}

}  // namespace gicsim::cli
