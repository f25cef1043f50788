// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/calendar.h"
#include "models/base/task.h"
#include "models/units/time.h"

namespace gicsim {

/// Timed work of all models, behind one SC_METHOD that owns a calendar queue and runs ahead to
/// the next foreign SystemC event. Events of one instant run in the order (lane, sequence):
/// lane 0 is local, whatever crosses a wire has the wire's number and comes after.
///
/// Build it first and destroy it last. Models ask `now()`, never sc_time_stamp(), which lags
/// while the kernel runs ahead. One Kernel per SystemC context.
class Kernel final : public sc_core::sc_module {
 public:
  enum class Steps { run_ahead, exact };  ///< exact: one SystemC step per distinct time
  enum class Ended { idle, at_limit, stuck };
  using Lane = std::uint16_t;

  explicit Kernel(sc_core::sc_module_name name, Steps steps = Steps::run_ahead);
  ~Kernel() override;

  Picoseconds now() const { return now_; }

  /// Calls (self->*Method)() at `t`, which must not lie in the past (ModelError).
  template <auto Method, class T>
  void at(Picoseconds t, T* self, Lane lane = 0) {
    post(t, lane, [](void* object) { (static_cast<T*>(object)->*Method)(); }, self);
    ++foreground_;
  }
  /// The same, but keeps no run alive: refresh timers, samplers.
  template <auto Method, class T>
  void tick(Picoseconds t, T* self);

  /// Resumes a suspended coroutine at `t`.
  void resume(Picoseconds t, std::coroutine_handle<> program, Lane lane = 0);

  /// co_await kernel.sleep(d);
  auto sleep(Picoseconds d) {
    struct Sleep {
      Kernel& kernel;
      Picoseconds until;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> program) { kernel.resume(until, program); }
      void await_resume() const noexcept {}
    };
    return Sleep{*this, now_ + d};
  }

  /// Starts a program at the present instant; the kernel owns it until it ends.
  void start(std::string who, Task program);

  /// Notifies a foreign event at `t`; lowers the run-ahead limit so that its listeners are
  /// never overtaken.
  void notify(sc_core::sc_event& foreign, Picoseconds t);

  /// Until nothing is left (idle), or programs wait and nothing can wake them (stuck).
  /// An exception from a model or program comes out with its own type.
  Ended run();
  /// The same up to and including `t`, then at_limit; now() is `t` afterwards.
  Ended run_through(Picoseconds t);

  /// Who still waits and for what: "node0.gpu0.thread0 waits for a CQE of qp 3", in order of start.
  std::vector<std::string> waiting() const;

  Count events() const { return events_; }  ///< executed so far
};

}  // namespace gicsim
