// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traces/schedule/source.h"

namespace gicsim::profile {

/// Of a file's first octets, unpacked: a trace of PyTorch's profiler (Kineto).
bool looks_like_kineto(std::string_view head);

/// A file a rank, gzipped or not. Ranks of the schedule are the given ones in the order of their numbers.
/// @throws ConfigError
std::unique_ptr<schedule::Source> open_kineto(const std::vector<std::string>& files);

}  // namespace gicsim::profile
