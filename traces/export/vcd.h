// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/export/ahead.h"
#include "traces/export/exporter.h"

namespace gicsim::exports {

/// `name` is as `pattern` says, in which * stands for any characters and ? for one.
bool matches(std::string_view pattern, std::string_view name);

/// Chosen signals as a value change dump: busy links exactly, levels as they are sampled. By hand, not by sc_trace:
/// that sees kernel steps, and the kernel runs ahead without any; and values are plain members, not signals. Source:
/// IEEE 1364-2005, 18.2
class Vcd final : public Exporter {
 public:
  explicit Vcd(const Options& options) : options_(options) {}
  /// @throws ConfigError for a pattern that no signal matches
  void listen(const Probes& probes) override;
  Picoseconds interval() const override { return options_.interval.value_or(100ns); }
  bool wants_busy() const override { return false; }  // of links it is told
  void sample(const Sample& sample) override;
  void finish(const Outcome& outcome) override;
  Files files() override { return {{"signals.vcd", std::move(text_)}}; }
  std::vector<LeftOut> left_out() const override;

 private:
  struct Signal {
    std::string name;      ///< "node0.nic0_port.tags"
    int width = 1;
    std::int64_t value = 0, initial = 0;
    std::int64_t sampled = 0;  ///< newest
  };
  struct Change {
    Picoseconds at;
    std::size_t signal;
    std::int64_t value;
  };
  std::vector<std::string> patterns() const;
  void busy(std::string_view link, Picoseconds begin, Picoseconds end);
  void set(std::size_t signal, Picoseconds at, std::int64_t value);
  void write_instant();
  std::string header() const;

  Options options_;
  std::vector<Signal> signals_;
  std::vector<std::optional<std::size_t>> of_gauge_;
  std::map<std::string, std::size_t, std::less<>> of_link_;
  Ahead<Change> pending_;  ///< until the end: cables tell of a packet when it has arrived
  Count held_ = 0;
  std::map<std::size_t, std::int64_t> newest_;  ///< of the instant that is looked at
  Picoseconds instant_{};
  bool begun_ = false, full_ = false;
  Picoseconds last_{};  ///< stamp written
  std::string changes_, text_;
  std::size_t head_size_ = 0;
  Count written_ = 0, left_out_ = 0;
};

}  // namespace gicsim::exports
