// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/units/time.h"

namespace gicsim {

/// A place in a text that a user wrote. `line` 0: the command line, or no text at all.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

std::string to_text(const Location& at);  ///< "file:line:column", or the bare file

/// One thing wrong with what the user gave: where, what, and what to write instead.
struct Mistake {
  Location at;
  std::string what;
};

/// Everything wrong with the user's input, in one go. Exit code 2.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(std::vector<Mistake> mistakes);
  ConfigError(Location at, std::string what) : ConfigError({Mistake{std::move(at), std::move(what)}}) {}
  const std::vector<Mistake>& mistakes() const { return mistakes_; }

 private:
  std::vector<Mistake> mistakes_;
};

/// A model broke one of its own rules: our bug, exit code 3. On in release too.
/// Reads "node0.nic0.tx @ 12.345 us: credits 3 -> -1".
class ModelError : public std::logic_error {
 public:
  ModelError(const std::string& module, Picoseconds at, const std::string& what);
};

/// The machine lacks something or failed. Exit code 4.
class HardwareError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gicsim
