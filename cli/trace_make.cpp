// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/open/open.h"
#include "traces/schedule/make.h"

#include <algorithm>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/schedule_file.h"
#include "models/base/errors.h"
#include "models/units/text.h"
#include "scenarios/schema/hint.h"

namespace gicsim::cli {
namespace {

template <class Quantity>
Quantity quantity(const std::string& option, const std::string& given) {
  const auto read = text::read<Quantity>(given);
  if (!read.value) throw ConfigError(Location{"gicsim"}, option + ": " + read.wrong);
  return *read.value;
}

schedule::Workload workload(const std::string& given) {
  const auto& names = schedule::workload_names;
  const auto found = std::find(names.begin(), names.end(), given);
  if (found != names.end()) return static_cast<schedule::Workload>(found - names.begin());
  const std::vector<std::string> known(names.begin(), names.end());
  const std::string hint = schema::did_you_mean(given, known);
  throw ConfigError(Location{"gicsim"}, "trace make: '" + given + "' is no workload" +
                                            (hint.empty() ? "; write " + schema::listed(known) : hint));
}

void write(const std::string& format, schedule::Source& source, const std::optional<std::string>& file, bool puts) {
  std::string lost;
  write_stream(file, [&](std::ostream& out) { lost = write_as(format, source, out, puts); });
  if (!lost.empty()) complain(lost);
}

}  // namespace

int perform(const TraceMake& command, const std::string&) {
  schedule::Making making;
  making.what = workload(command.workload);
  making.ranks = command.ranks;
  making.bytes = quantity<Bytes>("--bytes", command.bytes);
  if (command.compute) making.compute = quantity<Picoseconds>("--compute", *command.compute);
  making.iterations = command.iterations;
  making.layers = command.layers;
  making.micro_batches = command.micro_batches;
  making.experts = command.experts;
  making.top_k = command.top_k;
  making.tokens = command.tokens;
  making.seed = command.seed;
  write(command.format, *schedule::make(making), command.out, false);
  return 0;
}

int perform(const TraceConvert& command, const std::string&) {
  const traces::Opened trace = traces::open(command.files);
  write(command.format, *trace.source, command.out, true);
  return 0;
}

}  // namespace gicsim::cli
