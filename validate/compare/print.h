// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "validate/compare/compare.h"

namespace gicsim::compare {

/// For people: a table per dataset and use, what is not expressed and why, a summary at the end.
std::string to_text(const Comparison& comparison);

/// `gicsim.compare/1`, indented, with a newline at the end.
std::string to_json(const Comparison& comparison);

/// "+3.2 %"
std::string percent(double fraction);

/// Four significant digits: "4.03", "10310", "0.61".
std::string figure(double value);

}  // namespace gicsim::compare
