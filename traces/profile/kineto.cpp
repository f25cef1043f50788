// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/kineto.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "models/base/errors.h"
#include "traces/profile/detail/kineto_file.h"

namespace gicsim::profile {
namespace {

/// "rank-3.Mar_25.pt.trace.json.gz", "rank3.json"
std::optional<std::int64_t> rank_in_name(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  for (auto at = name.find("rank"); at != name.npos; at = name.find("rank", at + 1)) {
    auto from = at + 4;
    while (from < name.size() && (name[from] == '-' || name[from] == '_')) ++from;
    std::int64_t rank = 0;
    const auto [rest, error] = std::from_chars(name.data() + from, name.data() + name.size(), rank);
    if (error == std::errc{} && rest != name.data() + from) return rank;
  }
  return std::nullopt;
}

/// What PyTorch wrote before it had Kineto, and writes where it was built without.
bool without_kineto(std::string_view head) {
  return head.starts_with("[{\"name\"") && head.find("\"pid\": \"CPU functions\"") != head.npos;
}

}  // namespace

bool looks_like_kineto(std::string_view head) {
  const auto has = [&](std::string_view part) { return head.find(part) != head.npos; };
  const auto first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == head.npos) return false;
  if (without_kineto(head)) return true;
  if (head[first] != '{') return false;
  return has("\"traceEvents\"") || has("\"distributedInfo\"") ||
         (has("\"schemaVersion\"") && has("\"deviceProperties\""));
}

std::unique_ptr<schedule::Source> open_kineto(const std::vector<std::string>& files) {
  struct Found {
    std::int64_t rank = 0;
    std::string file;
    detail::Distributed distributed;
  };
  auto common = std::make_shared<Common>();
  std::vector<Found> found;
  for (const std::string& file : files) {
    if (without_kineto(stream::Input(file).head(4096)))
      throw ConfigError(Location{file},
                        "written by a PyTorch without Kineto: it has operators of the host alone, nothing "
                        "that ran on a GPU and no message");
    Found one{0, file, detail::distributed_in(file)};
    const auto named = one.distributed.rank ? one.distributed.rank : rank_in_name(file);
    if (!named && files.size() > 1)
      common->notes.add("not all traces say their rank: those get the numbers of their place in the command");
    one.rank = named.value_or(static_cast<std::int64_t>(found.size()));
    found.push_back(std::move(one));
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.rank < b.rank; });
  auto given = std::make_shared<detail::Given>();
  for (const Found& one : found) {
    if (one.rank < 0 || one.rank >= 1 << 20) throw ConfigError(Location{one.file}, fmt::format("rank {}", one.rank));
    const auto [other, fresh] =
        given->emplace(static_cast<std::uint32_t>(one.rank), static_cast<std::uint32_t>(given->size()));
    if (!fresh)
      throw ConfigError(Location{one.file},
                        fmt::format("is of rank {}, as {} is", one.rank, found[other->second].file));
  }
  common->notes.add("what ended last before a kernel began on an idle stream is what it waited for");
  common->notes.add(
      "collectives are taken apart by rings, and straight messages for all-to-all, gather and scatter; a "
      "group's n-th collective in one rank's trace is taken for the n-th in another's");
  if (found.back().rank + 1 != static_cast<std::int64_t>(found.size())) {
    std::string ranks;
    for (const Found& one : found) ranks += (ranks.empty() ? "" : ", ") + std::to_string(one.rank);
    common->notes.add("ranks 0, 1, ... of the schedule are these of the traces: " + ranks);
  }
  const std::shared_ptr<const detail::Given> all = given;
  std::vector<std::unique_ptr<Reader>> ranks;
  for (Found& one : found)
    ranks.push_back(std::make_unique<detail::KinetoFile>(one.file, static_cast<std::uint32_t>(ranks.size()),
                                                         std::move(one.distributed), all, common));
  return std::make_unique<Profile>("PyTorch profiler (Kineto)", common, std::move(ranks));
}

}  // namespace gicsim::profile
