// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/commands.h"
#include "cli/print.h"
#include "models/base/errors.h"
#include "scenarios/report/out_dir.h"
#include "scenarios/schema/hint.h"
#include "traces/import/import.h"
#include "traces/import/table.h"

namespace gicsim::cli {
namespace {

namespace fs = std::filesystem;

template <class Enum>
Enum word(const std::string& option, const std::string& given) {
  const auto names = names_of(Enum{});
  const auto found = std::find(names.begin(), names.end(), given);
  if (found != names.end()) return static_cast<Enum>(found - names.begin());
  const std::vector<std::string> known(names.begin(), names.end());
  const std::string hint = schema::did_you_mean(given, known);
  throw ConfigError(Location{"gicsim"}, option + ": '" + given + "' isn't known" +
                                            (hint.empty() ? "; write " + schema::listed(known) : hint));
}

imports::Said said(const Import& command, const std::string& file) {
  imports::Said said{command.system.value_or(fs::path(file).stem().string()), {}, {}};
  if (command.pattern) said.pattern = word<Pattern>("--pattern", *command.pattern);
  if (command.path) said.path = word<Path>("--path", *command.path);
  return said;
}

std::ifstream opened(const std::string& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) throw ConfigError(Location{file}, "a directory; give a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw ConfigError(Location{file}, std::string("can't be read: ") + std::strerror(errno));
  return in;
}

/// Mistakes of all files in one go.
std::vector<Record> records_of(const Import& command) {
  std::vector<Record> records;
  std::vector<Mistake> mistakes;
  for (const std::string& file : command.files) {
    try {
      std::ifstream in = opened(file);
      const imports::Imported imported = imports::read(
          in, file, said(command, file), [&records](Record&& record) { records.push_back(std::move(record)); });
      complain(imports::to_text(imported, file));
    } catch (const ConfigError& error) {
      mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
    }
  }
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
  return records;
}

std::string text_of(const std::vector<Record>& records, const std::optional<std::string>& format) {
  std::string text;
  if (!format || *format == "records") {
    for (const Record& record : records) text += to_json_line(record) + "\n";
    return text;
  }
  const imports::Table table = imports::to_table(records, word<imports::Layout>("--format", *format));
  for (const imports::Left& left : table.left)
    complain("record " + std::to_string(left.line) + ": left out: " + left.why +
             (left.count > 1 ? " (" + std::to_string(left.count) + " times; this is the first)" : ""));
  if (table.text.empty()) throw ConfigError(Location{"gicsim"}, "--format: no record has a place in this layout");
  return table.text;
}

}  // namespace

int perform(const Import& command, const std::string&) {
  const std::string text = text_of(records_of(command), command.format);
  if (!command.out) {
    print(text);
    return 0;
  }
  const fs::path out = *command.out;
  report::OutDir(out.has_parent_path() ? out.parent_path() : ".").write({{out.filename().string(), text}});
  return 0;
}

}  // namespace gicsim::cli
