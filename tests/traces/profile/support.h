// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/traces/schedule/play.h"
#include "traces/schedule/source.h"

namespace gicsim::profile {

inline std::string sample(const std::string& name) { return source_root() + "/traces/samples/profile/" + name; }

inline std::vector<schedule::Play::Steps> all_steps(schedule::Source& source) {
  std::vector<schedule::Play::Steps> all(source.ranks());
  for (std::size_t r = 0; r < all.size(); ++r)
    for (schedule::Step step; source.next(r, step);) all[r].push_back(step);
  return all;
}

/// How often a reason is counted that has this in it.
inline std::uint64_t counted(const schedule::Source& source, const std::string& why) {
  std::uint64_t n = 0;
  for (const schedule::Unused& unused : source.unused())
    if (holds(unused.why, why)) n += unused.count;
  return n;
}

inline bool noted(const schedule::Source& source, const std::string& what) {
  for (const std::string& note : source.notes())
    if (holds(note, what)) return true;
  return false;
}

/// Each cut of a file, and each of many changed octets: a mistake that says where, or a schedule; no crash.
template <class Open>
void spoil(const std::string& whole, const std::string& name, Open open) {
  const Folder folder;
  const auto said = [&](const std::string& text) {
    const std::string file = folder.write(name, text);
    return mistakes_of([&] { all_steps(*open(std::vector<std::string>{file})); });
  };
  for (std::size_t i = 1; i < whole.size(); i += 1 + whole.size() / 150) said(whole.substr(0, i));
  for (std::size_t i = 0; i < whole.size(); i += 1 + whole.size() / 300) {
    std::string text = whole;
    text[i] = static_cast<char>(text[i] ^ (1 << i % 7));
    said(text);
  }
}

}  // namespace gicsim::profile
