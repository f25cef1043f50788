// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/errors.h"

/// What a machine's own tools say about it, as a system file: NCCL's topology XML, lspci, nvidia-smi, ibstat, ibv_devinfo.
namespace gicsim::imports {

/// What the user says of a machine, where its tools don't or are wrong.
struct MachineSaid {
  std::int64_t nodes = 2;                                ///< alike
  std::optional<std::int64_t> sockets;                   ///< of a node
  std::vector<std::pair<std::string, std::string>> set;  ///< "switch0.pcie.lanes", "16"; wins over what was read
};

struct MachineText {
  std::string yaml;
  std::vector<std::string> read;      ///< "lspci.txt: lspci -vvv, 42 devices"
  std::vector<std::string> warnings;  ///< with file and line where there is one
};

/// Files of one machine, in any order and number.
class MachineReader {
 public:
  MachineReader();
  ~MachineReader();
  /// Finds the format by the first MiB and keeps what it says.
  /// @throws ConfigError with all mistakes of this file, up to twenty
  void read(std::istream& in, const std::string& file);
  /// All files merged. What one says, no file that knows less replaces; what none says is assumed, and marked so.
  /// @throws ConfigError  nothing to build a system from, files of different machines, a key of `set` that has no place
  MachineText finish(const MachineSaid& said);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gicsim::imports
