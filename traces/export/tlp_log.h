// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/protocol/tlp.h"

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
  /// A sender announces a TLP when it gives it its time on the lanes, which may be a while ahead.
  struct Line {
    Picoseconds begin;
    std::uint64_t order;
    std::string text;
    bool operator<(const Line& other) const {  // a priority_queue's top is its greatest
      return begin != other.begin ? begin > other.begin : order > other.order;
    }
  };
  void note(const TlpSent& sent, Picoseconds now);
  void write_before(Picoseconds now);
  void write(const std::string& line);

  Bytes limit_;
  std::string text_;
  std::priority_queue<Line> ahead_;
  std::uint64_t order_ = 0;
  Count written_ = 0, left_out_ = 0;
};

}  // namespace gicsim::exports
