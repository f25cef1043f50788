// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "traces/text/node.h"

/// How this room looks at a text tree: published figures are plain numbers, without units.
namespace gicsim::reference {

using text::Member;
using text::Node;

inline bool is_scalar(const Node& node) { return node.kind == Node::Kind::scalar; }
inline bool is_list(const Node& node) { return node.kind == Node::Kind::list; }
inline bool is_map(const Node& node) { return node.kind == Node::Kind::map; }

/// A member's value, or null (also of what isn't a map).
inline const Node* field(const Node& node, std::string_view name) {
  const Member* member = node.find(name);
  return member ? &member->value : nullptr;
}

/// As written; `null` is empty.
inline std::string text_of(const Node& scalar) {
  return is_scalar(scalar) && scalar.value != "null" ? scalar.value : std::string();
}
std::optional<double> number_of(const Node& scalar);
/// A whole number from 0.
std::optional<std::size_t> index_of(const Node& scalar);

}  // namespace gicsim::reference
