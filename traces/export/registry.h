// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "traces/export/exporter.h"

namespace gicsim::exports {

struct Entry {
  std::string_view name, sentence;
  std::unique_ptr<Exporter> (*make)(const Options& options);
};

/// All there are, in the order in which they are listed.
std::span<const Entry> registry();
/// "tlp, timeline, ..."
std::string names();

/// @param list  names with commas between them, each once or more
/// @throws ConfigError  those that don't exist, in one go, with the list of those that do
std::vector<std::unique_ptr<Exporter>> make_exporters(std::string_view list, const Options& options);

}  // namespace gicsim::exports
