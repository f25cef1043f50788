// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "traces/export/exporter.h"

namespace gicsim::exports {

/// Each node's GPUs as `nvidia-smi dmon -s ut` prints them, a row a GPU each interval. What isn't modelled is `-`.
class Dmon final : public Exporter {
 public:
  explicit Dmon(const Options& options) : limit_(options.limit), interval_(options.interval.value_or(10us)) {}
  void listen(const Probes& probes) override;
  Picoseconds interval() const override { return interval_; }
  void sample(const Sample& sample) override;
  void finish(const Outcome&) override {}
  Files files() override;
  std::vector<LeftOut> left_out() const override;

 private:
  struct Moved {
    Bytes received, sent;
  };
  struct Busy {
    std::int64_t counted = 0, ahead = 0;  ///< ps; ahead: counted already, but not over
  };
  struct Gpu {
    std::string node, name;
    std::size_t kernel = 0, memory = 0;  ///< gauges
    Busy kernel_busy{}, memory_busy{};
    std::deque<Moved> moved{};  ///< by interval, from `first_` on: a link says in advance when a TLP goes
  };
  void on_tlp(const TlpSent& sent);

  Bytes limit_;
  Picoseconds interval_;
  std::vector<Gpu> gpus_;
  std::map<std::string, std::pair<std::size_t, bool>, std::less<>> links_;  ///< whose, and whether towards it
  std::map<std::string, std::string> text_;                                 ///< by node
  Count first_ = 0;
  Picoseconds sampled_{};
  Count rows_ = 0, left_out_ = 0;
};

}  // namespace gicsim::exports
