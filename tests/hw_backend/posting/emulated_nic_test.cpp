// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/emulated_nic.h"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "hw_backend/core/error.h"
#include "hw_backend/posting/nic_thread.h"

namespace gicsim::hw::posting {
namespace {

/// A queue in this process's memory, and a poster on it that can be told to do one thing wrong.
struct Poster {
  explicit Poster(std::uint32_t depth = 16, bool collapsed = false, EmulatedNic::Ring ring = EmulatedNic::Ring::readable)
      : slots(depth * 4), cqes(depth) {
    std::memset(static_cast<void*>(cqes.data()), 0xff, cqes.size() * sizeof(Cqe));
    q.slots = slots.data(), q.record = record, q.doorbell = &doorbell, q.completions = cqes.data(), q.state = &state;
    q.depth = q.completion_depth = depth;
    q.collapsed = collapsed;
    q.qpn = 0x42, q.lkey = 0x10, q.rkey = 0x20;
    q.local = reinterpret_cast<std::uint64_t>(local), q.remote = reinterpret_cast<std::uint64_t>(remote);
    nic = std::make_unique<EmulatedNic>(q, ring, std::vector<Region>{{0x10, q.local, sizeof local, copy}, {0x20, q.remote, sizeof remote, copy}});
  }

  Segment* slot(std::uint32_t index) { return slots.data() + (index & (q.depth - 1)) * std::size_t{4}; }
  Segment build(std::uint32_t index, std::uint8_t flags = want_cqe) {
    const auto value = static_cast<std::uint32_t>(index + 1);
    slot(index)[0] = control(Opcode::write, index, q.qpn, 3, flags);
    slot(index)[1] = remote_address(q.remote, q.rkey);
    slot(index)[2] = inline_data(8, value, 0, 0);
    return slot(index)[0];
  }
  void ring_up(std::uint32_t next) {
    record[1] = record_of(next);
    doorbell = doorbell_of(slot(next - 1)[0]);
  }
  Segment post() {
    const Segment c = build(state.posted);
    ring_up(++state.posted);
    return c;
  }
  Seen look() { return take(q, state, due(q, state)->word[15]); }
  void good(std::uint32_t puts) {
    for (std::uint32_t i = 0; i < puts; ++i) {
      post();
      nic->poll();
      REQUIRE(look() == Seen::done);
    }
  }
  /// One good put, then a second one on which `wrong` works between its building and the NIC's look.
  Fault after(const std::function<void(Poster&)>& wrong) {
    good(1);
    post();
    wrong(*this);
    CHECK(nic->poll());
    CHECK(look() == (nic->fault() == Fault::none ? Seen::done : Seen::error));
    return nic->fault();
  }

  Region::Copy copy;
  std::vector<Segment> slots;
  std::vector<Cqe> cqes;
  std::uint32_t record[2] = {};
  std::uint64_t doorbell = 0;
  QueueState state{};
  std::uint64_t local[8] = {}, remote[8] = {};
  Queue q;
  std::unique_ptr<EmulatedNic> nic;
};

std::uint64_t turned(std::uint64_t v) {
  return static_cast<std::uint64_t>(be32(static_cast<std::uint32_t>(v >> 32U))) << 32U | be32(static_cast<std::uint32_t>(v));
}

TEST_CASE("emulated nic: 70,000 puts, one after the other: 16-bit counters wrap, owner bits flip") {
  for (const bool collapsed : {false, true}) {
    Poster p(16, collapsed);
    for (std::uint32_t i = 0; i < 70'000; ++i) {
      p.post();
      REQUIRE(p.nic->poll());
      REQUIRE(p.look() == Seen::done);
      REQUIRE(p.remote[0] == i + 1);
      REQUIRE_FALSE(p.nic->poll());
    }
    CHECK(p.nic->fault() == Fault::none);
    CHECK(p.nic->served() == 70'000);
    CHECK(p.state.completed == 70'000);
    CHECK(p.state.cqes == 70'000);
  }
}

TEST_CASE("emulated nic: batches with one CQE each, up to a full queue") {
  Poster p(32);
  for (std::uint32_t batch = 1; p.state.posted < 70'000; batch = batch % 32 + 1) {
    for (std::uint32_t k = 0; k < batch; ++k) p.build(p.state.posted++, k + 1 == batch ? want_cqe : 0);
    p.ring_up(p.state.posted);
    REQUIRE(p.nic->poll());
    REQUIRE(p.look() == Seen::done);
    REQUIRE(p.state.completed == p.state.posted);
    REQUIRE(p.look() == Seen::nothing);
  }
  CHECK(p.nic->fault() == Fault::none);
}

TEST_CASE("emulated nic: a put whose thread has gone on is served; its next doorbell finds the record ahead") {
  Poster p;
  const Segment first = p.build(0);
  p.build(1);
  p.record[1] = record_of(2);
  p.doorbell = doorbell_of(first);
  CHECK(p.nic->poll());
  p.doorbell = doorbell_of(p.slot(1)[0]);
  CHECK(p.nic->poll());
  CHECK(p.nic->fault() == Fault::none);
  CHECK(p.nic->served() == 2);
}

TEST_CASE("emulated nic: each fault has its name, and ends in an error CQE") {
  const auto fault = [](const std::function<void(Poster&)>& wrong) { return Poster().after(wrong); };
  CHECK(fault([](Poster&) {}) == Fault::none);
  CHECK(fault([](Poster& p) { p.doorbell = turned(p.doorbell); }) == Fault::doorbell_byte_order);
  CHECK(fault([](Poster& p) { p.doorbell = doorbell_of(control(Opcode::write, 1, 0x43, 3, 0)); }) == Fault::doorbell_qpn);
  CHECK(fault([](Poster& p) { p.doorbell = doorbell_of(control(Opcode::write, 1 + 16, 0x42, 3, 0)); }) == Fault::index_skipped);
  CHECK(fault([](Poster& p) { p.doorbell = doorbell_of(control(Opcode::read, 0, 0x42, 3, 0)); }) == Fault::index_skipped);
  CHECK(fault([](Poster& p) { p.record[0] = p.record[1], p.record[1] = record_of(1); }) == Fault::record_in_receive_slot);
  CHECK(fault([](Poster& p) { p.record[1] = be32(p.record[1]); }) == Fault::record_byte_order);
  CHECK(fault([](Poster& p) { p.slot(1)[0].word[0] = be32(p.slot(1)[0].word[0]), p.slot(1)[0].word[1] = be32(p.slot(1)[0].word[1]); }) ==
        Fault::wqe_byte_order);
  CHECK(fault([](Poster& p) { p.slot(1)[0] = {}; }) == Fault::stale_wqe);
  CHECK(fault([](Poster& p) { p.slot(1)[0] = control(Opcode::write, 2, 0x42, 3, want_cqe); }) == Fault::wqe_index);
  CHECK(fault([](Poster& p) { p.slot(1)[0] = control(Opcode::write, 1, 0x43, 3, want_cqe); }) == Fault::wqe_qpn);
  CHECK(fault([](Poster& p) { p.slot(1)[0] = control(static_cast<Opcode>(0x0a), 1, 0x42, 3, want_cqe); }) == Fault::wqe_opcode);
  CHECK(fault([](Poster& p) { p.slot(1)[0] = control(Opcode::write, 1, 0x42, 4, want_cqe); }) == Fault::wqe_size);
  CHECK(fault([](Poster& p) { p.slot(1)[0] = control(Opcode::fadd, 1, 0x42, 3, want_cqe); }) == Fault::wqe_size);
  CHECK(fault([](Poster& p) { p.slot(1)[2].word[0] = be32(0x80000000U | 29); }) == Fault::inline_header);
  CHECK(fault([](Poster& p) { p.slot(1)[0] = control(Opcode::read, 1, 0x42, 3, want_cqe); }) == Fault::inline_header);
  CHECK(fault([](Poster& p) { p.slot(1)[2] = local_data(8, 0x11, p.q.local); }) == Fault::local_key);
  CHECK(fault([](Poster& p) { p.slot(1)[2] = local_data(65, 0x10, p.q.local); }) == Fault::local_key);
  CHECK(fault([](Poster& p) { p.slot(1)[1] = remote_address(p.q.remote + 57, 0x20); }) == Fault::remote_key);
  CHECK(fault([](Poster& p) { p.doorbell = doorbell_of(control(Opcode::write_imm, 1, 0x42, 3, 0)); }) == Fault::doorbell_value);
}

TEST_CASE("emulated nic: a doorbell that overtakes its record is served and counted; a record that stays behind is a fault") {
  Poster p;
  CHECK(p.after([](Poster& x) { x.record[1] = record_of(1); }) == Fault::none);
  CHECK(p.nic->records_behind() == 1);
  p.nic->audit(p.slots.data(), p.record);
  CHECK(p.nic->fault() == Fault::record_behind);
}

TEST_CASE("emulated nic: what shows only after a turn of the ring, or of the counters") {
  Poster stale;
  stale.good(16);
  const Segment old = stale.slot(0)[0];
  stale.post();
  stale.slot(16)[0] = old;  // the doorbell has overtaken the WQE
  stale.nic->poll();
  CHECK(stale.nic->fault() == Fault::stale_wqe);
  CHECK(stale.nic->fault_text() == "queue 66: stale_wqe at WQE 16 (0x0342000008000000)");

  const auto at_the_wrap = [](const std::function<void(Poster&)>& wrong) {
    Poster p;
    p.good(65'536);
    p.post();
    wrong(p);
    p.nic->poll();
    return p.nic->fault();
  };
  CHECK(at_the_wrap([](Poster&) {}) == Fault::none);
  CHECK(at_the_wrap([](Poster& p) { p.record[1] = be32(65'537); }) == Fault::record_not_wrapped);
  CHECK(at_the_wrap([](Poster& p) {
          Segment& c = p.slot(65'536)[0];
          c.word[0] = be32(65'536U << 8U | 0x08U);  // runs into the modifier
          p.doorbell = doorbell_of(c);
        }) == Fault::wqe_not_wrapped);
}

TEST_CASE("emulated nic: after a fault the queue stays in error") {
  Poster p;
  p.after([](Poster& x) { x.doorbell = turned(x.doorbell); });
  p.post();
  CHECK_FALSE(p.nic->poll());
  CHECK(p.nic->served() == 1);
}

TEST_CASE("emulated nic: reads, writes from memory, immediates and atomics move the bytes they say") {
  Poster p;
  const auto next = [&](const Segment& a, const Segment& b, const Segment& c, const Segment& d = {}) {
    Segment* s = p.slot(p.state.posted);
    s[0] = a, s[1] = b, s[2] = c, s[3] = d;
    p.ring_up(++p.state.posted);
    REQUIRE(p.nic->poll());
    REQUIRE(p.nic->fault() == Fault::none);
    REQUIRE(p.look() == Seen::done);
  };
  const auto op = [&](Opcode o, unsigned ds) { return control(o, p.state.posted, 0x42, ds, want_cqe, 5); };
  p.local[1] = 0x1122334455667788;
  next(op(Opcode::write, 3), remote_address(p.q.remote, 0x20), local_data(16, 0x10, p.q.local));
  CHECK(p.remote[1] == 0x1122334455667788);
  p.remote[2] = 99;
  next(op(Opcode::read, 3), remote_address(p.q.remote + 16, 0x20), local_data(8, 0x10, p.q.local));
  CHECK(p.local[0] == 99);
  next(op(Opcode::fadd, 4), remote_address(p.q.remote + 16, 0x20), atomic_operands(3, 0), local_data(8, 0x10, p.q.local + 24));
  CHECK(p.remote[2] == 102);
  CHECK(p.local[3] == 99);
  next(op(Opcode::cas, 4), remote_address(p.q.remote + 16, 0x20), atomic_operands(7, 102), local_data(8, 0x10, p.q.local + 24));
  CHECK(p.remote[2] == 7);
  next(op(Opcode::cas, 4), remote_address(p.q.remote + 16, 0x20), atomic_operands(8, 102), local_data(8, 0x10, p.q.local + 24));
  CHECK(p.remote[2] == 7);  // it wasn't 102 any more
  CHECK(p.local[3] == 7);
  next(op(Opcode::write_imm, 4), remote_address(p.q.remote, 0x20), inline_data(16, 1, 2, 3), {{4, 0, 0, 0}});
  CHECK(p.remote[0] == 0x0000000200000001);
  CHECK(p.remote[1] == 0x0000000400000003);
}

TEST_CASE("emulated nic: memory that the CPU can't touch is copied by its own means") {
  Poster p;
  int copies = 0;
  const Region::Copy copy = [&](void* to, const void* from, std::size_t bytes) { ++copies, std::memcpy(to, from, bytes); };
  EmulatedNic nic(p.q, EmulatedNic::Ring::readable, {{0x20, p.q.remote, sizeof p.remote, copy}});
  p.post();
  nic.poll();
  CHECK(copies == 1);
  CHECK(p.remote[0] == 1);
}

TEST_CASE("emulated nic: a ring out of reach is looked at afterwards") {
  Poster p(16, false, EmulatedNic::Ring::out_of_reach);
  p.good(100);
  CHECK(p.remote[0] == 0);  // payloads stay
  p.nic->audit(p.slots.data(), p.record);
  CHECK(p.nic->fault() == Fault::none);
  p.slot(93)[1] = {};  // 93 is still there
  p.slot(93)[0] = control(Opcode::write, 93 - 16, 0x42, 3, want_cqe);
  p.nic->audit(p.slots.data(), p.record);
  CHECK(p.nic->fault() == Fault::stale_wqe);

  Poster late(16, false, EmulatedNic::Ring::out_of_reach);
  late.post(), late.nic->poll();
  late.record[1] = record_of(2);  // at rest it must be exact
  late.nic->audit(late.slots.data(), late.record);
  CHECK(late.nic->fault() == Fault::record_behind);
}

TEST_CASE("nic thread: serves until it is told to stop, and says why it stopped before") {
  Poster p;
  {
    NicThread thread({p.nic.get()});
    for (int i = 0; i < 1000; ++i) {
      const Segment c = p.build(p.state.posted);
      __atomic_store_n(&p.record[1], record_of(++p.state.posted), __ATOMIC_RELAXED);
      __atomic_store_n(&p.doorbell, doorbell_of(c), __ATOMIC_RELEASE);
      while (take(p.q, p.state, __atomic_load_n(&due(p.q, p.state)->word[15], __ATOMIC_ACQUIRE)) == Seen::nothing) std::this_thread::yield();
    }
    thread.stop();
  }
  CHECK(p.nic->served() == 1000);

  const auto ends_with = [](Poster& poster, std::chrono::nanoseconds patience) -> std::string {
    NicThread thread({poster.nic.get()}, patience);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    try {
      thread.stop();
    } catch (const HardwareError& e) {
      return e.what();
    }
    return "";
  };
  Poster idle;
  CHECK(ends_with(idle, std::chrono::milliseconds(1)) == "the emulated NIC waited in vain for a doorbell; it had served 0 WQEs");
  Poster wrong;
  wrong.post();
  wrong.record[1] = be32(wrong.record[1]);
  CHECK(ends_with(wrong, std::chrono::seconds(2)) ==
        "the emulated NIC refused a post: queue 66: record_byte_order at WQE 0 (0x0000000000000001)");
}

}  // namespace
}  // namespace gicsim::hw::posting
