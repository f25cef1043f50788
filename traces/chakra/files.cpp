// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/chakra/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "models/base/errors.h"
#include "traces/chakra/nodes.h"
#include "traces/stream/items.h"

namespace gicsim::chakra {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t most_ranks = 1 << 20;

bool known_ending(const std::string& name) { return name.ends_with(".et") || name.ends_with(".json"); }

/// The number in PREFIX.NUMBER.et
std::optional<std::uint32_t> rank_in(std::string name) {
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  if (!known_ending(name)) return std::nullopt;
  name.resize(name.rfind('.'));
  const auto from = name.find_last_not_of("0123456789") + 1;
  std::uint32_t rank = 0;
  const auto [rest, error] = std::from_chars(name.data() + from, name.data() + name.size(), rank);
  if (error != std::errc{} || rest != name.data() + name.size()) return std::nullopt;
  return rank;
}

std::vector<std::string> with_prefix(const std::string& prefix) {
  const fs::path path(prefix);
  const std::string begin = path.filename().string() + ".";
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path.has_parent_path() ? path.parent_path() : ".", error)) {
    const std::string name = entry.path().filename().string();
    const auto rank = rank_in(name);
    if (!rank || !name.starts_with(begin)) continue;
    if (name.compare(begin.size(), name.find('.', begin.size()) - begin.size(), std::to_string(*rank)) != 0) continue;
    found.push_back((path.has_parent_path() ? path.parent_path() / name : fs::path(name)).string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool is_groups(const std::string& file) {
  stream::Input in(file);
  const std::string head = in.head(4096);
  const auto first = head.find_first_not_of(" \t\r\n");
  return first != head.npos && head[first] == '{' && !looks_like_json(head) && !looks_like_protobuf(head);
}

void read_ranks(const stream::Value& list, const std::string& file, std::uint64_t at,
                std::vector<std::uint32_t>& ranks) {
  for (const stream::Value& value : list.values) {
    const stream::Value* node = value.find("globalRank");
    const auto rank = (node ? *node : value).integer();
    if (!rank || *rank < 0 || *rank >= most_ranks)
      throw ConfigError(Location{file}, fmt::format("byte {}: '{}' is no rank", at, value.text));
    ranks.push_back(static_cast<std::uint32_t>(*rank));
  }
}

}  // namespace

Files find_files(const std::vector<std::string>& given) {
  Files files;
  std::vector<std::string> all;
  for (const std::string& name : given) {
    std::error_code error;
    if (fs::is_regular_file(name, error)) {
      all.push_back(name);
      continue;
    }
    const std::vector<std::string> found = with_prefix(name);
    if (found.empty()) throw ConfigError(Location{name}, fmt::format("no such file, and no {}.0.et beside it", name));
    all.insert(all.end(), found.begin(), found.end());
  }
  std::vector<std::string> traces;
  for (const std::string& file : all) (is_groups(file) ? files.groups : traces).push_back(file);
  for (const std::string& file : traces) {
    auto rank = rank_in(fs::path(file).filename().string());
    if (!rank && traces.size() == 1) rank = 0;
    if (!rank) throw ConfigError(Location{file}, "whose trace is it? Call it PREFIX.RANK.et");
    if (*rank >= most_ranks)
      throw ConfigError(Location{file}, fmt::format("rank {}; {} are the most", *rank, most_ranks));
    if (const auto [other, fresh] = files.ranks.emplace(*rank, file); !fresh)
      throw ConfigError(Location{file}, fmt::format("is of rank {}, as {} is", *rank, other->second));
  }
  if (files.ranks.empty())
    throw ConfigError(Location{given.empty() ? "" : given[0]}, "no execution trace is among the files");
  return files;
}

void read_groups(const std::string& file, schedule::Groups& groups) {
  stream::Input in(file);
  stream::Items items(in, stream::Items::Of::values);
  stream::Item item;
  while (items.next(item)) {
    const stream::Value all = items.parse(item);
    const stream::Value* communicators = all.find("communicators");
    for (const stream::Value& group : communicators ? communicators->values : all.values) {
      const stream::Value* nodes = communicators ? group.find("nodes") : &group;
      const std::string name(communicators ? stream::word_of(group, "communicatorId") : std::string_view(group.name));
      std::vector<std::uint32_t> ranks;
      if (!nodes || nodes->kind != stream::Value::Kind::list)
        in.fail(item.at, fmt::format("group '{}': ranks are expected: {{\"NAME\": [0, 1, 2]}}", name));
      read_ranks(*nodes, file, item.at, ranks);
      if (!groups.set(name, ranks)) in.fail(item.at, fmt::format("group '{}' is given twice, with other ranks", name));
    }
  }
}

}  // namespace gicsim::chakra
