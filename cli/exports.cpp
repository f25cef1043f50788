// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/exports.h"

#include <exception>
#include <iterator>

#include "cli/print.h"
#include "models/base/errors.h"
#include "models/units/text.h"
#include "traces/export/registry.h"
#include "traces/export/tlp.h"

namespace gicsim::cli {
namespace {

ConfigError wrong(const std::string& what) { return {Location{"gicsim"}, what}; }

Bytes limit_of(const std::optional<std::string>& given, const char* option) {
  if (!given) return exports::Options::standard_limit;
  const auto limit = text::read<Bytes>(*given);
  if (!limit.value) throw wrong(std::string(option) + ": " + limit.wrong);
  return *limit.value;
}

exports::Options options_of(const Written& command) {
  exports::Options options{.limit = limit_of(command.export_limit, "--export-limit"),
                           .signals = command.signals.value_or("")};
  if (!command.export_interval) return options;
  const auto interval = text::read<Picoseconds>(*command.export_interval);
  if (!interval.value) throw wrong("--export-interval: " + interval.wrong);
  if (*interval.value <= Picoseconds{})
    throw wrong("--export-interval: '" + *command.export_interval + "' is no time between samples");
  options.interval = *interval.value;
  return options;
}

}  // namespace

Exported::Exported(const Written& command) {
  if (command.exports) {
    auto exporters = exports::make_exporters(*command.exports, options_of(command));
    if (!command.out) throw wrong("--export: say with -o DIR which folder its files go to");
    places_.push_back({*command.out, report::OutDir(*command.out), "--export-limit", std::move(exporters)});
  }
  if (!command.tlp_log) return;
  const std::filesystem::path file = *command.tlp_log;
  if (!file.has_filename() || std::filesystem::is_directory(file))
    throw wrong("--tlp-log: '" + file.string() + "' is a folder; give a file");
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const exports::Options options{.limit = limit_of(command.tlp_log_limit, "--tlp-log-limit")};
  places_.push_back({folder, report::OutDir(folder), "--tlp-log-limit"});
  places_.back().exporters.push_back(std::make_unique<exports::TlpExporter>(options, file.filename().string()));
}

whatif::Exporters Exported::heard() const {
  whatif::Exporters all;
  for (const Place& place : places_)
    for (const auto& exporter : place.exporters) all.push_back(exporter.get());
  return all;
}

void Exported::write() {
  for (Place& place : places_) {
    exports::Files files;
    for (const auto& exporter : place.exporters) {
      exports::Files more = exporter->files();
      files.insert(files.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    place.out.write(files);
    for (const auto& exporter : place.exporters)
      for (const exports::LeftOut& one : exporter->left_out())
        complain((place.folder / one.file).lexically_normal().string() + ": full; " + std::to_string(one.left_out) +
                 " of " + std::to_string(one.of) + " " + one.what + " are left out; " + place.limit +
                 " sets how large it may become");
  }
}

report::Finished run_exported(const schema::Scenario& scenario, Exported& exported) {
  report::Finished run;
  try {
    run = whatif::run_scenario(scenario, {.exporters = exported.heard()});
  } catch (const ModelError&) {
    try {
      exported.write();
    } catch (const std::exception& error) {
      complain(error.what());  // the run's own end is what counts
    }
    throw;
  }
  exported.write();
  return run;
}

}  // namespace gicsim::cli
