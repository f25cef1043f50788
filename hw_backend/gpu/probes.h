// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_backend/core/experiment.h"

/// What one GPU and its host do to each other, without a NIC. Methods and limits: docs/hardware.md.
namespace gicsim::hw::gpu {

class HostLoad final : public Experiment {
 public:
  static constexpr std::string_view key = "host_load";
  static constexpr std::string_view sentence =
      "loads from host memory, HBM and a peer: dependent ones one by one, and bandwidth by SMs";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class PageChase final : public Experiment {
 public:
  static constexpr std::string_view key = "page_chase";
  static constexpr std::string_view sentence =
      "dependent loads, one a page, over more and more pages of host memory and HBM: what translations cost";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class HostStore final : public Experiment {
 public:
  static constexpr std::string_view key = "host_store";
  static constexpr std::string_view sentence =
      "stores to host memory, HBM and a peer: what one costs its thread, rate and bandwidth by SMs";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class Fence final : public Experiment {
 public:
  static constexpr std::string_view key = "fence";
  static constexpr std::string_view sentence =
      "one fence by semantics, scope, stores outstanding, their memory, its mapping, and idling before";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class HostAtomic final : public Experiment {
 public:
  static constexpr std::string_view key = "host_atomic";
  static constexpr std::string_view sentence =
      "atomics of system scope on host memory, HBM and a peer: one by one, and rate by SMs";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class Launch final : public Experiment {
 public:
  static constexpr std::string_view key = "launch";
  static constexpr std::string_view sentence =
      "a kernel launch: the call, until a CPU sees its store, until synchronised";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class CopyEngine final : public Experiment {
 public:
  static constexpr std::string_view key = "copy_engine";
  static constexpr std::string_view sentence =
      "copies between host and GPU, 8 B to 256 MiB, either way and both: until synchronised, and bandwidth";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class DoorbellEcho final : public Experiment {
 public:
  static constexpr std::string_view key = "doorbell_echo";
  static constexpr std::string_view sentence = "a GPU thread rings in host memory, a CPU thread answers there";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class DoorbellEchoStream final : public Experiment {
 public:
  static constexpr std::string_view key = "doorbell_echo_stream";
  static constexpr std::string_view sentence =
      "a stream's write-value rings in host memory, a CPU thread's answer releases its wait-value";
  static constexpr Needs needs{1};
  void run(Session& session) override;
};

class DoorbellEchoPeer final : public Experiment {
 public:
  static constexpr std::string_view key = "doorbell_echo_peer";
  static constexpr std::string_view sentence = "a GPU thread rings in a second GPU's memory, a kernel there answers";
  static constexpr Needs needs{2};
  std::string unavailable(const Machine& machine, const Options& options) const override;
  void run(Session& session) override;
};

}  // namespace gicsim::hw::gpu
