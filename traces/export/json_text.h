// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "models/units/time.h"

namespace gicsim::exports {

/// As a JSON string, quotes and all.
inline std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else out += c;
  }
  return out + '"';
}

/// To the picosecond: "0.185789".
inline std::string microseconds(Picoseconds t) { return fmt::format("{}.{:06}", t.count() / 1'000'000, t.count() % 1'000'000); }

}  // namespace gicsim::exports
