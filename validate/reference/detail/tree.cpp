// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/reference/detail/tree.h"

#include <charconv>

namespace gicsim::reference {
namespace {

template <class Number>
std::optional<Number> read_whole(const Node& node) {
  const std::string text = text_of(node);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<double> number_of(const Node& scalar) {
  const auto number = read_whole<double>(scalar);
  return number && *number - *number == 0 ? number
                                          : std::nullopt;  // "inf" and "nan" are words here
}

std::optional<std::size_t> index_of(const Node& scalar) { return read_whole<std::size_t>(scalar); }

}  // namespace gicsim::reference
