// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "traces/profile/detail/nsight_process.h"

namespace gicsim::profile::detail {

std::optional<std::int64_t> NcclRange::number(const std::string& name) const {
  const auto found = said.find(name);
  std::int64_t n = 0;
  if (found == said.end()) return std::nullopt;
  const std::string& text = found->second;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc{} && rest == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

std::optional<NcclRange> parse_nccl_range(std::string_view text) {
  NcclRange range;
  if (const auto call = text.find("(): "); text.starts_with("nccl") && call != text.npos) {
    range.what = text.substr(4, call - 4);
    text.remove_prefix(call + 4);
  } else if (!text.starts_with("comm")) {
    return std::nullopt;
  }
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto end = text.find_first_of(" ,:");
    if (end != 0) words.push_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) range.said.emplace(words[i], words[i + 1]);
  return range.said.empty() ? std::nullopt : std::optional(range);
}

}  // namespace gicsim::profile::detail
