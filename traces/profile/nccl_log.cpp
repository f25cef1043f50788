// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "models/base/errors.h"
#include "traces/profile/detail/nccl_log_source.h"
#include "traces/profile/detail/places.h"
#include "traces/profile/nccl.h"
#include "traces/schedule/tally.h"
#include "traces/stream/items.h"

namespace gicsim::profile {

bool looks_like_nccl_log(std::string_view head) { return head.find(" NCCL INFO ") != head.npos; }

bool looks_like_nccl_ras(std::string_view head) {
  const auto first = head.find('{');
  return first != head.npos && head.find("\"nccl_version\"") != head.npos && head.find("\"communicators") != head.npos;
}

std::unique_ptr<schedule::Source> open_nccl_log(const std::vector<std::string>& files) {
  detail::Topology topology;
  auto job = std::make_shared<detail::Job>();
  schedule::Tally unused;
  for (std::size_t file = 0; file < files.size(); ++file) {
    stream::Input in(files[file]);
    detail::each_line(in, [&](std::uint64_t number, const std::string& line) {
      if (const auto parsed = detail::parse_log_line(line)) {
        topology.add(*parsed);
        job->add(file, *parsed);
      } else if (!line.empty()) {
        unused.add("lines that aren't NCCL's", number);
      }
    });
  }
  if (topology.ranks() == 0)
    throw ConfigError(Location{files.empty() ? "" : files[0]},
                      "no line says which rank ran where (comm 0x… rank R nranks N): NCCL_DEBUG=INFO, "
                      "NCCL_DEBUG_SUBSYS=INIT,GRAPH,NET, and COLL for its calls");
  std::vector<std::string> notes;
  if (job->any()) {
    notes.emplace_back(
        "a log has no times: each communicator's calls follow one another, and messages between two collectives "
        "go together; what was computed between them isn't known");
    notes.emplace_back("collectives are taken apart by rings; by trees where NCCL says so (NCCL_DEBUG_SUBSYS=TUNING)");
  } else {
    notes.emplace_back(
        "of a log without NCCL_DEBUG_SUBSYS=COLL only the hosts of ranks are known, and who talks to whom");
  }
  if (topology.others() > 0) notes.push_back("of several communicators this is the largest, and the last of that size");
  for (std::string& line : topology.told()) notes.push_back(std::move(line));
  auto groups = std::make_shared<schedule::Groups>();
  job->settle(*groups);
  if (!job->any() || job->ranks() == 0)
    return std::make_unique<detail::Places>(files[0], "NCCL log", topology.hosts(), unused.all(), std::move(notes));
  return std::make_unique<detail::LogSource>(files, std::move(job), std::move(groups), topology.hosts(),
                                             std::move(unused), std::move(notes));
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
