// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/traces/schedule/play.h"
#include "traces/chakra/source.h"

namespace gicsim::chakra {

inline std::string sample(const std::string& name) { return source_root() + "/traces/samples/chakra/" + name; }

inline std::vector<schedule::Play::Steps> all_steps(schedule::Source& source) {
  std::vector<schedule::Play::Steps> all(source.ranks());
  for (std::size_t r = 0; r < all.size(); ++r)
    for (schedule::Step step; source.next(r, step);) all[r].push_back(step);
  return all;
}

// Protocol buffers by hand.
inline std::string varint(std::uint64_t v) {
  std::string out;
  for (; v > 127; v >>= 7) out += static_cast<char>(v | 0x80);
  return out + static_cast<char>(v);
}
inline std::string number(int field, std::uint64_t v) {
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(v);
}
inline std::string octets(int field, const std::string& s) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(s.size()) + s;
}
inline std::string message(const std::string& s) { return varint(s.size()) + s; }

/// A node as the schema's first fields say it.
struct Made {
  std::uint64_t id = 0;
  std::string name = "n";
  int type = 4;
  std::vector<std::uint64_t> needs{};
  std::uint64_t us = 0;
  std::string attributes{};
  std::string text() const {
    std::string s = number(1, id) + octets(2, name) + number(3, static_cast<std::uint64_t>(type));
    for (const std::uint64_t need : needs) s += number(5, need);
    return message(s + number(7, us) + attributes);
  }
};
inline std::string attribute(const std::string& name, int field, std::uint64_t v) {
  return octets(10, octets(1, name) + number(field, v));
}
inline const std::string metadata = message(octets(1, "0.0.4"));

}  // namespace gicsim::chakra
