// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "traces/schedule/source.h"

namespace gicsim::schedule {

std::unique_ptr<Source> read_goal_binary(const std::string& file);

}  // namespace gicsim::schedule
