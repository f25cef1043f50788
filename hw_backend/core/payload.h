// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gicsim::hw {

/// What a buffer holds so that a byte which is lost, stale or in the wrong place shows: differs by place and by seed.
std::vector<std::uint8_t> payload(std::uint32_t seed, std::size_t bytes);
/// Empty when `got` is what `payload` made; else where the first difference is.
std::string difference(const std::vector<std::uint8_t>& got, std::uint32_t seed);

}  // namespace gicsim::hw
