// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/files.h"
#include "traces/import/machine.h"

namespace gicsim::imports {

struct Machine {
  std::string yaml, warnings, wrong;  ///< warnings and mistakes one a line
  std::vector<std::string> read;
};

using Texts = std::vector<std::pair<std::string, std::string>>;  ///< file, content

inline Machine machine_of(const Texts& files, const MachineSaid& said = {}) {
  Machine result;
  try {
    MachineReader reader;
    for (const auto& [file, text] : files) {
      std::istringstream in(text);
      reader.read(in, file);
    }
    MachineText text = reader.finish(said);
    result.yaml = std::move(text.yaml);
    result.read = std::move(text.read);
    for (const std::string& line : text.warnings) result.warnings += line + "\n";
  } catch (const ConfigError& error) {
    result.wrong = error.what();
  }
  return result;
}

inline std::string machine_sample(const std::string& name) { return contents(source_root() + "/traces/samples/machine/" + name); }

inline Machine machine(const std::vector<std::string>& samples, const MachineSaid& said = {}) {
  Texts files;
  for (const std::string& name : samples) files.emplace_back(name, machine_sample(name));
  return machine_of(files, said);
}

}  // namespace gicsim::imports
