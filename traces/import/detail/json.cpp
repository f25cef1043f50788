// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/json.h"

namespace gicsim::imports::detail {

bool is_json(std::string_view head) { return begins(trimmed(head), "{"); }

text::Node parse_json(Input& in) {
  std::string all = in.rest();
  for (char& c : all)
    if (c == '\t') c = ' ';
  text::Node root = text::parse(all, in.file());
  if (root.kind != text::Node::Kind::map) throw ConfigError(root.at, "an object is expected: {...}");
  return root;
}

}  // namespace gicsim::imports::detail
