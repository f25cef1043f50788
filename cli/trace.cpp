// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/commands.h"
#include "cli/print.h"
#include "models/base/errors.h"
#include "scenarios/schema/hint.h"
#include "traces/roce/info.h"
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

/// Each file's, or the mistakes of all in one go.
template <class Read>
void each(const std::vector<std::string>& files, const std::optional<std::string>& delivered, Read read) {
  if (delivered && files.size() != 1) throw ConfigError(Location{"gicsim"}, "--delivered: belongs to one FILE");
  std::vector<Mistake> mistakes;
  for (const std::string& file : files) {
    try {
      read(file, delivered.value_or(""));
    } catch (const ConfigError& error) {
      mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
    }
  }
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
}

}  // namespace

/// Nothing is printed unless all files could be read.
int perform(const TraceInfo& command, const std::string&) {
  std::vector<roce::Info> captures;
  std::vector<tlp::Info> pcie;
  std::string text;
  each(command.files, command.delivered, [&](const std::string& file, const std::string& delivered) {
    if (!text.empty()) text += "\n";
    if (const auto tlps = delivered.empty() ? tlp::open(file) : nullptr)
      text += tlp::to_text(pcie.emplace_back(tlp::survey(file, *tlps)));
    else
      text += roce::to_text(captures.emplace_back(roce::read_info(file, delivered)));
  });
  if (command.json && !pcie.empty() && !captures.empty())
    throw ConfigError(Location{"gicsim"}, "--json: TLPs and RoCE packets have a form each; ask for each in a call of its own");
  print(!command.json ? text : pcie.empty() ? roce::to_json(captures) : tlp::to_json(pcie));
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
  each(command.files, command.delivered, [&](const std::string& file, const std::string& delivered) {
    const std::vector<captures::Verdict> verdicts = captures::check(file, delivered, role, transport);
    text += captures::to_text(file, verdicts);
    for (const captures::Verdict& verdict : verdicts) good = good && verdict.good();
  });
  print(text);
  return good ? 0 : 1;
}

}  // namespace gicsim::cli
