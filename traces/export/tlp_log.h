// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/protocol/tlp.h"
#include "traces/export/ahead.h"

/// What a run did, in other people's formats and in plain ones of our own.
namespace gicsim::exports {

/// Every TLP on every link, a line each, in the order of their first symbols; docs/tlp_log.md has the
/// columns. It is bounded: what comes when it is full is counted, and its last line says how many.
class TlpLog {
 public:
  static constexpr Bytes standard_limit = 64_MiB;

  explicit TlpLog(Bytes limit = standard_limit) : limit_(limit) {}

  /// Starts afresh, and notes what is announced from now on. Kernel and probe belong together.
  void listen(Probe<TlpSent>& sent, const Kernel& kernel);
  /// No more comes: takes in what had not begun yet. Before `text`.
  void finish();

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }
  Count written() const { return written_; }
  Count left_out() const { return left_out_; }

 private:
  void note(const TlpSent& sent, Picoseconds now);
  void write(const std::string& line);

  Bytes limit_;
  std::string text_;
  Ahead<std::string> ahead_;
  Count written_ = 0, left_out_ = 0;
};

}  // namespace gicsim::exports
