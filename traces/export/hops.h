// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traces/export/exporter.h"
#include "traces/hops/store.h"

namespace gicsim::exports {

/// A run in SQLite: messages, their stages, and each TLP and packet, which is a message's when it carried its ledger.
class Hops final : public Exporter {
 public:
  explicit Hops(const Options& options) : limit_(options.limit) {}
  void listen(const Probes& probes) override;
  void finish(const Outcome& outcome) override;
  Files files() override { return {{"hops.sqlite", std::move(file_)}}; }
  std::vector<LeftOut> left_out() const override;

 private:
  void on_hop(const Ledger* ledger, hops::Hop hop);
  void on_message(const MessageEnded& ended);
  void count(bool taken, Count rows);

  Bytes limit_;
  Machine machine_;
  std::unique_ptr<hops::Store> store_;
  /// Of messages that haven't ended, by their ledgers; the newest last.
  std::unordered_map<const Ledger*, std::vector<hops::Hop>> under_way_;
  Count held_ = 0;  ///< in there
  Count written_ = 0, left_out_ = 0;
  std::string file_;
};

}  // namespace gicsim::exports
