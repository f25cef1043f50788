// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// /proc/driver/nvidia/version and params; lsmod or /proc/modules.
#include "hw_backend/doctor/saved.h"
#include "hw_backend/doctor/text.h"

namespace gicsim::hw::checkup {

std::string read_driver_version(const std::string& text, Evidence& e) {
  const std::string line = text.substr(0, text.find('\n'));
  e.driver.open = holds(line, "Open Kernel Module");
  for (const std::string& word : words_of(behind(line, "Kernel Module")))
    if (word.find('.') != word.npos && std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      e.driver.version = word;
      return {};
    }
  return "no version number behind 'Kernel Module'";
}

std::string read_driver_params(const std::string& text, Evidence& e) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (begins(line, "RegistryDwords:")) {
      e.driver.registry = behind(line, ":");
      return {};
    }
  return "no RegistryDwords in it";
}

std::string read_lsmod(const Lines& lines, Evidence& e) {
  std::vector<std::string> modules;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::vector<std::string> words = words_of(lines[i]);
    if (words.size() >= 3 && words[0] != "Module" && std::isdigit(static_cast<unsigned char>(words[1][0])) != 0)
      modules.push_back(words[0]);
  }
  if (modules.empty()) return lines.at(0, "no module in it; save 'lsmod'");
  e.driver.modules = modules;
  return {};
}

}  // namespace gicsim::hw::checkup
