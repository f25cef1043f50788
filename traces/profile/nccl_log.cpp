// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "models/base/errors.h"
#include "traces/profile/detail/nccl_file.h"
#include "traces/profile/detail/nccl_lines.h"
#include "traces/profile/detail/places.h"
#include "traces/profile/nccl.h"
#include "traces/schedule/tally.h"
#include "traces/stream/items.h"

namespace gicsim::profile {
namespace {

constexpr std::size_t longest_line = 1 << 16;

/// @return false at the end of the file
bool read_line(stream::Input& in, std::string& line) {
  line.clear();
  if (in.peek() == stream::Input::end) return false;
  for (int c = in.get(); c != '\n'; c = in.get()) {
    if (c == stream::Input::end) in.cut_off("a line");
    if (line.size() < longest_line) line += static_cast<char>(c);
  }
  return true;
}

}  // namespace

bool looks_like_nccl_log(std::string_view head) { return head.find(" NCCL INFO ") != head.npos; }

bool looks_like_nccl_ras(std::string_view head) {
  const auto first = head.find('{');
  return first != head.npos && head.find("\"nccl_version\"") != head.npos && head.find("\"communicators") != head.npos;
}

std::unique_ptr<schedule::Source> open_nccl_log(const std::vector<std::string>& files) {
  detail::Topology topology;
  schedule::Tally unused;
  bool calls = false;
  for (const std::string& file : files) {
    stream::Input in(file);
    std::uint64_t number = 0;
    for (std::string line; read_line(in, line);) {
      ++number;
      if (const auto parsed = detail::parse_log_line(line)) {
        topology.add(*parsed);
        calls = calls || parsed->what.find(": opCount ") != parsed->what.npos;
      } else if (!line.empty())
        unused.add("lines that aren't NCCL's", number);
    }
  }
  if (topology.ranks() == 0)
    throw ConfigError(Location{files.empty() ? "" : files[0]},
                      "no line says which rank ran where (comm 0x… rank R nranks N): NCCL_DEBUG=INFO, "
                      "NCCL_DEBUG_SUBSYS=INIT,GRAPH,NET");
  std::vector<std::string> notes;
  if (!calls)
    notes.emplace_back(
        "this log has neither messages nor times, but the hosts of ranks, and who talks to whom; with "
        "NCCL_DEBUG_SUBSYS=INIT,COLL it has the calls, too");
  if (topology.others() > 0)
    notes.emplace_back("of several communicators this is the largest, and the last of that size");
  for (std::string& line : topology.told()) notes.push_back(std::move(line));
  if (calls)
    return detail::open_calls(files, detail::log_calls, "NCCL log", std::vector<std::string>(files.size()), notes);
  return std::make_unique<detail::Places>(files[0], "NCCL log", topology.hosts(), unused.all(), std::move(notes));
}

std::unique_ptr<schedule::Source> open_nccl_ras(const std::vector<std::string>& files) {
  const std::string& file = files.at(0);
  if (files.size() > 1) throw ConfigError(Location{files[1]}, "one RAS report at a time: each is of the whole job");
  stream::Input in(file);
  while (in.peek() != '{' && in.peek() != stream::Input::end) in.get();  // "OK" of the wire protocol
  stream::Items items(in, stream::Items::Of::members);
  std::map<std::int64_t, std::string> best;
  std::vector<std::string> notes{"a RAS report has no messages and no times: it gives the hosts of ranks"};
  std::size_t communicators = 0, largest = 0;
  for (stream::Item item; items.next(item);) {
    if (item.key != "communicators" || !item.element) continue;
    const stream::Value communicator = items.parse(item);
    ++communicators;
    std::map<std::int64_t, std::string> ranks;
    for (const char* list : {"ranks", "missing_ranks"})
      if (const stream::Value* all = communicator.find(list))
        for (const stream::Value& rank : all->values) {
          const auto n = stream::integer_of(rank, "rank");
          if (!n || *n < 0 || *n >= 1 << 20) in.fail(item.at, "a rank without a number, or with one that can't be");
          ranks[*n] = stream::word_of(rank, "host");
          if (std::string_view(list) == "missing_ranks")
            notes.push_back(
                fmt::format("rank {} of communicator {} doesn't answer", *n, stream::word_of(communicator, "hash")));
        }
    if (ranks.size() > largest) {
      largest = ranks.size();
      best = std::move(ranks);
    }
  }
  if (best.empty()) throw ConfigError(Location{file}, "no communicator with ranks is in it");
  std::vector<std::string> hosts(static_cast<std::size_t>(best.rbegin()->first) + 1);
  for (auto& [rank, host] : best) hosts[static_cast<std::size_t>(rank)] = host;
  if (communicators > 1) notes.push_back(fmt::format("of {} communicators this is the largest", communicators));
  return std::make_unique<detail::Places>(file, "NCCL RAS report", std::move(hosts), std::vector<schedule::Unused>{},
                                          std::move(notes));
}

}  // namespace gicsim::profile
