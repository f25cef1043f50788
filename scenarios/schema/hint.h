// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gicsim::schema {

/// Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that `word` probably means; empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean 'flight'?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// "a, b, c"
std::string listed(const std::vector<std::string>& words);

}  // namespace gicsim::schema
