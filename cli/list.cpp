// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/print.h"
#include "scenarios/catalog/catalog.h"

namespace gicsim::cli {

int perform(const List&, const std::string& root) {
  print(catalog::list(root));
  return 0;
}

}  // namespace gicsim::cli
