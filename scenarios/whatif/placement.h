// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/base/errors.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::whatif {

/// The GPU that a rank of a trace runs on.
struct RankPlace {
  std::size_t node = 0, gpu = 0;
  friend bool operator==(const RankPlace&, const RankPlace&) = default;
};

/// Where each rank runs.
/// @param map  "gpus": node by node, a rank a GPU; "nodes": a rank a node; "hosts": ranks of one host on one node;
///             "": hosts, if the trace names them, else gpus; else a list, "0=node0.gpu1, 1=node2.gpu0", or a file
///             with a line "0 node0.gpu1" for each
/// @param hosts  of each rank; empty: not known
/// @throws ConfigError for what can't be read, a rank without a GPU, and a GPU given twice
std::vector<RankPlace> place(std::size_t ranks, const std::string& map, const std::vector<std::string>& hosts,
                             const schema::SystemSpec& system);

/// "FROM=TO, ..", or a file with a line "FROM TO" for each; '#' begins a note.
struct MapEntry {
  std::string from{}, to{};
  Location at{};
};
/// @param hint  what to write instead of what can't be read
std::vector<MapEntry> map_entries(const std::string& map, const std::string& hint);

/// The GPU and, of its node, the NIC nearest to it.
schema::Flow nearest(const schema::SystemSpec& system, RankPlace at);

}  // namespace gicsim::whatif
