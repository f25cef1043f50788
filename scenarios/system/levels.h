// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gicsim::system {

/// How full something is at present: credits out, tags in use, a ring's index. Read as often as somebody wants to know;
/// it costs nothing in between.
struct Level {
  std::string module;  ///< "node0.gpu0_pcie_up"
  std::string what;    ///< "posted_headers"
  std::string unit;    ///< "": a number; "B", "bit/s"; "bool"; "ps": how long it was busy since the start
  std::function<std::int64_t()> read;
};
using Levels = std::vector<Level>;

}  // namespace gicsim::system
