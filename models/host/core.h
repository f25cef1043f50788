// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>

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
  /// @param observer  only looks on: not one of the cores that the statistics count
  Core(Host& host, std::string who, bool observer = false)
      : host_(host),
        who_(std::move(who)),
        counted_(observer),
        phase_(host.spread_, who_ + ".poll"),
        scheduling_(host.spread_.seed, who_ + ".scheduling") {
    if (!observer) host_.enlist(who_, busy_.stats());
  }
  ~Core() { host_.strike(busy_.stats()); }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  Host& host() const { return host_; }
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

  /// Copies within own memory.
  Until copy(Bytes length, Ledger* ledger, Stage stage);

  /// A store: to own memory at once, into a device's window as a posted write (a full 64 B line is
  /// one TLP: write-combining).
  void store(Address address, Bytes length, Content content, Ledger* ledger, Stage flight);

  /// Where a core looks into a device's window: set once by whoever polls there.
  void window_cells(Cells<Content>& cells) { window_cells_ = &cells; }

  /// Sleeps until `wanted(content)` holds of a line in host memory, then until the polling loop,
  /// one turn of which takes `loop`, has noticed: half a turn on average (`spread.poll_phase`: anywhere in it), and
  /// until the core is there (`spread.cpu_scheduling`). What is there already
  /// when a busy core comes to look costs nothing extra.
  ///
  /// A line in a device's window isn't cached: each look is a read over the links. The first one is
  /// really made; what becomes visible later is seen after half a turn (loop and round trip) on
  /// average, and half a round trip for the value to come back.
  class Poll final : public Obstacle, private Watcher, private Initiator {
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
    void on_transferred(Transfer& look) override;
    bool own() const { return address_ - core_.host_.base_ < core_.host_.size_; }
    Cells<Content>& cells() { return own() ? core_.host_.cells_ : *core_.window_cells_; }

    Core& core_;
    Address address_;
    Cycles loop_;
    Wanted wanted_;
    std::string what_;
    Task::Handle program_;
    Picoseconds began_{}, round_trip_{};
  };
  Poll poll(Address address, Cycles loop, Poll::Wanted wanted, std::string what) {
    return Poll(*this, address, loop, std::move(wanted), std::move(what));
  }

  const Content* peek(Address address) const {
    return host_.cells_.read(address, host_.kernel_.now()).content;
  }

 private:
  /// A core counts once it works or polls.
  void use() {
    if (!std::exchange(counted_, true)) ++host_.stats_.cores;
  }

  /// When a program that would go on at `at` does so.
  Picoseconds awake(Picoseconds at);
  /// From when on it works, if it is asked to now.
  Picoseconds there() const {
    const Picoseconds now = host_.kernel_.now();
    return now >= gone_at_ ? std::max(now, back_at_) : now;
  }

  Host& host_;
  std::string who_;
  bool counted_;
  PollPhase phase_;
  RandomStream scheduling_;
  Picoseconds gone_at_{}, back_at_{};  ///< when somebody else has the core, the last time or the next
  Server busy_;
  Cells<Content>* window_cells_ = nullptr;
  bool taken_ = false;
  std::deque<std::coroutine_handle<>> waiting_;  ///< for the core
};

}  // namespace gicsim::host
