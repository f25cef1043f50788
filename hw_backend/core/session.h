// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hw_backend/core/options.h"
#include "hw_backend/core/output.h"
#include "traces/result/record.h"

namespace gicsim::hw {

/// What is measured, before it has a value. `where` holds scenario keys (docs/hardware.md lists those of probes).
struct Figure {
  Pattern pattern = Pattern::fence;
  Path path = Path::none;
  std::vector<std::pair<std::string, Record::Plain>> where;
  Quantity quantity = Quantity::latency;
  std::string clock;  ///< whose time it is: "gpu clock64 at 1980 MHz", "gpu globaltimer", "cpu tsc"
};

/// Raw samples of one repeat, in the unit of the quantity.
using Samples = std::vector<double>;

/// What an experiment sees while it runs: the machine, the options, and where samples go.
class Session {
 public:
  Session(const Machine& machine, const Options& options, Output& output)
      : machine(machine), options(options), output_(output) {}

  const Machine& machine;
  const Options& options;

  /// Calls `once` one time for nothing and then once a repeat; writes one record over all samples, with the spread of
  /// the repeats' medians.
  void measure(const Figure& figure, const std::function<Samples()>& once);
  /// The same where one run gives several figures (issue and put_completion of the same puts).
  void measure(const std::vector<Figure>& figures, const std::function<std::vector<Samples>()>& once);
  /// A point that this machine can't give; said, not silently left out.
  void skip(const Figure& figure, const std::string& reason);
  /// Something seen on the way to a figure that a reader of it should know.
  void note(const Figure& figure, const std::string& text);

 private:
  Output& output_;
};

/// The q-quantile of samples, by linear interpolation between ranks. @pre not empty
double quantile(Samples samples, double q);

}  // namespace gicsim::hw
