// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/errors.h"

#include "models/units/text.h"

namespace gicsim {
namespace {

std::string joined(const std::vector<Mistake>& mistakes) {
  std::string lines;
  for (const Mistake& mistake : mistakes) {
    if (!lines.empty()) lines += '\n';
    lines += to_text(mistake.at) + ": " + mistake.what;
  }
  return lines;
}

}  // namespace

std::string to_text(const Location& at) {
  if (at.line == 0) return at.file;
  return at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

ConfigError::ConfigError(std::vector<Mistake> mistakes)
    : std::runtime_error(joined(mistakes)), mistakes_(std::move(mistakes)) {}

ModelError::ModelError(const std::string& module, Picoseconds at, const std::string& what)
    : std::logic_error(module + " @ " + text::write(at) + ": " + what) {}

}  // namespace gicsim
