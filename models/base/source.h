// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gicsim {

/// Where a value comes from. `user` is what --set or a scenario's `set:` gave.
enum class Provenance { spec, datasheet, paper, measured, derived, fitted, claimed, assumed, user };

inline constexpr std::string_view provenance_names[] = {
    "spec", "datasheet", "paper", "measured", "derived", "fitted", "claimed", "assumed", "user"};

constexpr std::string_view name_of(Provenance p) { return provenance_names[static_cast<int>(p)]; }

/// A parameter's origin: the kind and the place ("PCIe Base 5.0, 2.2.7", "A-014").
struct Source {
  Provenance kind = Provenance::assumed;
  std::string_view text;
  bool by_part = false;  ///< no default in C++: the product's part file gives it
};

/// Fixed by a standard.
constexpr Source spec(std::string_view where) { return {Provenance::spec, where}; }
/// Worked out from values that are themselves spec or assumed; the text is the sum.
constexpr Source derived(std::string_view how) { return {Provenance::derived, how}; }
/// Nobody publishes it; the text is its entry in docs/assumptions.md.
constexpr Source assumed(std::string_view entry) { return {Provenance::assumed, entry}; }
/// A product's own: a part file must give it, with its source.
inline constexpr Source by_part{Provenance::assumed, "by part", true};

}  // namespace gicsim
