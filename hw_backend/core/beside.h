// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "traces/result/record.h"

namespace gicsim::hw {

/// The predictions of a kit. @throws UsageError the file can't be read, or a line of it
std::vector<Record> predictions(const std::string& file);

/// A table: what was predicted, what was measured, the deviation; predictions that nothing was measured for stand with a
/// dash. A measurement meets a prediction of its pattern, path and quantity that agrees in every key that both have.
void beside(const std::vector<Record>& predicted, const std::vector<Record>& measured, std::ostream& out);

}  // namespace gicsim::hw
