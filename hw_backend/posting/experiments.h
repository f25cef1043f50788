// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "hw_backend/core/experiment.h"

/// The posting path without a NIC: queues as a ConnectX has them, served by nobody, by a CPU thread, by another SM, by a
/// second GPU. docs/hardware.md says what each of them stands for, and what it doesn't.
namespace gicsim::hw::posting {

class Put : public Experiment {
 public:
  static constexpr std::string_view key = "put";
  static constexpr std::string_view sentence =
      "one put at a time: what the thread spends on posting it, by ordering, and the time until it sees the CQE";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class PingPong : public Experiment {
 public:
  static constexpr std::string_view key = "ping_pong";
  static constexpr std::string_view sentence = "a put there and one back, by threads that poll a word of their own memory";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class MessageRate : public Experiment {
 public:
  static constexpr std::string_view key = "message_rate";
  static constexpr std::string_view sentence = "puts in a row, by ordering, batch, threads, SMs and how threads share a queue";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class Doorbells : public Experiment {
 public:
  static constexpr std::string_view key = "doorbell";
  static constexpr std::string_view sentence = "doorbells in a row: 8 B stores to host memory, or to a second GPU";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class HostStaged : public Experiment {
 public:
  static constexpr std::string_view key = "host_staged";
  static constexpr std::string_view sentence = "a put in three hops: a copy engine, a CPU's memcpy for the wire, a copy engine";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

}  // namespace gicsim::hw::posting
