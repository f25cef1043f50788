// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <list>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/calendar.h"
#include "models/base/task.h"
#include "models/units/time.h"

namespace gicsim {

/// Timed work of all models, behind one SC_METHOD that owns a calendar queue and runs ahead to
/// the next foreign SystemC event. Events of one instant run in the order (lane, sequence):
/// lane 0 is local, whatever crosses a wire has the wire's number and comes after. Foreign
/// SystemC activity of an instant, with all its delta cycles, comes before the kernel's own.
///
/// Build it first and destroy it last. Models ask `now()`, never sc_time_stamp(), which lags
/// while the kernel runs ahead. Foreign processes may call `now()` and `at()`, too. A model
/// never makes a foreign event due but through `notify()`. One Kernel per SystemC context.
class Kernel final : public sc_core::sc_module {
 public:
  enum class Steps { run_ahead, exact };  ///< exact: one SystemC step per distinct time
  enum class Ended { idle, at_limit, stuck };
  using Lane = Calendar::Lane;

  explicit Kernel(sc_core::sc_module_name name, Steps steps = Steps::run_ahead);
  ~Kernel() override;

  Picoseconds now() const { return running_at_ != never ? running_at_ : between_events(); }

  /// Calls (self->*Method)() at `t`, which must not lie in the past (ModelError).
  template <auto Method, class T>
  void at(Picoseconds t, T* self, Lane lane = 0) {
    post(
        t, lane, [](void* object) { (static_cast<T*>(object)->*Method)(); }, self);
    ++foreground_;
  }
  /// The same, but keeps no run alive: refresh timers, samplers.
  template <auto Method, class T>
  void tick(Picoseconds t, T* self) {
    post(
        t, 0, [](void* object) { (static_cast<T*>(object)->*Method)(); }, self, true);
  }

  /// Resumes a suspended coroutine at `t`.
  void resume(Picoseconds t, std::coroutine_handle<> program, Lane lane = 0) {
    post(
        t, lane, [](void* frame) { std::coroutine_handle<>::from_address(frame).resume(); },
        program.address());
    ++foreground_;
  }

  /// co_await kernel.sleep(d);
  auto sleep(Picoseconds d) {
    struct Sleep {
      Kernel& kernel;
      Picoseconds until;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> program) { kernel.resume(until, program); }
      void await_resume() const noexcept {}
    };
    return Sleep{*this, now() + d};
  }

  /// A service (a proxy's worker) waits for work that may never come: alone it makes no run stuck.
  enum class Kind { program, service };

  /// Starts a program at the present instant; the kernel owns it until it ends.
  void start(std::string who, Task program, Kind kind = Kind::program);

  /// Ends everything: destroys the programs that are still suspended, the youngest first, and
  /// forgets pending events. Whoever owns the modules calls it before they die, as both refer
  /// to them.
  void abandon() noexcept;

  /// Notifies a foreign event at `t`; lowers the run-ahead limit so that its listeners are
  /// never overtaken. Keeps a run alive until then.
  void notify(sc_core::sc_event& foreign, Picoseconds t);

  /// A foreign model owes an answer: keeps a run alive, as a pending event does, until
  /// release(). For bridges.
  void hold() { ++foreground_; }
  void release() { --foreground_; }

  /// Until nothing is left (idle), or programs wait and nothing can wake them (stuck), or
  /// `limit` is over (at_limit). now() is the time of the last event, or `limit`.
  /// An exception from a model or program comes out with its own type.
  Ended run(Picoseconds limit = never);
  /// All that is due up to and including `t`, ticks and foreign work as well; now() is `t`
  /// afterwards. at_limit: something is still to come.
  Ended run_through(Picoseconds t);

  /// Who still waits and for what: "node0.gpu0.thread0 waits for a CQE of qp 3", in order of start.
  std::vector<std::string> waiting() const;

  Count events() const { return events_; }  ///< executed so far

 private:
  struct Running {
    Kernel& kernel;
    Program program;
    Task::Handle frame;
    std::list<Running>::iterator self;
  };

  void post(Picoseconds t, Lane lane, Calendar::Call call, void* self, bool background = false) {
    if (t < running_at_) [[unlikely]]
      admit(t);
    calendar_.push(t, lane, call, self, background);
  }
  void admit(Picoseconds t);
  Picoseconds between_events() const;

  void step();
  void execute();
  void arm(Picoseconds t);
  void drive(Picoseconds last);
  void simulate_to(Picoseconds t);
  void rethrow_failure();
  Ended ended(bool more) const;

  static void on_done(void* running, Task::Handle frame);
  void bury(Task::Handle frame) noexcept;

  const Steps steps_;
  Picoseconds running_at_ = never;  ///< time of the event that runs; `never` between events
  Picoseconds limit_{};             ///< the event loop takes nothing later
  Count foreground_ = 0;            ///< pending events that keep a run alive
  Count events_ = 0;
  Calendar calendar_;
  Picoseconds last_{};     ///< where the present run ends
  Picoseconds reached_{};  ///< between events: how far we are
  bool driving_ = false;
  sc_core::sc_event wake_{"wake"};
  std::list<Running> programs_;
  Task::Handle ended_;  ///< destroyed later: it is still on the stack when it ends
  std::exception_ptr failure_;
};

}  // namespace gicsim
