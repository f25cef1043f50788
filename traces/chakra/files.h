// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "traces/schedule/groups.h"

namespace gicsim::chakra {

/// Which file is which rank's.
struct Files {
  std::map<std::uint32_t, std::string> ranks;
  std::vector<std::string> groups;
};
/// @throws ConfigError
Files find_files(const std::vector<std::string>& given);

/// ASTRA-sim's communicator groups, {"NAME": [RANK, ...]}, or those that Chakra's pg_extractor writes.
void read_groups(const std::string& file, schedule::Groups& groups);

}  // namespace gicsim::chakra
