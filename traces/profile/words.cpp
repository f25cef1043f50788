// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/words.h"
#include "traces/stream/plain.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numeric>
#include <utility>

namespace gicsim::profile {
namespace {

using schedule::Operation;

constexpr std::int64_t most_bytes = std::int64_t{1} << 50;
constexpr std::int64_t most_ranks = 1 << 20;

}  // namespace

std::optional<std::int64_t> size_of(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 29> sizes{{
      {"float", 4},          {"float32", 4},        {"half", 2},         {"float16", 2},
      {"bfloat16", 2},       {"double", 8},         {"float64", 8},      {"int", 4},
      {"int32", 4},          {"uint32", 4},         {"long", 8},         {"int64", 8},
      {"uint64", 8},         {"short", 2},          {"int16", 2},        {"uint16", 2},
      {"char", 1},           {"int8", 1},           {"uint8", 1},        {"byte", 1},
      {"bool", 1},           {"float8e4m3", 1},     {"float8e5m2", 1},   {"float8e4m3fn", 1},
      {"float8e4m3fnuz", 1}, {"float8e5m2fnuz", 1}, {"complexfloat", 8}, {"complexdouble", 16},
      {"unsigned", 4},
  }};
  std::string name = stream::plain(type);
  for (const std::string_view prefix : {"nccl", "c10", "torch"})
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  for (const auto& [known, size] : sizes)
    if (known == name) return size;
  return std::nullopt;
}

std::optional<Meant> meaning_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, Operation>, 10> by_name{{
      {"allreduce", Operation::all_reduce},
      {"reducescatter", Operation::reduce_scatter},
      {"allgather", Operation::all_gather},
      {"alltoall", Operation::all_to_all},
      {"broadcast", Operation::broadcast},
      {"barrier", Operation::barrier},
      {"reduce", Operation::reduce},
      {"scatter", Operation::scatter},
      {"gather", Operation::gather},
      {"sync", Operation::barrier},
  }};
  const std::string name = stream::plain(text);
  if (name == "send") return Meant{Message::send};
  if (name == "recv") return Meant{Message::receive};
  for (const auto& [part, operation] : by_name)
    if (name.find(part) != name.npos) return Meant{Message::collective, operation};
  return std::nullopt;
}

std::vector<std::uint32_t> ranks_in(std::string_view list, std::optional<std::int64_t> size,
                                    std::optional<std::int64_t> world) {
  std::vector<std::uint32_t> ranks;
  const bool cut = list.find("...") != list.npos;
  std::size_t shown_first = 0;  // ranks ahead of the gap
  for (std::size_t i = 0; i < list.size();) {
    if (list[i] == '.') shown_first = ranks.size();
    if (!std::isdigit(static_cast<unsigned char>(list[i]))) {
      ++i;
      continue;
    }
    std::uint32_t rank = 0;
    const auto [rest, error] = std::from_chars(list.data() + i, list.data() + list.size(), rank);
    if (error != std::errc{} || rank >= most_ranks) return {};
    ranks.push_back(rank);
    i = static_cast<std::size_t>(rest - list.data());
  }
  if (!cut) {
    if (!ranks.empty() || !size || size != world || *size > most_ranks) return ranks;
    ranks.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, *size)));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
  }
  if (!size || shown_first < 2 || *size < static_cast<std::int64_t>(ranks.size()) || *size > most_ranks) return {};
  const std::uint32_t first = ranks[0], step = ranks[1] - ranks[0];
  std::vector<std::uint32_t> all(static_cast<std::size_t>(*size));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = first + static_cast<std::uint32_t>(i) * step;
  for (std::size_t i = 0; i < shown_first; ++i)
    if (all[i] != ranks[i]) return {};
  for (std::size_t i = 1; i <= ranks.size() - shown_first; ++i)
    if (all[all.size() - i] != ranks[ranks.size() - i]) return {};
  return all;
}

std::optional<Bytes> whole_of(Operation operation, std::optional<std::int64_t> in, std::optional<std::int64_t> out,
                              std::size_t ranks) {
  const auto n = static_cast<std::int64_t>(ranks);
  const auto sane = [&](std::optional<std::int64_t> v) { return v && *v > 0 && *v <= most_bytes / n; };
  switch (operation) {
    case Operation::barrier:
      return Bytes{};
    case Operation::all_gather:
      if (sane(out)) return Bytes(*out);
      return sane(in) ? std::optional(Bytes(*in * n)) : std::nullopt;
    case Operation::gather:
      return sane(in) ? std::optional(Bytes(*in * n)) : std::nullopt;
    case Operation::scatter:
      return sane(out) ? std::optional(Bytes(*out * n)) : std::nullopt;
    case Operation::reduce_scatter:
      if (sane(in)) return Bytes(*in);
      return sane(out) ? std::optional(Bytes(*out * n)) : std::nullopt;
    default:
      if (sane(in)) return Bytes(*in);
      return sane(out) ? std::optional(Bytes(*out)) : std::nullopt;
  }
}

}  // namespace gicsim::profile
