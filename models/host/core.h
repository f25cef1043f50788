// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "models/host/host.h"
#include "models/mechanisms/server.h"

namespace gicsim::host {

/// One core, on which one or more programs take turns. Work is in cycles of the core's present
/// clock plus cache misses when cold; waiting for a line costs no events.
class Core {
 public:
  Core(Host& host, std::string who)
      : host_(host),
        who_(std::move(who)),
        phase_(host.spread_, who_ + ".poll"),
        scheduling_(host.spread_.seed, who_ + ".scheduling") {}

  Host& host() { return host_; }
  const std::string& who() const { return who_; }
  Frequency clock() const {
    return host_.params_.state == CpuState::cold ? host_.params_.clock_cold : host_.params_.clock_warm;
  }

  struct Until {
    Core& core;
    Picoseconds at;
    Ledger* ledger;
    Stage stage;
    bool await_ready() const noexcept { return at <= core.host_.kernel_.now(); }
    void await_suspend(std::coroutine_handle<> program) { core.host_.kernel_.resume(at, program); }
    void await_resume() {
      if (ledger) ledger->close(stage, core.host_.name(), at);
    }
  };
  /// Work on one message; waits until the core's other programs let go.
  Until work(Cycles cycles, Count misses, Ledger* ledger, Stage stage);

  /// A store: to own memory at once, into a device's window as a posted write (a full 64 B line is
  /// one TLP: write-combining).
  void store(Address address, Bytes length, Content content, Ledger* ledger, Stage flight);

  /// Sleeps until `wanted(content)` holds of a line in host memory, then until the polling loop,
  /// one turn of which takes `loop`, has noticed: half a turn on average (`spread.poll_phase`: anywhere in it), and
  /// until the core is there (`spread.cpu_scheduling`). What is there already
  /// when a busy core comes to look costs nothing extra.
  class Poll final : public Obstacle, private Watcher {
   public:
    using Wanted = std::function<bool(const Content&)>;
    Poll(Core& core, Address address, Cycles loop, Wanted wanted, std::string what)
        : core_(core), address_(address), loop_(loop), wanted_(std::move(wanted)), what_(std::move(what)) {}
    bool await_ready();
    void await_suspend(Task::Handle program);
    void await_resume();
    std::string waits_for() const override { return what_; }

   private:
    void on_written(Picoseconds visible) override;

    Core& core_;
    Address address_;
    Cycles loop_;
    Wanted wanted_;
    std::string what_;
    Task::Handle program_;
  };
  Poll poll(Address address, Cycles loop, Poll::Wanted wanted, std::string what) {
    return Poll(*this, address, loop, std::move(wanted), std::move(what));
  }

  const Content* peek(Address address) const {
    return host_.cells_.read(address, host_.kernel_.now()).content;
  }

 private:
  /// When a program that would go on at `at` does so.
  Picoseconds awake(Picoseconds at);

  Host& host_;
  std::string who_;
  PollPhase phase_;
  RandomStream scheduling_;
  Picoseconds gone_at_{}, back_at_{};  ///< when somebody else has the core, the last time or the next
  Server busy_;
};

}  // namespace gicsim::host
