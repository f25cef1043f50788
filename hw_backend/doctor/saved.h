// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw_backend/doctor/evidence.h"

namespace gicsim::hw::checkup {

/// The lines of a saved output, without their ends, and where they stand.
class Lines {
 public:
  Lines(std::string file, const std::string& text);
  const std::string& file() const { return file_; }
  std::size_t size() const { return lines_.size(); }
  const std::string& operator[](std::size_t i) const { return lines_[i]; }
  bool cut() const { return cut_; }  ///< the last line has no end
  /// "lspci.txt:12: what".
  std::string at(std::size_t i, const std::string& what) const;

 private:
  std::string file_;
  std::vector<std::string> lines_;
  bool cut_ = false;
};

// Each reads one kind of output into the evidence, and returns what is wrong with the text: empty, or one message with
// file:line. What stood before the trouble is kept.
std::string read_lspci(const Lines& lines, Evidence& e);
std::string read_lspci_tree(const Lines& lines, Evidence& e);
std::string read_nvidia_smi(const Lines& lines, Evidence& e);
std::string read_topo(const Lines& lines, Evidence& e);
std::string read_ibstat(const Lines& lines, Evidence& e);
std::string read_ibv_devinfo(const Lines& lines, Evidence& e);
std::string read_lsmod(const Lines& lines, Evidence& e);
// Of /proc/driver/nvidia/version and params; live collection reads the same text.
std::string read_driver_version(const std::string& text, Evidence& e);
std::string read_driver_params(const std::string& text, Evidence& e);

/// What --from made of one file of the folder.
struct SavedFile {
  std::string name;
  std::string kind;   ///< "lspci -vvv"; empty: not recognised
  std::string feeds;  ///< keys of the checks
  std::string wrong;  ///< file:line: message
};

/// Reads every file of a folder by what is in it, whatever it is called.
/// @throws UsageError no such folder, or nothing in it is recognised
Evidence read_saved(const std::string& folder, std::vector<SavedFile>& files);

}  // namespace gicsim::hw::checkup
