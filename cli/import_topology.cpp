// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/print.h"
#include "cli/schedule_file.h"
#include "traces/fabric/topology.h"

namespace gicsim::cli {

int perform(const ImportTopology& command, const std::string&) {
  const fabric::SystemText system = fabric::to_system(fabric::read_ns3_topology(command.file));
  for (const std::string& warning : system.warnings) complain("warning: " + warning);
  write_stream(command.out, [&](std::ostream& out) { out << system.yaml; });
  return 0;
}

}  // namespace gicsim::cli
