// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "traces/import/detail/input.h"
#include "traces/import/detail/machine_facts.h"

namespace gicsim::imports::detail {

/// What one tool prints of a machine.
struct MachineFormat {
  std::string_view name;
  bool (*detect)(std::string_view head);
  void (*read)(Input& in, MachineFile& found);
};

extern const MachineFormat lspci, lspci_tree, smi_query, smi_topo, ibstat, ibv_devinfo, nccl_topology;

/// Whether some line of a text is one that `is` looks for.
bool any_line(std::string_view text, bool (*is)(std::string_view line));

}  // namespace gicsim::imports::detail
