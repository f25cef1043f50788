// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "traces/schedule/source.h"

namespace gicsim::schedule {

/// What a reader leaves out, by the reason.
class Tally {
 public:
  void add(const std::string& why, std::uint64_t first) {
    const auto [at, fresh] = index_.try_emplace(why, all_.size());
    if (fresh) all_.push_back({why, 0, first});
    ++all_[at->second].count;
  }
  void clear() { index_.clear(), all_.clear(); }
  const std::vector<Unused>& all() const { return all_; }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<Unused> all_;
};

/// Sentences, each said once, in the order in which they came up.
class Notes {
 public:
  void add(std::string text) {
    for (const std::string& said : all_)
      if (said == text) return;
    all_.push_back(std::move(text));
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
};

}  // namespace gicsim::schedule
