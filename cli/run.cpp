// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/version.h"
#include "models/base/errors.h"
#include "models/units/text.h"
#include "scenarios/report/json.h"
#include "scenarios/report/out_dir.h"
#include "scenarios/report/sums.h"
#include "scenarios/report/text.h"
#include "scenarios/schema/config_text.h"
#include "scenarios/schema/load.h"
#include "scenarios/whatif/run.h"
#include "scenarios/whatif/side_by_side.h"
#include "validate/evidence/evidence.h"

namespace gicsim::cli {
namespace {

std::vector<schema::Override> overrides_of(const Run& command) {
  std::vector<schema::Override> overrides;
  for (const std::string& argument : command.set)
    overrides.push_back(schema::override_from(argument));
  return overrides;
}

int exit_code(const report::Finished& run) {
  if (!report::imbalances(run).empty()) return 3;
  return run.status == run.expected ? 0 : 1;
}

/// The file of `--tlp-log`, whole or not there; it is written of a run that failed, too.
class TlpLogFile {
 public:
  explicit TlpLogFile(const Run& command)
      : file_(*command.tlp_log), folder_(folder_of(file_)), log_(limit_of(command)) {}
  exports::TlpLog& log() { return log_; }
  void write() {
    log_.finish();
    folder_.write({{file_.filename().string(), log_.text()}});
    if (log_.left_out() != 0)
      complain(file_.string() + ": full; " + std::to_string(log_.left_out()) + " of " +
               std::to_string(log_.left_out() + log_.written()) +
               " TLPs are left out; --tlp-log-limit sets how large it may become");
  }

 private:
  static std::filesystem::path folder_of(const std::filesystem::path& file) {
    if (!file.has_filename() || std::filesystem::is_directory(file))
      throw ConfigError(Location{"gicsim"}, "--tlp-log: '" + file.string() + "' is a folder; give a file");
    return file.has_parent_path() ? file.parent_path() : ".";
  }
  static Bytes limit_of(const Run& command) {
    if (!command.tlp_log_limit) return exports::TlpLog::standard_limit;
    const auto limit = text::read<Bytes>(*command.tlp_log_limit);
    if (!limit.value) throw ConfigError(Location{"gicsim"}, "--tlp-log-limit: " + limit.wrong);
    return *limit.value;
  }

  std::filesystem::path file_;
  report::OutDir folder_;
  exports::TlpLog log_;
};

report::Finished run_logged(const schema::Scenario& scenario, TlpLogFile& file) {
  try {
    const report::Finished run = whatif::run_scenario(scenario, {.tlp_log = &file.log()});
    file.write();
    return run;
  } catch (const ModelError&) {
    file.write();  // what led there is what one wants to see
    throw;
  }
}

/// One table instead of a report; the worst of its runs counts.
int path_by_path(const Run& command, const std::string& root) {
  report::SideBySide table =
      whatif::side_by_side(*command.scenario, overrides_of(command), whatif::paths_from(*command.paths), root);
  table.version = version();
  print(command.json ? report::json(table) : report::text(table));
  int worst = 0;
  for (const report::PathRun& path : table.paths)
    if (path.run) worst = std::max(worst, exit_code(*path.run));
  return worst;
}

}  // namespace

int perform(const Run& command, const std::string& root) {
  if (!command.scenario) {
    if (command.json || command.out || command.paths || command.tlp_log)
      throw ConfigError(Location{"gicsim"}, "run: which scenario? 'gicsim list' names them");
    return perform(List{}, root);
  }
  if (command.paths) return path_by_path(command, root);
  const schema::Scenario scenario = schema::load_scenario(*command.scenario, overrides_of(command), root);
  if (command.list_traffic) {
    std::string lines;
    for (const std::string& sent : whatif::traffic(scenario)) lines += sent + "\n";
    print(lines);
    return 0;
  }
  std::optional<report::OutDir> folder;
  if (command.out) folder.emplace(*command.out);

  std::optional<TlpLogFile> tlp_log;
  if (command.tlp_log) tlp_log.emplace(command);

  report::Finished run = tlp_log ? run_logged(scenario, *tlp_log) : whatif::run_scenario(scenario);
  run.version = version();
  run.evidence = evidence::lines_for(run, evidence::load(root + "/validate/evidence/evidence.yaml"));
  print(command.json ? report::json(run) : command.counters ? report::counters_text(run) : report::text(run));
  if (folder) folder->write(run, schema::config_text(scenario));
  return exit_code(run);
}

}  // namespace gicsim::cli
