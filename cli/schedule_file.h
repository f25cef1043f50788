// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "traces/schedule/source.h"

namespace gicsim::cli {

/// "goal", "jsonl"
/// @return lines about what that format can't say
/// @param puts  there may be some
std::string write_as(const std::string& format, schedule::Source& source, std::ostream& out, bool puts);

/// To standard output, or to a file that is there when it is whole.
/// @throws HardwareError
void write_stream(const std::optional<std::string>& file, const std::function<void(std::ostream&)>& write);

}  // namespace gicsim::cli
