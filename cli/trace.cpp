// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/print.h"
#include "models/base/errors.h"
#include "traces/roce/info.h"

namespace gicsim::cli {

/// Mistakes of all files in one go, and nothing printed of the others then.
int perform(const TraceInfo& command, const std::string&) {
  if (command.delivered && command.files.size() != 1)
    throw ConfigError(Location{"gicsim"}, "--delivered: belongs to one FILE");
  std::vector<roce::Info> all;
  std::vector<Mistake> mistakes;
  for (const std::string& file : command.files) {
    try {
      all.push_back(roce::read_info(file, command.delivered.value_or("")));
    } catch (const ConfigError& error) {
      mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
    }
  }
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
  if (command.json) {
    print(roce::to_json(all));
    return 0;
  }
  std::string text;
  for (const roce::Info& info : all) text += (text.empty() ? "" : "\n") + roce::to_text(info);
  print(text);
  return 0;
}

}  // namespace gicsim::cli
