// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/errors.h"

/// A text that a user wrote, as a tree in which everything knows its place.
namespace gicsim::text {

struct Member;

struct Node {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::string value;            ///< of a scalar, quotes removed
  std::vector<Node> items;      ///< of a list
  std::vector<Member> members;  ///< of a map, in order of the text, each key once
  Location at;                  ///< line and column count from 1

  const Member* find(std::string_view key) const;  ///< null when a map lacks it, or no map
};

struct Member {
  std::string key;
  Location at;  ///< of the key
  Node value;
};

/// "a list", "a map", "nothing": what stands there, for a mistake's text.
std::string_view word_for(Node::Kind kind);

/// YAML. What is wrong is added to `mistakes`: a key that is given twice (the first one
/// stays), or what keeps the text from being read at all, then there is no tree.
/// Aliases are refused: each value has one place, and a small text can't unfold into a large one.
std::optional<Node> parse(std::string_view text, const std::string& filename,
                          std::vector<Mistake>& mistakes);
/// The same from a file. `shown` is its name in locations, `path` when empty.
std::optional<Node> load(const std::string& path, std::vector<Mistake>& mistakes,
                         const std::string& shown = {});

/// The same, for who wants a whole tree or nothing.
/// @throws ConfigError with all mistakes
Node parse(std::string_view text, const std::string& filename);
Node load(const std::string& path);

}  // namespace gicsim::text
