// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace gicsim::hw {

/// The machine refused: its own text, the call, file and line.
class HardwareError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user's input; exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void fail(const char* file, int line, const std::string& call, const std::string& text) {
  throw HardwareError(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + text);
}

}  // namespace gicsim::hw
