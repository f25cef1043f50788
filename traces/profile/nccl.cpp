// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/nccl.h"

#include <filesystem>

#include "models/base/errors.h"
#include "traces/profile/detail/nccl_file.h"

namespace gicsim::profile {
namespace {

/// The plugin calls its files NAME-HOST-NUMBER.txt: told apart where there are several of one NAME, up to its first -.
std::vector<std::string> hosts_in_names(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(std::filesystem::path(file).filename().string());
  std::string common = names.empty() ? "" : names[0];
  for (const std::string& name : names) {
    std::size_t n = 0;
    while (n < common.size() && n < name.size() && common[n] == name[n]) ++n;
    common.resize(n);
  }
  const auto from = common.find('-');
  if (files.size() < 2 || from == common.npos) return std::vector<std::string>(files.size());
  for (std::string& name : names) {
    const auto to = name.rfind('-');
    name = to > from ? name.substr(from + 1, to - from - 1) : std::string();
  }
  return names;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
char first_of(std::string_view head) {
  const auto at = head.find_first_not_of(" \t\r\n");
  return at == head.npos ? '\0' : head[at];
}

}  // namespace

std::unique_ptr<schedule::Source> detail::open_calls(const std::vector<std::string>& files,
                                                     std::unique_ptr<Calls> (*calls_of)(const std::string&,
                                                                                        std::shared_ptr<Common>),
                                                     std::string format, std::vector<std::string> hosts,
                                                     const std::vector<std::string>& notes) {
  auto common = std::make_shared<Common>();
  auto members = std::make_shared<Members>();
  bool begins = true, timed = true, any = false;
  for (std::size_t file = 0; file < files.size(); ++file) {
    const auto calls = calls_of(files[file], common);
    for (Call call; calls->next(call); call = Call{}) {
      members->add(file, call.communicator, call.rank, call.ranks);
      if (!call.host.empty()) hosts[file] = call.host;
      begins = begins && call.begin;
      timed = timed && call.timed;
      any = true;
    }
  }
  if (!any) throw ConfigError(Location{files.empty() ? "" : files[0]}, "no collective and no message is in it");
  common->unused.clear();  // of this first look
  members->settle(common->groups);
  common->notes.add(
      "collectives are taken apart by rings, and straight messages; a communicator's n-th collective of one "
      "rank is taken for the n-th of another");
  for (const std::string& note : notes) common->notes.add(note);
  if (!timed)
    common->notes.add("it has no times: each call begins when the one before it on its communicator has ended");
  else if (!begins)
    common->notes.add(
        "when they began isn't recorded (NCCL_INSPECTOR_DUMP_VERBOSE=1): each begins when the one before it ended");
  std::vector<std::unique_ptr<Reader>> ranks;
  std::vector<std::string> where;
  bool known = true;
  for (std::uint32_t rank = 0; rank < members->count(); ++rank) {
    const std::size_t file = members->file_of(rank);
    ranks.push_back(std::make_unique<NcclRank>(rank, file, calls_of(files[file], common), members, common));
    where.push_back(hosts[file]);
    known = known && !hosts[file].empty();
  }
  if (!known) where.clear();
  return std::make_unique<Profile>(std::move(format), common, std::move(ranks), std::move(where));
}

bool looks_like_nccl_profiler(std::string_view head) {
  return first_of(head) == '[' && has(head, "\"cat\"") && has(head, "\"ph\"") &&
         (has(head, "\"GROUP\"") || has(head, "\"GROUP_API\"") || has(head, "\"COLL\"") || has(head, "\"P2P\"") ||
          has(head, "\"PROXY\"") || has(head, "\"COLL_API\"") || has(head, "\"P2P_API\"") || has(head, "\"NET\""));
}

bool looks_like_nccl_inspector(std::string_view head) {
  return first_of(head) == '{' && has(head, "\"header\"") &&
         (has(head, "\"coll_perf\"") || has(head, "\"p2p_perf\"") || has(head, "\"inspector_output_format_version\""));
}

std::unique_ptr<schedule::Source> open_nccl_profiler(const std::vector<std::string>& files) {
  return detail::open_calls(files, detail::profiler_calls, "NCCL profiler plugin", hosts_in_names(files),
                            {"who is in a communicator is who has events of it; without proxy events a collective's "
                             "time is that of its launch"});
}

std::unique_ptr<schedule::Source> open_nccl_inspector(const std::vector<std::string>& files) {
  return detail::open_calls(files, detail::inspector_calls, "NCCL inspector plugin",
                            std::vector<std::string>(files.size()),
                            {"NCCL's inspector leaves out messages of less than 8 KiB unless it is told not to"});
}

}  // namespace gicsim::profile
