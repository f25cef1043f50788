// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gicsim::detail {

/// A JSON value as read. Numbers keep their digits: who uses one knows what it should be.
struct Json {
  enum class Kind { null, boolean, number, text, array, object };
  Kind kind = Kind::null;
  std::string text;                                   ///< number: its digits; boolean: true, false
  std::vector<std::pair<std::string, Json>> members;  ///< object; array, without names

  const Json* find(std::string_view name) const {
    for (const auto& member : members)
      if (member.first == name) return &member.second;
    return nullptr;
  }
};

/// What is wrong and at which column, counted from 1.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads exactly one JSON value (RFC 8259). A key given twice is an error.
/// @throws JsonError
Json parse_json(std::string_view text);

}  // namespace gicsim::detail
