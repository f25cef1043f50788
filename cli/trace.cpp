// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/commands.h"
#include "cli/print.h"
#include "models/base/errors.h"
#include "scenarios/schema/hint.h"
#include "traces/open/open.h"
#include "traces/roce/info.h"
#include "traces/schedule/info.h"
#include "traces/tlp/info.h"
#include "validate/captures/habits.h"
#include "validate/captures/replay.h"

namespace gicsim::cli {
namespace {

std::size_t word(const std::string& option, const std::string& given, const std::vector<std::string>& known) {
  const auto found = std::find(known.begin(), known.end(), given);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  throw ConfigError(Location{"gicsim"}, option + ": '" + given + "' isn't known; write " + schema::listed(known));
}

void belongs_to_one(bool delivered, const std::vector<std::string>& files) {
  if (delivered && files.size() != 1) throw ConfigError(Location{"gicsim"}, "--delivered: belongs to one FILE");
}

/// Each file's, or the mistakes of all in one go.
template <class Read>
void each(const std::vector<std::string>& files, Read read) {
  std::vector<Mistake> mistakes;
  for (const std::string& file : files) {
    try {
      read(file);
    } catch (const ConfigError& error) {
      mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
    }
  }
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
}

bool is_file_a_rank(const std::vector<std::string>& files) {
  return std::all_of(files.begin(), files.end(),
                     [](const std::string& file) { return traces::shape_of(file) == traces::Shape::file_a_rank; });
}

}  // namespace

/// Nothing is printed unless all files could be read.
int perform(const TraceInfo& command, const std::string&) {
  std::vector<roce::Info> captures;
  std::vector<schedule::Info> schedules;
  std::vector<tlp::Info> pcie;
  std::string text;
  const auto tell = [&](const std::vector<std::string>& files, const std::string& name) {
    const traces::Opened trace = traces::open(files);
    text += schedule::to_text(schedules.emplace_back(schedule::read_info(*trace.source, name)));
  };
  if (is_file_a_rank(command.files)) {
    if (command.delivered) throw ConfigError(Location{"gicsim"}, "--delivered: belongs to a capture, this is a schedule");
    const std::size_t more = command.files.size() - 1;
    tell(command.files, command.files.front() + (more == 0 ? "" : " and " + std::to_string(more) + " more"));
  } else {
    belongs_to_one(command.delivered.has_value(), command.files);
    const std::string delivered = command.delivered.value_or("");
    each(command.files, [&](const std::string& file) {
      if (!text.empty()) text += "\n";
      if (const auto tlps = delivered.empty() ? tlp::open(file) : nullptr) {
        text += tlp::to_text(pcie.emplace_back(tlp::survey(file, *tlps)));
        return;
      }
      if (traces::shape_of(file).value_or(traces::Shape::capture) == traces::Shape::capture) {
        text += roce::to_text(captures.emplace_back(roce::read_info(file, delivered)));
        return;
      }
      if (!delivered.empty()) throw ConfigError(Location{file}, "--delivered: belongs to a capture, this is a schedule");
      tell({file}, file);
    });
  }
  if (!command.json) {
    print(text);
    return 0;
  }
  if (!captures.empty() + !schedules.empty() + !pcie.empty() > 1)
    throw ConfigError(Location{"gicsim"}, "--json: captures, schedules and TLPs have other fields; ask for each by itself");
  print(!pcie.empty() ? tlp::to_json(pcie) : captures.empty() ? schedule::to_json(schedules) : roce::to_json(captures));
  return 0;
}

int perform(const TraceCheck& command, const std::string&) {
  std::optional<captures::Role> role;
  if (command.role) role = static_cast<captures::Role>(word("--role", *command.role, {"requester", "responder"}));
  nic::TransportParams transport;
  if (word("--like", command.like, {"spec", "soft_roce"}) == 1) transport = nic::soft_roce;
  for (const std::string& habit : command.set) captures::set(transport, habit);
  std::string text;
  bool good = true;
  belongs_to_one(!command.delivered.empty(), command.files);
  each(command.files, [&](const std::string& file) {
    const std::vector<captures::Verdict> verdicts = captures::check(file, command.delivered, role, transport);
    text += captures::to_text(file, verdicts);
    for (const captures::Verdict& verdict : verdicts) good = good && verdict.good();
  });
  print(text);
  return good ? 0 : 1;
}

}  // namespace gicsim::cli
