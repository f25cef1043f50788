// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What a user can ask for: a struct holds the arguments of each command, `perform` carries it out
/// in a file of the command's name. It throws what went wrong and returns the exit code.
namespace gicsim::cli {

/// Files that a run writes.
struct Written {
  std::optional<std::string> out;      ///< folder
  std::optional<std::string> exports;  ///< names with commas between them
  std::optional<std::string> export_limit, export_interval, signals;
  std::optional<std::string> tlp_log, tlp_log_limit;
};

struct Run : Written {
  std::optional<std::string> scenario;  ///< none: say which there are
  std::vector<std::string> set;         ///< "key=value"
  bool json = false;
  bool list_traffic = false;
  bool counters = false;
  std::optional<std::string> paths;  ///< "all", or names with commas between them
};

struct Sweep {
  std::string scenario;
  std::vector<std::string> set;   ///< "key=value"
  std::vector<std::string> vary;  ///< "key=values"
  int jobs = 0;                   ///< 0: as many as there are processors
  std::optional<std::string> out;
};

struct List {};

struct Params {
  std::vector<std::string> words;  ///< a system or scenario, kinds, parameters; none: all kinds
  bool markdown = false, schema = false;
};

struct New {
  std::string pattern;
};

struct Compare {
  std::vector<std::string> tables;  ///< none: all
  std::vector<std::string> records;
  std::string system;
  bool strict = false, json = false, deviations = false, evidence = false;
};

struct Kit {
  std::string system, out;
};

struct Import {
  std::vector<std::string> files;
  std::optional<std::string> system, pattern, path;  ///< what a file doesn't say of itself
  std::optional<std::string> format;                 ///< none: records
  std::optional<std::string> out;                    ///< none: standard output
};

struct ImportMachine {
  std::vector<std::string> files;
  int nodes = 2;
  std::optional<int> sockets;
  std::vector<std::string> set;    ///< "key=value"
  std::optional<std::string> out;  ///< none: standard output
};

struct ImportTopology {
  std::string file;
  std::optional<std::string> out;  ///< none: standard output
};

struct TraceInfo {
  std::vector<std::string> files;
  std::optional<std::string> delivered;  ///< the same run behind the place of loss
  bool json = false;
};

struct TraceCheck {
  std::vector<std::string> files;
  std::vector<std::string> delivered;  ///< the same run behind places of loss
  std::optional<std::string> role;
  std::string like = "soft_roce";
  std::vector<std::string> set;  ///< "key=value" of nic.transport
};

struct Replay : Written {
  std::vector<std::string> files;
  std::optional<std::string> system, path, map;
  std::string start = "dependencies";
  double compute = 1;
  std::vector<std::string> set;  ///< "key=value"
  bool json = false, no_gain = false;
};

struct TraceMake {
  std::string workload;
  std::size_t ranks = 0, layers = 0, micro_batches = 0, experts = 0, top_k = 2, tokens = 256;  ///< 0: as the workload has it
  std::string bytes = "1 MiB";
  std::optional<std::string> compute;
  std::uint64_t iterations = 1, seed = 1;
  std::string format = "goal";
  std::optional<std::string> out;  ///< none: standard output
};

struct TraceConvert {
  std::vector<std::string> files;
  std::string format = "goal";
  std::optional<std::string> out;  ///< none: standard output
};

/// Help or version: a text that is known already.
struct Say {
  std::string text;
};

using Command = std::variant<Run, Sweep, List, Params, New, Compare, Kit, Import, ImportMachine, TraceInfo, TraceCheck, TraceMake,
                             TraceConvert, ImportTopology, Replay, Say>;

int perform(const Run& command, const std::string& root);
int perform(const Sweep& command, const std::string& root);
int perform(const List& command, const std::string& root);
int perform(const Params& command, const std::string& root);
int perform(const New& command, const std::string& root);
int perform(const Compare& command, const std::string& root);
int perform(const Kit& command, const std::string& root);
int perform(const Import& command, const std::string& root);
int perform(const ImportMachine& command, const std::string& root);
int perform(const TraceInfo& command, const std::string& root);
int perform(const TraceCheck& command, const std::string& root);
int perform(const Replay& command, const std::string& root);
int perform(const TraceMake& command, const std::string& root);
int perform(const TraceConvert& command, const std::string& root);
int perform(const ImportTopology& command, const std::string& root);

}  // namespace gicsim::cli
