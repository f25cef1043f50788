// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/export/exporter.h"
#include "traces/export/tlp_log.h"

namespace gicsim::exports {

/// The TLP log as a file.
class TlpExporter final : public Exporter {
 public:
  explicit TlpExporter(const Options& options, std::string file = "tlps.tsv")
      : file_(std::move(file)), log_(options.limit) {}
  void listen(const Probes& probes) override { log_.listen(probes.tlps, probes.kernel); }
  void finish(const Outcome&) override { log_.finish(); }
  Files files() override { return {{file_, log_.take()}}; }
  std::vector<LeftOut> left_out() const override {
    if (log_.left_out() == 0) return {};
    return {LeftOut{file_, "TLPs", log_.left_out(), log_.left_out() + log_.written()}};
  }

 private:
  std::string file_;
  TlpLog log_;
};

}  // namespace gicsim::exports
