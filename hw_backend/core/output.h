// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "hw_backend/core/machine.h"
#include "hw_backend/core/options.h"
#include "traces/result/record.h"

namespace gicsim::hw {

/// Where records go, as JSON Lines: the environment first, then each record as soon as it is there, so that a run that
/// breaks off keeps what it had. Files are written under a temporary name and renamed at the end.
class Output {
 public:
  /// @throws UsageError when a file can't be written
  Output(const Machine& machine, const Options& options);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// @param repeats  raw samples, one vector a repeat
  void record(Record record, const std::vector<std::vector<double>>& repeats);
  void skipped(const std::string& key, const std::string& point, const std::string& reason);
  void note(const std::string& key, const std::string& point, const std::string& text);
  /// What PCIe counted while an experiment ran: only what grew.
  void counters(const std::string& key, const std::map<std::string, long>& grown, bool readable);
  const std::vector<Record>& records() const { return records_; }
  /// The files get their names. @throws HardwareError the disk is full
  void finish();

 private:
  void line(const std::string& text);

  std::string system_, source_, out_, samples_;
  std::ofstream file_, raw_;
  std::ostream& to_;
  std::vector<Record> records_;
};

/// "h200_host" of one NVIDIA H200 without a NIC: what records of this machine are called unless --system says so.
std::string system_name(const Machine& machine);

}  // namespace gicsim::hw
