// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traces/schedule/source.h"

namespace gicsim::chakra {

/// What a file's first octets (a few KiB, unpacked) look like: a rank's execution trace, in either form.
bool looks_like_chakra(std::string_view head);

/// A rank a file, PREFIX.RANK.et, or .json in one of Chakra's two JSON forms.
/// @param files  them all, or their PREFIX; a file of communicator groups, {"NAME": [RANK, ...]}, may be among them
/// @throws ConfigError
std::unique_ptr<schedule::Source> open(const std::vector<std::string>& files);

}  // namespace gicsim::chakra
