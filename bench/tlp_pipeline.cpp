// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "models/base/calendar.h"
#include "models/base/context.h"
#include "models/base/kernel.h"
#include "models/mechanisms/credits.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/serialiser.h"
#include "models/mechanisms/server.h"

/// Pipes of source -> link (serialise, propagate, 32 credits) -> serving sink -> credit return:
/// four events a TLP. Once as SystemC modules over the Kernel, once as plain C++ over a calendar.
namespace gicsim::bench {
namespace {

constexpr Count tlps = 120'000;
constexpr Count credits = 32;
constexpr Picoseconds flight = 50ns, credit_flight = 40ns, service = 3ns;
constexpr BitRate rate = bit_rate(32_GTps, 16, {128, 130});

struct Tlp {
  Bytes length;
  std::uint64_t id;
  Picoseconds born;
};

/// Lengths that differ from TLP to TLP and from pipe to pipe.
struct Lengths {
  std::uint64_t state;
  Bytes next() {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return Bytes(static_cast<std::int64_t>(24 + (state >> 56)));
  }
};

struct TlpSink : virtual sc_core::sc_interface {
  virtual void receive(const Tlp& tlp) = 0;
};
struct Transmitter : virtual sc_core::sc_interface {
  virtual void send(const Tlp& tlp) = 0;
  virtual bool idle() const = 0;
};
struct CreditReturn : virtual sc_core::sc_interface {
  virtual void give_back() = 0;
};
struct OnRoom : virtual sc_core::sc_interface {
  virtual void on_room() = 0;
};

namespace modules {

class Source final : public sc_core::sc_module, private OnRoom, private CreditReturn {
 public:
  sc_core::sc_port<Transmitter> out{"out"};
  sc_core::sc_export<OnRoom> room{"room"};
  sc_core::sc_export<CreditReturn> back{"back"};

  Source(sc_core::sc_module_name name, Kernel& kernel, Count n, std::uint64_t seed,
         Kernel::Lane lane)
      : sc_module(name), kernel_(kernel), left_(n), lengths_{seed}, lane_(lane) {
    room.bind(*this);
    back.bind(*this);
  }
  void begin() { try_send(); }

 private:
  void end_of_elaboration() override { link_ = out.operator->(); }
  void on_room() override { try_send(); }
  void give_back() override {
    kernel_.at<&Source::on_credit>(kernel_.now() + credit_flight, this, lane_);
  }
  void on_credit() {
    credits_.give(1, kernel_.now());
    try_send();
  }
  void try_send() {
    if (left_ == 0 || !link_->idle() || !credits_.take(1, kernel_.now())) return;
    link_->send({lengths_.next(), static_cast<std::uint64_t>(left_--), kernel_.now()});
  }

  Kernel& kernel_;
  Transmitter* link_ = nullptr;
  Count left_;
  Lengths lengths_;
  Credits credits_{name(), credits};
  Kernel::Lane lane_;
};

class Link final : public sc_core::sc_module, private Transmitter {
 public:
  sc_core::sc_export<Transmitter> in{"in"};
  sc_core::sc_port<TlpSink> out{"out"};
  sc_core::sc_port<OnRoom> room{"room"};

  Link(sc_core::sc_module_name name, Kernel& kernel, Kernel::Lane lane)
      : sc_module(name), kernel_(kernel), lane_(lane) {
    in.bind(*this);
  }

 private:
  void end_of_elaboration() override {
    sink_ = out.operator->();
    sender_ = room.operator->();
  }
  bool idle() const override { return !sending_; }
  void send(const Tlp& tlp) override {
    sending_ = tlp;
    kernel_.at<&Link::on_serialised>(serialiser_.send(kernel_.now(), tlp.length).end, this);
  }
  void on_serialised() {
    flying_.push(*sending_, kernel_.now() + flight);
    kernel_.at<&Link::on_arrived>(kernel_.now() + flight, this, lane_);
    sending_.reset();
    sender_->on_room();
  }
  void on_arrived() { sink_->receive(*flying_.pop_due(kernel_.now())); }

  Kernel& kernel_;
  TlpSink* sink_ = nullptr;
  OnRoom* sender_ = nullptr;
  Serialiser serialiser_{rate};
  std::optional<Tlp> sending_;
  DelayLine<Tlp> flying_{name()};
  Kernel::Lane lane_;
};

class Sink final : public sc_core::sc_module, private TlpSink {
 public:
  sc_core::sc_export<TlpSink> in{"in"};
  sc_core::sc_port<CreditReturn> back{"back"};
  std::uint64_t sum = 0;

  Sink(sc_core::sc_module_name name, Kernel& kernel) : sc_module(name), kernel_(kernel) {
    in.bind(*this);
  }

 private:
  void end_of_elaboration() override { source_ = back.operator->(); }
  void receive(const Tlp& tlp) override {
    const Picoseconds end = server_.serve(kernel_.now()).end;
    serving_.push(tlp, end);
    kernel_.at<&Sink::on_served>(end, this);
  }
  void on_served() {
    const Tlp tlp = *serving_.pop_due(kernel_.now());
    sum = sum * 3 + tlp.id + static_cast<std::uint64_t>((kernel_.now() - tlp.born).count());
    source_->give_back();
  }

  Kernel& kernel_;
  CreditReturn* source_ = nullptr;
  Server server_{service};
  DelayLine<Tlp> serving_{name()};
};

struct Pipe {
  Source source;
  Link link;
  Sink sink;
  Pipe(Kernel& kernel, Count n, std::uint64_t i)
      : source(("source" + std::to_string(i)).c_str(), kernel, n, i,
               static_cast<Kernel::Lane>(2 * i + 2)),
        link(("link" + std::to_string(i)).c_str(), kernel, static_cast<Kernel::Lane>(2 * i + 1)),
        sink(("sink" + std::to_string(i)).c_str(), kernel) {
    source.out.bind(link.in);
    link.room.bind(source.room);
    link.out.bind(sink.in);
    sink.back.bind(source.back);
  }
};

Run run(Count pipes) {
  const ContextScope scope;
  Kernel kernel("kernel");
  std::vector<std::unique_ptr<Pipe>> all;
  for (Count i = 0; i < pipes; ++i)
    all.push_back(std::make_unique<Pipe>(kernel, tlps / pipes, static_cast<std::uint64_t>(i)));
  kernel.run_through(Picoseconds{0});
  return timed(static_cast<double>(tlps / pipes * pipes), [&] {
    for (const auto& pipe : all) pipe->source.begin();
    kernel.run();
    std::uint64_t sum = static_cast<std::uint64_t>(kernel.now().count());
    for (const auto& pipe : all) sum = sum * 31 + pipe->sink.sum;
    return sum;
  });
}

}  // namespace modules

namespace plain {

struct Loop {
  Calendar calendar;
  Picoseconds now{0};
  template <auto Method, class T>
  void at(Picoseconds t, T* self, Calendar::Lane lane = 0) {
    calendar.push(
        t, lane, [](void* object) { (static_cast<T*>(object)->*Method)(); }, self);
  }
  void run() {
    Calendar::Event event;
    while (calendar.pop_through(never, event)) {
      now = event.time;
      event.call(event.self);
    }
  }
};

struct Pipe {
  Loop& loop;
  Count left;
  Lengths lengths;
  Calendar::Lane lane;
  Credits window{"pipe", credits};
  Serialiser serialiser{rate};
  std::optional<Tlp> sending{};
  DelayLine<Tlp> flying{"pipe"};
  Server server{service};
  DelayLine<Tlp> serving{"pipe"};
  std::uint64_t sum = 0;

  void try_send() {
    if (left == 0 || sending || !window.take(1, loop.now)) return;
    sending = Tlp{lengths.next(), static_cast<std::uint64_t>(left--), loop.now};
    loop.at<&Pipe::on_serialised>(serialiser.send(loop.now, sending->length).end, this);
  }
  void on_serialised() {
    flying.push(*sending, loop.now + flight);
    loop.at<&Pipe::on_arrived>(loop.now + flight, this, lane);
    sending.reset();
    try_send();
  }
  void on_arrived() {
    const Picoseconds end = server.serve(loop.now).end;
    serving.push(*flying.pop_due(loop.now), end);
    loop.at<&Pipe::on_served>(end, this);
  }
  void on_served() {
    const Tlp tlp = *serving.pop_due(loop.now);
    sum = sum * 3 + tlp.id + static_cast<std::uint64_t>((loop.now - tlp.born).count());
    loop.at<&Pipe::on_credit>(loop.now + credit_flight, this,
                              static_cast<Calendar::Lane>(lane + 1));
  }
  void on_credit() {
    window.give(1, loop.now);
    try_send();
  }
};

Run run(Count pipes) {
  Loop loop;
  std::vector<std::unique_ptr<Pipe>> all;
  for (Count i = 0; i < pipes; ++i)
    all.push_back(std::unique_ptr<Pipe>(new Pipe{loop,
                                                 tlps / pipes,
                                                 {static_cast<std::uint64_t>(i)},
                                                 static_cast<Calendar::Lane>(2 * i + 1)}));
  return timed(static_cast<double>(tlps / pipes * pipes), [&] {
    for (const auto& pipe : all) pipe->try_send();
    loop.run();
    std::uint64_t sum = static_cast<std::uint64_t>(loop.now.count());
    for (const auto& pipe : all) sum = sum * 31 + pipe->sum;
    return sum;
  });
}

}  // namespace plain
}  // namespace

std::vector<Case> tlp_pipeline() {
  std::vector<Case> cases;
  for (const Count pipes : {1, 64, 1'024}) {
    cases.push_back({"TLP pipeline, " + std::to_string(pipes) + (pipes == 1 ? " pipe" : " pipes"),
                     "TLP",
                     {"modules over the kernel", [=] { return modules::run(pipes); }},
                     {{"plain C++", [=] { return plain::run(pipes); }}}});
  }
  return cases;
}

}  // namespace gicsim::bench
