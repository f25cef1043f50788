// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/report/finished.h"

namespace gicsim::report::detail {

/// What an ending means and what waits for what; empty for a run that is done as expected.
std::string diagnosis_text(const Finished& run);

/// The answer: "put_8B: one 8 B put on h200_cx7_ib, gpu_direct, ...: 4.03 us put+completion
/// (issue 700.3 ns, one way 2.71 us), p50 of 1000".
std::string answer_text(const Finished& run);

}  // namespace gicsim::report::detail
