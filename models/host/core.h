// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <string>

#include "models/host/host.h"
#include "models/mechanisms/server.h"

namespace gicsim::host {

/// A line of memory that one core at a time may work on: a lock, a reference count.
class SharedLine {
 public:
  SharedLine(Host& host, std::string who) : host_(host) { host_.enlist(std::move(who), server_.stats()); }
  ~SharedLine() { host_.strike(server_.stats()); }
  SharedLine(const SharedLine&) = delete;
  SharedLine& operator=(const SharedLine&) = delete;
  Slot serve(Picoseconds now, Picoseconds time) { return server_.serve(now, time); }

 private:
  Host& host_;
  Server server_;
};

/// One core, on which one or more programs take turns. Work is in cycles of the core's present
/// clock plus cache misses when cold; waiting for a line costs no events.
class Core {
 public:
  Core(Host& host, std::string who) : host_(host), who_(std::move(who)) { host_.enlist(who_, busy_.stats()); }
  ~Core() { host_.strike(busy_.stats()); }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

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
  /// The same on a line that other cores work on, too: spins until it is this one's turn, which
  /// counts as waiting, not as work.
  Until work_on(SharedLine& line, Cycles cycles, Ledger* ledger, Stage stage);

  /// The core, for a program with several pieces of work in one go; first come, first served.
  struct Turn {
    Core& core;
    bool await_ready() noexcept { return !std::exchange(core.taken_, true); }
    void await_suspend(std::coroutine_handle<> program) { core.waiting_.push_back(program); }
    void await_resume() noexcept {}
  };
  Turn take() { return {*this}; }
  /// Gives it to whoever has waited longest.
  void give();

  /// A store: to own memory at once, into a device's window as a posted write (a full 64 B line is
  /// one TLP: write-combining).
  void store(Address address, Bytes length, Content content, Ledger* ledger, Stage flight);

  /// Sleeps until `wanted(content)` holds of a line in host memory, then until the polling loop,
  /// one turn of which takes `loop`, has noticed: half a turn on average. What is there already
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
  Host& host_;
  std::string who_;
  Server busy_;
  bool taken_ = false;
  std::deque<std::coroutine_handle<>> waiting_;  ///< for the core
};

}  // namespace gicsim::host
