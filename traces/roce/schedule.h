// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "traces/roce/flow.h"
#include "traces/schedule/source.h"

namespace gicsim::roce {

/// What hosts did, as one RoCEv2 capture shows it: a rank for each address; a WRITE or SEND is a send and, at the other end, a
/// recv, so that what follows an arrival can wait for it; READs and atomics are steps of their requester alone.
///
/// A capture doesn't say what a message waited for. It is taken to be what was seen last between the two hosts at the
/// poster's side before it (a completion, an arrival, a message's begin), and the time between them to be the poster's own.
class CaptureSchedule final : public schedule::Source {
 public:
  /// Reads the file once for its addresses.
  /// @throws ConfigError for what isn't a capture, or is damaged
  explicit CaptureSchedule(std::string file);
  ~CaptureSchedule() override;

  std::string format() const override;
  std::size_t ranks() const override { return addresses_.size(); }
  bool next(std::size_t rank, schedule::Step& step) override;
  bool ready(std::size_t rank) override;
  void rewind() override;
  std::vector<std::string> hosts() const override;
  std::vector<schedule::Unused> unused() const override;
  std::vector<std::string> notes() const override;
  double progress() const override;
  Location location(std::size_t rank, const schedule::Step& step) const override;
  /// Most of its messages are SENDs.
  bool sends() const { return sends_ > writes_; }

 private:
  class Reader;
  std::string file_, format_;
  std::vector<IpAddress> addresses_;             ///< in order
  std::set<std::pair<FlowKey, int>> chosen_;     ///< flows, and their lives, at the place nearest to their requester
  std::vector<schedule::Unused> unused_;
  std::uint64_t sends_ = 0, writes_ = 0;
  std::unique_ptr<Reader> reader_;
};

}  // namespace gicsim::roce
