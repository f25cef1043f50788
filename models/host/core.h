// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "models/base/probe.h"
#include "models/host/host.h"
#include "models/host/interrupt_params.h"
#include "models/mechanisms/server.h"
#include "models/mechanisms/time_slices.h"
#include "models/protocol/atomic_done.h"

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
/// clock plus cache misses when cold; waiting for a line costs no events. Under a load (CpuLoad) the core is
/// theirs for a time slice, then others', or it is slower while its other hardware thread works.
///
/// Stores to a device's window go through write-combining buffers: each full one leaves as one TLP, what doesn't
/// fill one 8 B at a time. A WQE that comes in pieces is a doorbell to the NIC, by its first one.
class Core : private Initiator {
 public:
  /// @param observer  only looks on: not one of the cores that the statistics count
  Core(Host& host, std::string who, bool observer = false)
      : host_(host),
        who_(std::move(who)),
        counted_(observer),
        slices_(slices(host, who_)),
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

  /// An atomic on a line of own memory. @return what it held
  std::uint64_t add_to(Address address, std::uint64_t addend);
  /// Who hears of that.
  void tell(const Probe<AtomicDone>& atomics) { atomics_done_ = &atomics; }

  /// Copies within own memory.
  Until copy(Bytes length, Ledger* ledger, Stage stage);

  /// A store: to own memory at once, into a device's window as posted writes.
  void store(Address address, Bytes length, Content content, Ledger* ledger, Stage flight);

  /// Copies to a device's window through the write-combining buffers, and waits for the last one to drain: a store
  /// fence. The watched last line gets `content`; `data` forks off `ledger` with it.
  Task fill(Address address, Bytes length, Content content, Ledger* ledger, Ledger* data, Stage stage, Stage flight);
  /// The line in which the end of that is seen.
  static Address last_line(Address address, Bytes length) {
    return address + static_cast<Address>(((pieces(length, 64_B) - 1) * 64_B).count());
  }

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

  /// Sleeps until an interrupt of a vector whose `wanted(content)` holds, then until its handler has run here, and the
  /// thread after it.
  class Sleep final : public Obstacle, private Watcher {
   public:
    Sleep(Core& core, Address vector, const InterruptParams& params, Poll::Wanted wanted, std::string what)
        : core_(core), vector_(vector), params_(params), wanted_(std::move(wanted)), what_(std::move(what)) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(Task::Handle program);
    void await_resume();
    std::string waits_for() const override { return what_; }

   private:
    void on_written(Picoseconds visible) override;
    void look(Picoseconds from);

    Core& core_;
    Address vector_;
    const InterruptParams& params_;
    Poll::Wanted wanted_;
    std::string what_;
    Task::Handle program_;
  };
  Sleep sleep(Address vector, const InterruptParams& params, Poll::Wanted wanted, std::string what) {
    return Sleep(*this, vector, params, std::move(wanted), std::move(what));
  }

  const Content* peek(Address address) const {
    return host_.cells_.read(address, host_.kernel_.now()).content;
  }

 private:
  static TimeSlices slices(const Host& host, const std::string& who);
  /// The core, for `work` from `from` on.
  Slot occupy(Picoseconds from, Picoseconds work, Ledger* ledger);
  /// Work while the other hardware thread works, too.
  Picoseconds slowed(Picoseconds work) const;
  /// Of `rest` bytes stored in a row: what leaves as the next TLP.
  Bytes piece(Bytes rest) const;
  void post(Address address, Bytes length, Content content, Ledger* ledger, Stage flight, Initiator* told);
  void on_transferred(Transfer&) override;
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
  TimeSlices slices_;  ///< its own, of those under a load
  PollPhase phase_;
  RandomStream scheduling_;
  Picoseconds gone_at_{}, back_at_{};  ///< when somebody else has the core, the last time or the next
  Server busy_;
  Cells<Content>* window_cells_ = nullptr;
  const Probe<AtomicDone>* atomics_done_ = nullptr;
  bool taken_ = false;
  std::deque<std::coroutine_handle<>> waiting_;  ///< for the core
  std::deque<Picoseconds> draining_;             ///< when write-combining buffers are free
  Count posted_ = 0;                             ///< lines of fill() under way
  std::coroutine_handle<> filling_;              ///< waits for one of them
};

}  // namespace gicsim::host
