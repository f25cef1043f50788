// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traces/schedule/source.h"

namespace gicsim::profile {

/// Of a file's first octets: an SQLite database. Which tables it has is for the next.
bool looks_like_sqlite(std::string_view head);
/// Whether it is an export of Nsight Systems: nsys export --type sqlite.
bool is_nsight(const std::string& file);

/// A rank a process that ran kernels, of one export or several.
/// @throws ConfigError
std::unique_ptr<schedule::Source> open_nsight(const std::vector<std::string>& files);

}  // namespace gicsim::profile
