// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <coroutine>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/base/errors.h"
#include "models/base/kernel.h"
#include "tests/support/bench.h"

namespace gicsim {
namespace {

using Steps = Kernel::Steps;
using Ended = Kernel::Ended;

/// Calls what it is given, when its event comes.
struct Call {
  std::function<void()> what;
  void go() { what(); }
};

struct Log {
  std::vector<std::string> lines;
  void add(Picoseconds t, const std::string& what) {
    lines.push_back(std::to_string(t.count()) + " " + what);
  }
};
using Lines = std::vector<std::string>;

/// A foreign model: a process every `period`, twice a time through a delta cycle.
struct Ticker : sc_core::sc_module {
  Kernel& kernel;
  Picoseconds period;
  std::function<void(int)> on_tick;
  int ticks = 0;
  sc_core::sc_event again{"again"};

  Ticker(sc_core::sc_module_name name, Kernel& k, Picoseconds p, std::function<void(int)> f)
      : sc_module(name), kernel(k), period(p), on_tick(std::move(f)) {
    SC_HAS_PROCESS(Ticker);
    SC_METHOD(tick);
    SC_METHOD(delta);
    sensitive << again;
    dont_initialize();
  }
  void tick() {
    again.notify(sc_core::SC_ZERO_TIME);
    next_trigger(sc_core::sc_time::from_value(static_cast<std::uint64_t>(period.count())));
  }
  void delta() { on_tick(++ticks); }
};

/// A foreign model that answers a request.
struct Responder : sc_core::sc_module {
  Kernel& kernel;
  std::function<void()> on_request;
  sc_core::sc_event request{"request"};

  Responder(sc_core::sc_module_name name, Kernel& k, std::function<void()> f)
      : sc_module(name), kernel(k), on_request(std::move(f)) {
    SC_HAS_PROCESS(Responder);
    SC_METHOD(answer);
    sensitive << request;
    dont_initialize();
  }
  void answer() { on_request(); }
};

/// What a program waits on until somebody sets it.
struct Flag : Obstacle {
  Kernel& kernel;
  std::string name;
  std::coroutine_handle<> waiter;
  explicit Flag(Kernel& k, std::string n) : kernel(k), name(std::move(n)) {}
  std::string waits_for() const override { return name; }
  bool await_ready() const { return false; }
  void await_suspend(Task::Handle program) {
    program.promise().program->obstacle = this;
    waiter = program;
  }
  void await_resume() const {}
  void set() { kernel.resume(kernel.now(), waiter); }
};

Task sleeper(Kernel& kernel, Log& log, std::string who, Picoseconds nap) {
  co_await kernel.sleep(nap);
  log.add(kernel.now(), who);
}

}  // namespace

TEST_CASE("kernel: one instant runs by lane, then in order of posting") {
  Bench bench;
  Log log;
  Kernel& k = bench.kernel;
  const auto say = [&](const char* what) {
    return Call{[&log, &k, what] { log.add(k.now(), what); }};
  };
  Call a = say("lane 0, first"), b = say("lane 0, second"), c = say("lane 1"), d = say("lane 7");
  Call late = say("later");
  k.at<&Call::go>(2ns, &late);
  k.at<&Call::go>(1ns, &d, 7);
  k.at<&Call::go>(1ns, &a);
  k.at<&Call::go>(1ns, &c, 1);
  k.at<&Call::go>(1ns, &b);
  CHECK(bench.run() == Ended::idle);
  CHECK(log.lines == Lines{"1000 lane 0, first", "1000 lane 0, second", "1000 lane 1",
                           "1000 lane 7", "2000 later"});
  CHECK(k.events() == 5);
  CHECK(bench.now() == 2ns);
}

TEST_CASE("kernel: local work of an instant that is posted within it comes before the wires") {
  Bench bench;
  Log log;
  Kernel& k = bench.kernel;
  Call wire{[&] { log.add(k.now(), "wire"); }};
  Call inner{[&] { log.add(k.now(), "inner"); }};
  Call outer{[&] { k.at<&Call::go>(k.now(), &inner); }};
  k.at<&Call::go>(1ns, &wire, 3);
  k.at<&Call::go>(1ns, &outer);
  bench.run();
  CHECK(log.lines == Lines{"1000 inner", "1000 wire"});
}

TEST_CASE("kernel: run_through(t) does what is due at t and nothing later") {
  for (const Steps steps : {Steps::run_ahead, Steps::exact}) {
    Bench bench(steps);
    int done = 0;
    Call call{[&] { ++done; }};
    bench.kernel.at<&Call::go>(10ns, &call);
    bench.kernel.at<&Call::go>(10'001_ps, &call);
    CHECK(bench.run_through(9'999_ps) == Ended::at_limit);
    CHECK(done == 0);
    CHECK(bench.now() == 9'999_ps);
    CHECK(bench.run_through(10ns) == Ended::at_limit);
    CHECK(done == 1);
    CHECK(bench.run_through(10ns) == Ended::at_limit);
    CHECK(bench.run_through(1us) == Ended::idle);
    CHECK(done == 2);
    CHECK(bench.now() == 1us);
    CHECK(sc_core::sc_time_stamp() == sc_core::sc_time(1, sc_core::SC_US));
    CHECK_THROWS_AS(bench.run_through(999ns), ModelError);
  }
}

TEST_CASE("kernel: run_through(t) settles foreign work at t, and what it posts") {
  for (const Steps steps : {Steps::run_ahead, Steps::exact}) {
    Bench bench(steps);
    Log log;
    Kernel& k = bench.kernel;
    Call call{[&] { log.add(k.now(), "posted"); }};
    bench.add<Ticker>(1us, [&](int) {
      log.add(k.now(), "tick");
      k.at<&Call::go>(k.now(), &call);
    });
    CHECK(bench.run_through(1us) == Ended::idle);
    CHECK(log.lines == Lines{"0 tick", "0 posted", "1000000 tick", "1000000 posted"});
  }
}

TEST_CASE("kernel: foreign work of an instant comes first") {
  for (const Steps steps : {Steps::run_ahead, Steps::exact}) {
    Bench bench(steps);
    Log log;
    Kernel& k = bench.kernel;
    Call call{[&] { log.add(k.now(), "own"); }};
    for (const Picoseconds t : {999'999_ps, Picoseconds{1us}, 1'000'001_ps})
      k.at<&Call::go>(t, &call);
    bench.add<Ticker>(1us, [&](int) { log.add(k.now(), "foreign"); });
    CHECK(bench.run() == Ended::idle);
    CHECK(log.lines ==
          Lines{"0 foreign", "999999 own", "1000000 foreign", "1000000 own", "1000001 own"});
  }
}

namespace {

/// Random work beside a foreign ticker that looks on and joins in; the whole history.
Lines history(Steps steps) {
  Bench bench(steps);
  Log log;
  Kernel& k = bench.kernel;
  struct Walker {
    Kernel& k;
    Log& log;
    std::string who;
    std::uint64_t state;
    int left;
    sc_core::sc_event* poke = nullptr;
    void go() {
      log.add(k.now(), who);
      state = state * 6364136223846793005U + 1442695040888963407U;
      const Picoseconds delay{static_cast<std::int64_t>((state >> 33) % 300'000 / 1'000 * 1'000)};
      const auto lane = static_cast<Kernel::Lane>(state >> 62);
      if (left % 16 == 0 && poke) k.notify(*poke, k.now() + delay);
      if (--left > 0) k.at<&Walker::go>(k.now() + delay, this, lane);
    }
  };
  Call joined{[&] { log.add(k.now(), "joined"); }};
  Responder& foreign = bench.add<Responder>([&] { log.add(k.now(), "poked"); });
  bench.add<Ticker>(1us, [&](int n) {
    log.add(k.now(), "tick");
    if (n % 3 == 0) k.at<&Call::go>(k.now() + Picoseconds{n * 1'000}, &joined);
  });
  std::vector<Walker> walkers;
  for (std::uint64_t i = 0; i < 5; ++i)
    walkers.push_back({k, log, "w" + std::to_string(i), i, 400, &foreign.request});
  for (Walker& walker : walkers) k.at<&Walker::go>(0ns, &walker);
  CHECK(bench.run_through(17us) == Ended::at_limit);
  CHECK(bench.run() == Ended::idle);
  log.add(bench.now(), "end");
  return log.lines;
}

}  // namespace

TEST_CASE("kernel: running ahead gives the history of exact steps, with a foreign ticker") {
  const Lines exact = history(Steps::exact);
  CHECK(exact.size() > 2'100);
  CHECK(history(Steps::run_ahead) == exact);
}

TEST_CASE("kernel: a notified foreign event is not overtaken, and may answer") {
  for (const Steps steps : {Steps::run_ahead, Steps::exact}) {
    Bench bench(steps);
    Log log;
    Kernel& k = bench.kernel;
    Call answer{[&] { log.add(k.now(), "answer"); }};
    Responder& foreign = bench.add<Responder>([&] {
      log.add(k.now(), "request");
      k.at<&Call::go>(k.now() + 5ns, &answer);
    });
    Call ask{[&] { k.notify(foreign.request, k.now() + 10ns); }};
    Call ask_now{[&] { k.notify(foreign.request, k.now()); }};
    Call other{[&] { log.add(k.now(), "other"); }};
    k.at<&Call::go>(100ns, &ask);
    for (const Picoseconds t : {109ns, 110ns, 120ns}) k.at<&Call::go>(t, &other);
    k.at<&Call::go>(200ns, &ask_now);
    k.at<&Call::go>(200ns, &other);
    CHECK(bench.run() == Ended::idle);
    CHECK(log.lines == Lines{"109000 other", "110000 request", "110000 other", "115000 answer",
                             "120000 other", "200000 request", "200000 other", "205000 answer"});
    log.lines.clear();
    k.notify(foreign.request, 300ns);
    CHECK(bench.run() == Ended::idle);
    CHECK(log.lines == Lines{"300000 request", "305000 answer"});
  }
}

TEST_CASE("kernel: a hold keeps a run alive until the foreign answer") {
  Bench bench;
  Kernel& k = bench.kernel;
  Responder& foreign = bench.add<Responder>([&] { k.release(); });
  Call ask{[&] {
    k.hold();
    k.notify(foreign.request, k.now() + 1us);
  }};
  k.at<&Call::go>(1ns, &ask);
  CHECK(bench.run() == Ended::idle);
  CHECK(bench.now() == 1'001ns);
  k.hold();
  CHECK(bench.run() == Ended::stuck);
  Call work{[] {}};
  k.at<&Call::go>(2us, &work);
  CHECK(bench.run() == Ended::stuck);
  CHECK(bench.now() == 2us);
}

TEST_CASE("kernel: a tick keeps no run alive") {
  for (const Steps steps : {Steps::run_ahead, Steps::exact}) {
    Bench bench(steps);
    Kernel& k = bench.kernel;
    int ticks = 0;
    Call tick;
    tick.what = [&] {
      ++ticks;
      k.tick<&Call::go>(k.now() + 10ns, &tick);
    };
    Call work{[] {}};
    k.tick<&Call::go>(10ns, &tick);
    k.at<&Call::go>(35ns, &work);
    CHECK(bench.run() == Ended::idle);
    CHECK(ticks == 3);
    CHECK(bench.now() == 35ns);
    CHECK(bench.run() == Ended::idle);
    CHECK(bench.now() == 35ns);
    CHECK(bench.run_through(60ns) == Ended::idle);
    CHECK(ticks == 6);
  }
}

TEST_CASE("kernel: run(limit) gives up at its limit") {
  Bench bench;
  int done = 0;
  Call call{[&] { ++done; }};
  bench.kernel.at<&Call::go>(10ns, &call);
  bench.kernel.at<&Call::go>(30ns, &call);
  CHECK(bench.kernel.run(20ns) == Ended::at_limit);
  CHECK(bench.now() == 20ns);
  CHECK(bench.kernel.run(40ns) == Ended::idle);
  CHECK(bench.now() == 30ns);
  CHECK(done == 2);
}

TEST_CASE("kernel: an event in the past is a ModelError") {
  Bench bench;
  Kernel& k = bench.kernel;
  Call none{[] {}};
  Call bad{[&] { k.at<&Call::go>(k.now() - 1_ps, &none); }};
  k.at<&Call::go>(5ns, &bad);
  CHECK_THROWS_WITH_AS(bench.run(), "kernel @ 5 ns: an event at 4.999 ns lies in the past",
                       ModelError);
  CHECK_THROWS_AS(k.at<&Call::go>(4ns, &none), ModelError);
}

TEST_CASE("kernel: a foreign process that was overtaken is found out") {
  Bench bench;
  Kernel& k = bench.kernel;
  Responder& foreign = bench.add<Responder>([&] { k.now(); });
  Call wrong{[&] { foreign.request.notify(sc_core::sc_time(1, sc_core::SC_NS)); }};
  Call work{[] {}};
  k.at<&Call::go>(10ns, &wrong);
  k.at<&Call::go>(20ns, &work);
  CHECK_THROWS_WITH(bench.run(), doctest::Contains("without Kernel::notify"));
}

TEST_CASE("kernel: an exception keeps its type, and the rest can be taken down or go on") {
  struct Mine : std::runtime_error {
    using std::runtime_error::runtime_error;
    int code = 7;
  };
  for (const Steps steps : {Steps::run_ahead, Steps::exact}) {
    Bench bench(steps);
    int done = 0;
    Call bad{[] { throw Mine("model"); }};
    Call good{[&] { ++done; }};
    bench.kernel.at<&Call::go>(1ns, &bad);
    bench.kernel.at<&Call::go>(2ns, &good);
    CHECK_THROWS_WITH_AS(bench.run(), "model", Mine);
    CHECK(bench.now() == 1ns);
    CHECK(done == 0);
    CHECK(bench.run() == Ended::idle);
    CHECK(done == 1);
  }
}

namespace {

Task inner_fails(Kernel& kernel) {
  co_await kernel.sleep(2ns);
  throw std::out_of_range("inner");
}
Task outer(Kernel& kernel, bool forgive, int& after) {
  co_await kernel.sleep(1ns);
  try {
    co_await inner_fails(kernel);
  } catch (const std::out_of_range&) {
    if (!forgive) throw;
  }
  ++after;
}
Task waits(Flag& flag) { co_await flag; }
Task waits_nested(Flag& flag) { co_await waits(flag); }

struct Witness {
  int& alive;
  explicit Witness(int& n) : alive(n) { ++alive; }
  ~Witness() { --alive; }
};
Task holds(Flag& flag, int& alive) {
  const Witness witness(alive);
  co_await waits(flag);
}

}  // namespace

TEST_CASE("programs: an exception travels through nested tasks to run(), or is caught on the way") {
  Bench bench;
  int after = 0;
  bench.kernel.start("a", outer(bench.kernel, true, after));
  CHECK(bench.run() == Ended::idle);
  CHECK(after == 1);
  CHECK(bench.now() == 3ns);
  bench.kernel.start("b", outer(bench.kernel, false, after));
  CHECK_THROWS_WITH_AS(bench.run(), "inner", std::out_of_range);
  CHECK(after == 1);
  CHECK(bench.now() == 6ns);
  CHECK(bench.kernel.waiting().empty());
}

TEST_CASE("programs: start in order, at the present instant, and sleep exactly") {
  Bench bench;
  Log log;
  bench.kernel.start("a", sleeper(bench.kernel, log, "a", 5ns));
  bench.kernel.start("b", sleeper(bench.kernel, log, "b", 5ns));
  bench.kernel.start("c", sleeper(bench.kernel, log, "c", 1ns));
  CHECK(bench.run() == Ended::idle);
  CHECK(log.lines == Lines{"1000 c", "5000 a", "5000 b"});
}

TEST_CASE("programs: stuck names who waits for what, in order of start") {
  Bench bench;
  Log log;
  Flag cqe(bench.kernel, "a CQE of qp 3"), flag(bench.kernel, "flag 0x40 to become 1");
  bench.kernel.start("node0.gpu0.thread0", waits(cqe));
  bench.kernel.start("node0.gpu0.thread1", sleeper(bench.kernel, log, "done", 1ns));
  bench.kernel.start("node1.gpu0.thread0", waits_nested(flag));
  CHECK(bench.run() == Ended::stuck);
  CHECK(bench.now() == 1ns);
  CHECK(bench.kernel.waiting() == Lines{"node0.gpu0.thread0 waits for a CQE of qp 3",
                                        "node1.gpu0.thread0 waits for flag 0x40 to become 1"});
  flag.set();
  CHECK(bench.run() == Ended::stuck);
  CHECK(bench.kernel.waiting() == Lines{"node0.gpu0.thread0 waits for a CQE of qp 3"});
  cqe.set();
  CHECK(bench.run() == Ended::idle);
}

TEST_CASE("programs: a stuck run ends although a foreign ticker and ticks go on") {
  Bench bench;
  Kernel& k = bench.kernel;
  bench.add<Ticker>(1us, [](int) {});
  Call tick;
  tick.what = [&] { k.tick<&Call::go>(k.now() + 10ns, &tick); };
  k.tick<&Call::go>(10ns, &tick);
  Flag flag(k, "a flag");
  k.start("p", waits(flag));
  CHECK(bench.run() == Ended::stuck);
  CHECK(bench.run_through(5us) == Ended::stuck);
  CHECK(bench.now() == 5us);
}

TEST_CASE("programs: those still suspended die with abandon() or with the kernel") {
  int alive = 0;
  {
    Bench bench;
    Flag flag(bench.kernel, "a flag");
    for (int i = 0; i < 3; ++i) bench.kernel.start("p", holds(flag, alive));
    bench.run();
    CHECK(alive == 3);
    bench.kernel.abandon();
    CHECK(alive == 0);
    CHECK(bench.kernel.waiting().empty());
    bench.kernel.start("q", holds(flag, alive));
    bench.run();
    CHECK(alive == 1);
    bench.kernel.start("never resumed", holds(flag, alive));
  }
  CHECK(alive == 0);
}

}  // namespace gicsim
