// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "traces/export/exporter.h"

namespace gicsim::exports {

/// Counters of ports and queue pairs at the end of a run as OpenMetrics text, under mlx5's names.
/// Source: OpenMetrics 1.0 (RFC draft-ietf-opsawg-openmetrics)
class Metrics final : public Exporter {
 public:
  explicit Metrics(const Options& options) : limit_(options.limit) {}
  void listen(const Probes& probes) override { machine_ = probes.machine; }
  void finish(const Outcome& outcome) override;
  /// None of a run that broke off: it has no counters.
  Files files() override;
  std::vector<LeftOut> left_out() const override;

 private:
  Bytes limit_;
  Machine machine_;
  std::string text_;
  Count written_ = 0, left_out_ = 0;
};

}  // namespace gicsim::exports
