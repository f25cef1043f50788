// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/print.h"
#include "scenarios/catalog/catalog.h"

namespace gicsim::cli {

int perform(const New& command, const std::string&) {
  print(catalog::new_scenario(command.pattern));
  return 0;
}

}  // namespace gicsim::cli
