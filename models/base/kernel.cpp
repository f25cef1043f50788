// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/kernel.h"

#include <algorithm>
#include <utility>

#include "models/base/errors.h"
#include "models/units/text.h"

namespace gicsim {
namespace {

sc_core::sc_time systemc_time(Picoseconds t) {
  return sc_core::sc_time::from_value(static_cast<std::uint64_t>(t.count()));
}

Picoseconds picoseconds(const sc_core::sc_time& t) {
  const std::uint64_t most = static_cast<std::uint64_t>(never.count());
  return Picoseconds{static_cast<std::int64_t>(std::min<std::uint64_t>(t.value(), most))};
}

Picoseconds systemc_now() { return picoseconds(sc_core::sc_time_stamp()); }

sc_core::sc_simcontext* context() { return sc_core::sc_get_curr_simcontext(); }

/// When SystemC has something to do, later than now; `never` when it has nothing.
Picoseconds next_in_systemc() {
  if (!sc_core::sc_pending_activity_at_future_time(context())) return never;
  return systemc_now() + picoseconds(sc_core::sc_time_to_pending_activity(context()));
}

/// SystemC is at work.
struct Driving {
  bool& flag;
  explicit Driving(bool& f) : flag(f) { flag = true; }
  ~Driving() { flag = false; }
};

}  // namespace

Kernel::Kernel(sc_core::sc_module_name name, Steps steps) : sc_module(name), steps_(steps) {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS))
    throw ModelError(this->name(), Picoseconds{0}, "the time resolution of SystemC is not 1 ps");
  SC_HAS_PROCESS(Kernel);
  SC_METHOD(step);
  sensitive << wake_;
}

Kernel::~Kernel() { abandon(); }

void Kernel::start(std::string who, Task program, Kind kind) {
  programs_.push_back(
      Running{*this, Program{std::move(who), kind == Kind::service}, program.release(), {}});
  Running& running = programs_.back();
  running.self = std::prev(programs_.end());
  Task::promise_type& promise = running.frame.promise();
  promise.program = &running.program;
  promise.owner = &running;
  promise.on_done = &on_done;
  resume(now(), running.frame);
}

void Kernel::on_done(void* object, Task::Handle frame) {
  Running& running = *static_cast<Running*>(object);
  Kernel& kernel = running.kernel;
  if (frame.promise().failure) {
    kernel.failure_ = frame.promise().failure;
    kernel.limit_ = Picoseconds::min();
  }
  kernel.programs_.erase(running.self);
  kernel.bury(frame);
}

void Kernel::bury(Task::Handle frame) noexcept {
  if (const Task::Handle previous = std::exchange(ended_, frame)) previous.destroy();
}

void Kernel::abandon() noexcept {
  bury({});
  while (!programs_.empty()) {
    const Task::Handle frame = programs_.back().frame;
    programs_.pop_back();
    frame.destroy();
  }
  calendar_.clear();
  foreground_ = 0;
}

void Kernel::notify(sc_core::sc_event& foreign, Picoseconds t) {
  resume(t, std::noop_coroutine());
  foreign.notify(systemc_time(t - systemc_now()));
  limit_ = std::min(limit_, t - Picoseconds{1});
}

Picoseconds Kernel::between_events() const {
  if (!driving_) return reached_;
  const Picoseconds here = systemc_now();
  if (here < reached_)
    throw ModelError(name(), reached_,
                     "a foreign process woke at " + text::write(here) + " without Kernel::notify");
  return here;
}

void Kernel::admit(Picoseconds t) {
  if (t < now())
    throw ModelError(name(), now(), "an event at " + text::write(t) + " lies in the past");
  if (driving_) arm(t);
}

void Kernel::arm(Picoseconds t) {
  const Picoseconds here = systemc_now();
  wake_.notify(systemc_time(std::max(t - here, Picoseconds{0})));
}

void Kernel::step() {
  if (sc_core::sc_pending_activity_at_current_time(context())) {
    wake_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  limit_ = steps_ == Steps::exact ? systemc_now() : next_in_systemc() - Picoseconds{1};
  limit_ = std::min(limit_, last_);
  try {
    execute();
  } catch (...) {
    failure_ = std::current_exception();
  }
  reached_ = std::exchange(running_at_, never);
  if (failure_ || foreground_ == 0) {
    sc_core::sc_pause();
  } else if (const Picoseconds next = calendar_.next(); next <= last_ && next != never) {
    arm(next);
  }
}

void Kernel::execute() {
  Calendar::Event event;
  running_at_ = reached_;
  while (foreground_ != 0 && calendar_.pop_through(limit_, event)) {
    running_at_ = event.time;
    if (!event.background()) --foreground_;
    ++events_;
    event.call(event.self);
  }
}

void Kernel::rethrow_failure() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// Returns with SystemC settled: nothing left to do at its present time.
void Kernel::drive(Picoseconds last) {
  const Driving driving(driving_);
  last_ = last;
  if (sc_core::sc_get_status() == sc_core::SC_ELABORATION) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (;;) {
    rethrow_failure();
    if (sc_core::sc_pending_activity_at_current_time(context())) {
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
      continue;
    }
    if (foreground_ == 0) break;
    if (const Picoseconds next = calendar_.next(); next <= last && next != never) {
      arm(next);
      if (sc_core::sc_pending_activity_at_current_time(context())) continue;
    }
    if (next_in_systemc() > last || next_in_systemc() == never) break;
    sc_core::sc_start(systemc_time(last - systemc_now()), sc_core::SC_EXIT_ON_STARVATION);
  }
  wake_.cancel();
}

/// Moves SystemC's time where nothing happens in between.
void Kernel::simulate_to(Picoseconds t) {
  const Driving driving(driving_);
  if (systemc_now() < t)
    sc_core::sc_start(systemc_time(t - systemc_now()), sc_core::SC_RUN_TO_TIME);
  reached_ = t;
}

Kernel::Ended Kernel::ended(bool more) const {
  if (more) return Ended::at_limit;
  const bool waiting = std::any_of(programs_.begin(), programs_.end(),
                                   [](const Running& r) { return !r.program.service; });
  return waiting || foreground_ != 0 ? Ended::stuck : Ended::idle;
}

Kernel::Ended Kernel::run(Picoseconds limit) {
  limit = std::max(limit, reached_);
  drive(limit);
  const bool more = foreground_ != 0 && std::min(calendar_.next(), next_in_systemc()) != never;
  simulate_to(more ? limit : std::max(reached_, systemc_now()));
  return ended(more);
}

Kernel::Ended Kernel::run_through(Picoseconds t) {
  if (t < reached_)
    throw ModelError(name(), reached_, "run_through(" + text::write(t) + ") lies in the past");
  struct Held {
    Kernel& kernel;
    explicit Held(Kernel& k) : kernel(k) { kernel.hold(); }
    ~Held() { kernel.release(); }
  };
  {
    const Held held(*this);
    drive(t);
  }
  simulate_to(t);
  return ended(foreground_ != 0);
}

std::vector<std::string> Kernel::waiting() const {
  std::vector<std::string> lines;
  for (const Running& running : programs_) {
    if (running.program.service) continue;
    const Obstacle* const obstacle = running.program.obstacle;
    lines.push_back(running.program.who + " waits for " +
                    (obstacle != nullptr ? obstacle->waits_for() : "something without a name"));
  }
  return lines;
}

}  // namespace gicsim
