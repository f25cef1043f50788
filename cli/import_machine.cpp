// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/commands.h"
#include "cli/print.h"
#include "models/base/errors.h"
#include "scenarios/report/out_dir.h"
#include "traces/import/machine.h"

namespace gicsim::cli {
namespace {

namespace fs = std::filesystem;

imports::MachineSaid said(const ImportMachine& command) {
  imports::MachineSaid said{command.nodes, command.sockets, {}};
  for (const std::string& one : command.set) {
    const std::size_t equals = one.find('=');
    if (equals == one.npos || equals == 0 || equals + 1 == one.size())
      throw ConfigError(Location{"gicsim"}, "--set: '" + one + "' has no value; write it like gpu0.pcie.lanes=16");
    said.set.emplace_back(one.substr(0, equals), one.substr(equals + 1));
  }
  return said;
}

void read(imports::MachineReader& reader, const std::string& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) throw ConfigError(Location{file}, "a directory; give a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw ConfigError(Location{file}, std::string("can't be read: ") + std::strerror(errno));
  reader.read(in, file);
}

}  // namespace

int perform(const ImportMachine& command, const std::string&) {
  const imports::MachineSaid wanted = said(command);
  imports::MachineReader reader;
  std::vector<Mistake> mistakes;  // of all files in one go
  for (const std::string& file : command.files) {
    try {
      read(reader, file);
    } catch (const ConfigError& error) {
      mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
    }
  }
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
  const imports::MachineText machine = reader.finish(wanted);
  for (const std::string& line : machine.read) complain(line);
  for (const std::string& line : machine.warnings) complain("warning: " + line);
  if (!command.out) {
    print(machine.yaml);
    return 0;
  }
  const fs::path out = *command.out;
  report::OutDir(out.has_parent_path() ? out.parent_path() : ".").write({{out.filename().string(), machine.yaml}});
  return 0;
}

}  // namespace gicsim::cli
