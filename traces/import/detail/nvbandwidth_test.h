// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "traces/import/detail/found.h"

namespace gicsim::imports::detail {

/// A test of nvbandwidth: which pattern and quantity its matrix holds, by name and description ("… bandwidth (GB/s)").
class NvbandwidthTest {
 public:
  NvbandwidthTest(std::string name, std::string_view description, const std::string& version);
  /// One cell of the matrix.
  void give(int line, std::int64_t row, std::int64_t column, const Cell& cell, Found& found) const;

 private:
  std::string name_, description_, unit_, version_;
};

}  // namespace gicsim::imports::detail
