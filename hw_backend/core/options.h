// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gicsim::hw {

/// The command line. Counts are plain, names as the machine gives them.
struct Options {
  enum class Command { help, list, run, doctor };
  enum class Meet { alone, listen, connect };

  Command command = Command::help;
  std::vector<std::string> keys;  ///< of `run`; none: all that can run
  std::string out;                ///< -o: records; empty: standard output
  std::string samples;            ///< --samples: every raw sample; empty: not kept
  std::string kit;                ///< --kit: the model's predictions, to stand beside
  std::string system;             ///< --system: name in the records; empty: made from the machine
  int repeats = 5;                ///< of each measurement, after one that isn't counted
  bool quick = false;             ///< fewer points and samples: a look, no data
  int gpu = 0;
  std::optional<int> peer_gpu;    ///< none: the next one
  std::string nic;                ///< verbs device; empty: the first whose port is up
  int nic_port = 1;
  std::optional<int> gid;         ///< none: the first RoCE v2 one over IPv4
  bool gpu_memory = false;        ///< --memory gpu: verbs experiments register GPU memory
  Meet meet = Meet::alone;
  std::string address;            ///< to connect to, or to listen on
  int port = 18515;               ///< TCP
  std::string from;               ///< doctor --from: a folder with saved outputs
  std::string explain;            ///< doctor --explain: a message of some program
};

/// @throws UsageError with what to write instead
Options parse(int argc, const char* const* argv);
const char* usage();

}  // namespace gicsim::hw
