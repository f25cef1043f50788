// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/print.h"
#include "scenarios/catalog/catalog.h"

namespace gicsim::cli {

int perform(const Params& command, const std::string& root) {
  print(command.markdown ? catalog::parameter_reference()
        : command.schema ? catalog::scenario_json_schema()
                         : catalog::params(root, command.words));
  return 0;
}

}  // namespace gicsim::cli
