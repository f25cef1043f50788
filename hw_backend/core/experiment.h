// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "hw_backend/core/machine.h"
#include "hw_backend/core/session.h"

namespace gicsim::hw {

/// What an experiment can't do without. The general part of available(): each class names its own.
struct Needs {
  int gpus = 0;
  bool nic = false;       ///< any RDMA device
  bool connectx = false;  ///< one that mlx5 drives
  bool partner = false;   ///< a second process, met over TCP (--listen, --connect)
};

/// One thing that is measured: a key for the command line, a sentence for `list`, and a run that hands raw samples to
/// the session. A derived class has `static constexpr std::string_view key, sentence` and `static constexpr Needs needs`,
/// and defines run() in a file of the part that it needs (.cu for CUDA): without that part it is listed, never made.
class Experiment {
 public:
  Experiment() = default;
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;
  virtual ~Experiment() = default;

  /// Empty when it can run here; else the reason, in words that say what would help.
  virtual std::string unavailable(const Machine&, const Options&) const { return {}; }
  /// @throws HardwareError a call of the machine failed; what was measured before is kept
  virtual void run(Session& session) = 0;
};

}  // namespace gicsim::hw
