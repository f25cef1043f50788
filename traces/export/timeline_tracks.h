// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gicsim::exports {

/// Where tracks stand in their process.
enum Rank { threads = 0, rings = 10, devices = 20, pcie = 30, engines = 40, cables = 50, congestion = 60, counters = 70 };

inline std::string joined(std::string_view a, std::string_view b) { return std::string(a) + std::string(b); }

}  // namespace gicsim::exports
