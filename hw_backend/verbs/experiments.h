// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw_backend/core/experiment.h"

namespace gicsim::hw {

/// What a CPU thread posts through libibverbs over a reliable connection, from host or GPU memory (--memory). With a
/// partner (--listen, --connect) the end that connects measures; alone, two queue pairs of one port meet.
class VerbsExperiment : public Experiment {
 public:
  static constexpr Needs needs{0, true, false, false};
  std::string unavailable(const Machine& machine, const Options& options) const override;
};

class VerbsPut final : public VerbsExperiment {
 public:
  static constexpr std::string_view key = "verbs_put";
  static constexpr std::string_view sentence = "one WRITE at a time: the call, and until its completion is polled";
  void run(Session& session) override;
};

class VerbsGet final : public VerbsExperiment {
 public:
  static constexpr std::string_view key = "verbs_get";
  static constexpr std::string_view sentence = "one READ at a time: the call, and until its completion is polled";
  void run(Session& session) override;
};

class VerbsAtomic final : public VerbsExperiment {
 public:
  static constexpr std::string_view key = "verbs_atomic";
  static constexpr std::string_view sentence =
      "one fetch-and-add or compare-and-swap at a time; each must have taken effect once";
  void run(Session& session) override;
};

class VerbsPutBw final : public VerbsExperiment {
 public:
  static constexpr std::string_view key = "verbs_put_bw";
  static constexpr std::string_view sentence = "a stream of WRITEs by one thread: bandwidth by size";
  void run(Session& session) override;
};

class VerbsMessageRate final : public VerbsExperiment {
 public:
  static constexpr std::string_view key = "verbs_message_rate";
  static constexpr std::string_view sentence =
      "8-byte WRITEs by several threads, a queue pair each: rate by threads and batch";
  void run(Session& session) override;
};

class VerbsPingPong final : public VerbsExperiment {
 public:
  static constexpr std::string_view key = "verbs_ping_pong";
  static constexpr std::string_view sentence =
      "a WRITE there and a WRITE back, each seen by a CPU that polls its memory";
  std::string unavailable(const Machine& machine, const Options& options) const override;
  void run(Session& session) override;
};

}  // namespace gicsim::hw
