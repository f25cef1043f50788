// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

report::Finished named(const std::string& name, const Sets& sets = {}) {
  return simulate(schema::load_scenario(name, sets, source_root()));
}
std::int64_t counter(const report::Finished& f, std::string_view module, std::string_view name) {
  for (const report::Counter& c : f.counters)
    if (c.module == module && c.name == name) return c.value;
  return 0;
}
/// What a run says of its end, in one text.
std::string said(const report::Finished& f) {
  if (!f.diagnosis) return "";
  std::string all = f.diagnosis->what;
  for (const std::string& line : f.diagnosis->waits_for) all += "\n" + line;
  return all;
}
bool noted(const report::Finished& f, const std::string& what) {
  return std::any_of(f.system_notes.begin(), f.system_notes.end(), [&](const std::string& n) { return holds(n, what); });
}

TEST_CASE("cq: a counter of 16 bits wraps under one poller and several") {
  for (const char* threads : {"1", "4", "32"}) {
    Sets sets{{"pattern", "message_rate"}, {"threads", threads}, {"qps", "1"}, {"depth", "128"}, {"warmup", "0"}, {"iterations", "66000"}};
    if (*threads != '1') {
      sets.insert(sets.end(), {{"sharing", "handoff"}, {"doorbell", "latest"}, {"iterations", *threads == '4' ? "16500" : "2064"}});
    }
    const report::Finished f = run(sets);
    CHECK(f.status == Status::done);
    CHECK(counter(f, "node0.nic0", "wqes") > 65'536);
  }
}

TEST_CASE("cq: a ring costs its poller a store a CQE more, and asks for its consumer index once it fills") {
  const report::Finished collapsed = run({}), ring = run({{"cq", "ring"}, {"cq_depth", "16"}});
  CHECK(ring.status == Status::done);
  CHECK(value(ring, Quantity::put_completion) > value(collapsed, Quantity::put_completion));
  CHECK(value(ring, Quantity::one_way) == value(collapsed, Quantity::one_way));
  CHECK(counter(ring, "node0.posters", "cqes_taken") == 30);
  CHECK(counter(ring, "node0.posters", "consumer_updates") == 30);
  CHECK(counter(ring, "node0.nic0.queues", "consumer_reads") >= 1);
}

TEST_CASE("cq: one that runs over is an error of its queue pair, with two events, and names its consumer index") {
  const report::Finished f = named("cq_overrun");
  CHECK(f.status == f.expected);
  CHECK(holds(said(f), "node0.nic0.qp1: WQE 16 failed: local QP operation error (0x02), its completion queue of 16 entries "
                       "ran over: 16 CQEs written, and its consumer index says 0"));
  CHECK(noted(f, "CQ_ERR node0.nic0.qp1"));
  CHECK(noted(f, "QP_FATAL node0.nic0.qp1"));
}

TEST_CASE("cq: one ring of four queue pairs is taken from in turn, and its CQEs are told apart") {
  const report::Finished apart = named("cq_shared", {{"shared_cq", "off"}, {"iterations", "200"}}),
                         one = named("cq_shared", {{"iterations", "200"}});
  CHECK(one.status == Status::done);
  CHECK(counter(one, "node0.posters", "cqes_taken") >= 200);
  CHECK(counter(one, "node0.nic0", "cqes") == counter(apart, "node0.nic0", "cqes"));
  const report::Finished over = named("cq_shared_overrun");
  CHECK(over.status == over.expected);
  CHECK(holds(said(over), "its completion queue of 16 entries, of 4 queue pairs, ran over: 16 CQEs written"));
  CHECK_THROWS_WITH(run({{"shared_cq", "on"}, {"qps", "4"}}), doctest::Contains("write 'cq: ring'"));
}

TEST_CASE("cq: one ring of eight threads is polled by one at a time, who tells the others; that takes longer than rings of their own") {
  const report::Finished own = named("cq_shared_threads", {{"shared_cq", "off"}, {"iterations", "100"}}),
                         one = named("cq_shared_threads", {{"iterations", "100"}});
  CHECK(one.status == Status::done);
  CHECK(counter(one, "node0.posters", "cqes_taken") >= 800);
  CHECK(counter(one, "node0.posters", "cq_taken_by_others") > 0);
  CHECK(counter(own, "node0.posters", "cq_taken_by_others") == 0);
  CHECK(counter(one, "node0.nic0", "cqes") == counter(own, "node0.nic0", "cqes"));
  CHECK(record(one, Quantity::message_rate).value < record(own, Quantity::message_rate).value);
  const report::Finished over = named("cq_shared_threads", {{"cq_depth", "16"}, {"expect", "error_completion"}});
  CHECK(over.status == Status::error_completion);
  CHECK(holds(said(over), "its completion queue of 16 entries, of 8 queue pairs, ran over"));
  for (const char* seed : {"1", "2", "3"})
    CHECK(named("cq_shared_threads", {{"spread.poll_phase", "true"}, {"iterations", "60"}, {"seed", seed}}).status == Status::done);
  CHECK_THROWS_WITH(run({{"shared_cq", "on"}, {"cq", "ring"}}), doctest::Contains("write more 'qps'"));
}

TEST_CASE("cq: memory that looks like a CQE is taken for one, and that is caught; one of ones isn't") {
  const report::Finished zeros = named("cq_zeros");
  CHECK(zeros.status == Status::ordering_violation);
  CHECK(holds(said(zeros), "took WQE 0 of node0.nic0.qp1 for complete, but no NIC wrote that CQE: its counter, 0,"));
  for (const char* poller : {"opcode", "counter", "success"})
    CHECK(run({{"poller", poller}, {"cq_initial", "ones"}}).status == Status::done);
  const report::Finished hang = named("cq_maximum");
  CHECK(hang.status == Status::stuck);
  CHECK(holds(said(hang), "of which 0 units are posted, but 65536 complete by its completion queue's counter"));
}

TEST_CASE("sq: a poster that doesn't look for room overwrites WQEs, which is told with slot and times") {
  const report::Finished f = named("sq_overrun");
  CHECK(f.status == Status::ordering_violation);
  CHECK(holds(said(f), "node0.nic0.qp1: WQE 0, in slot 0, was to be fetched at "));
  CAPTURE(said(f));
  CHECK(holds(said(f), "but WQE 256 had been written over it, visible since "));
  for (const char* batch : {"64", "128"})  // what fits is fetched in time
    CHECK(named("sq_overrun", {{"batch", batch}, {"in_flight", batch}, {"iterations", "256"}, {"expect", "done"}}).status ==
          Status::done);
}

TEST_CASE("sq: a poster that looks for room stands until there is some, and says how long") {
  const report::Finished full = named("sq_full"), roomy = named("sq_full", {{"depth", "1024"}});
  CHECK(full.status == Status::done);
  CHECK(counter(full, "node0.posters", "full") > 0);
  CHECK(counter(full, "node0.posters", "full_time") > 0);
  CHECK(counter(roomy, "node0.posters", "full") == 0);
}

TEST_CASE("sq: moderation beyond the queue's depth fills it for ever; within, one CQE tells of many") {
  const report::Finished stuck = named("sq_unsignaled");
  CHECK(stuck.status == Status::stuck);
  CHECK(holds(said(stuck), "waits for room in the send queue of node0.nic0.qp1: all 128 units are taken, and none of their WQEs "
                           "asks for a CQE (signal_every)"));
  const Sets stream{{"pattern", "message_rate"}, {"iterations", "640"}, {"warmup", "0"}};
  Sets moderated = stream;
  moderated.push_back({"signal_every", "32"});
  const report::Finished each = run(stream), few = run(moderated);
  CHECK(counter(each, "node0.nic0", "cqes") == 640);
  CHECK(counter(few, "node0.nic0", "cqes") == 20);
  CHECK(few.status == Status::done);
}

TEST_CASE("errors: a poller that looks ends with the error; one that doesn't is caught, with queue pair, WQE and syndrome") {
  const std::string cause = "node0.nic0.qp1: WQE 0 failed: transport retry counter exceeded (0x15)";
  const report::Finished seen = named("error_seen");
  CHECK(seen.status == Status::error_completion);
  CHECK(holds(said(seen), cause));
  for (const char* poller : {"counter", "success"}) {
    const report::Finished unseen = named("error_unseen", {{"poller", poller}});
    CHECK(unseen.status == Status::stuck);
    CHECK(holds(said(unseen), cause));
    CHECK(holds(said(unseen), "which the poster doesn't look for (poller: " + std::string(poller) + ")"));
  }
}

TEST_CASE("wqes: units are taken as they are long, and a NOP fills up what none fits into") {
  const Sets sets{{"pattern", "put_signal"}, {"bytes", "40 B"}, {"depth", "8"}, {"warmup", "0"}, {"iterations", "8"}};
  const report::Finished split = run(sets);
  Sets padding = sets;
  padding.push_back({"wrap", "pad"});
  const report::Finished padded = run(padding);
  CHECK(split.status == Status::done);
  CHECK(padded.status == Status::done);
  CHECK(counter(split, "node0.nic0", "wqes") == 16);
  CHECK(counter(padded, "node0.nic0", "wqes") == 16);
  CHECK(counter(split, "node0.nic0.queues", "nops") == 0);
  CHECK(counter(padded, "node0.nic0.queues", "nops") == 3);  // units 6 and 7 of each round of eight
}

TEST_CASE("scatter: a list of four is three more reads of a put, three more writes of a get, and a unit more") {
  const report::Finished put = run({{"bytes", "4 KiB"}, {"payload", "read"}, {"segments", "4"}, {"warmup", "0"}});
  CHECK(put.status == Status::done);
  CHECK(counter(put, "node0.nic0.queues", "gathered") == 3 * 20);
  const report::Finished get = named("get_scatter", {{"iterations", "20"}, {"warmup", "0"}});
  CHECK(get.status == Status::done);
  CHECK(counter(get, "node0.nic0.queues", "segments") == 3 * 20);
}

TEST_CASE("doorbells: an early one hides what stands between record and doorbell, for one more") {
  const report::Finished early = named("early_ring", {{"iterations", "20"}}), once = named("early_ring_off", {{"iterations", "20"}});
  CHECK(value(early, Quantity::one_way) < value(once, Quantity::one_way));
  CHECK(counter(early, "node0.nic0", "doorbells") == 2 * counter(once, "node0.nic0", "doorbells"));
}

TEST_CASE("mistakes: each gives its own diagnosis") {
  const std::pair<const char*, std::string> all[] = {
      {"mistake_record_slot", "which the NIC reads when it is rung, was never written"},
      {"mistake_ownership", "but no NIC wrote that CQE"},
      {"mistake_consumer_index", "its completion queue of 16 entries ran over: 16 CQEs written, and its consumer index says 0"},
      {"mistake_doorbell_page", "node0.nic0: doorbell at address 0x800000001800 is claimed by no queue pair: its register is at "
                                "0x800000000800"},
      {"mistake_doorbell_value", "with value 0x800000008 names no queue pair"},
      {"mistake_key_order", "rkey 0x10000 names no memory region; 0x100, its bytes the other way round, does"},
      {"mistake_index_memory", "node0.nic0.qp1: 1 posted, 0 of them fetched: it was rung up to index 0 alone"}};
  for (const auto& [name, what] : all) {
    const report::Finished f = named(name);
    CHECK(f.status == f.expected);
    CHECK(f.status != Status::done);
    CAPTURE(name);
    CAPTURE(said(f));
    CHECK(holds(said(f), what));
  }
  for (const char* name : {"mistake_doorbell_page", "mistake_doorbell_value", "mistake_record_slot"})
    CHECK(holds(said(named(name)), "node0.nic0.qp1: 1 posted, 0 of them fetched"));
}

TEST_CASE("events: a proxy that sleeps is told by interrupts, which takes longer than a look") {
  const Sets sets{{"path", "cpu_proxy"}};
  Sets sleeping = sets;
  sleeping.push_back({"proxy_wakeup", "event"});
  const report::Finished polling = run(sets), event = run(sleeping);
  CHECK(event.status == Status::done);
  CHECK(value(event, Quantity::put_completion) > value(polling, Quantity::put_completion) + 2us);
  CHECK(value(event, Quantity::one_way) == value(polling, Quantity::one_way));
  CHECK(counter(event, "node0.nic0.queues", "events") == 30);
  CHECK(counter(event, "node0.host", "interrupts") == 30);
  CHECK(counter(polling, "node0.host", "interrupts") == 0);
}

TEST_CASE("events: a port that goes down is told, and the run says so") {
  const report::Finished f = named("put_8B_port_down");
  CHECK(f.status == Status::error_completion);
  CHECK(noted(f, "PORT_ERR node0.nic0: its port is down"));
  const report::Finished flap = named("put_8B_link_flap");
  CHECK(flap.status == Status::done);
  CHECK(noted(flap, "async event at 60 us: PORT_ERR node0.nic0: its port is down"));
  CHECK(noted(flap, "async event at 10.06 ms: PORT_ACTIVE node0.nic0: its port is up"));
  CHECK(holds(said(f), "transport retry counter exceeded (0x15)"));
}

TEST_CASE("atomics: adders of one word wait for each other, those of their own don't") {
  const report::Finished one = named("atomics_one_word"), own = named("atomics_one_word", {{"word", "own"}});
  CHECK(one.status == Status::done);
  CHECK(record(own, Quantity::message_rate).value > 2 * record(one, Quantity::message_rate).value);
}

TEST_CASE("notification: data and flag in one are seen before a flag behind the data") {
  const Sets sets{{"iterations", "20"}};
  const Picoseconds inside = value(run({}), Quantity::one_way), immediate = value(named("put_signal_immediate", sets), Quantity::one_way),
                    behind = value(named("put_signal_8B", sets), Quantity::one_way);
  CHECK(inside < immediate);
  CHECK(immediate < behind);
}

TEST_CASE("barrier: of two nodes in one round or by one word, by CPUs, and as claimed") {
  const auto latency = [](const char* name) {
    const report::Finished f = named(name, {{"iterations", "20"}});
    CHECK(f.status == Status::done);
    CHECK(record(f, Quantity::latency).n == 20);
    return value(f, Quantity::latency);
  };
  const Picoseconds rounds = latency("barrier"), flat = latency("barrier_flat"), packet = latency("barrier_packet");
  CHECK(rounds < flat);    // one way, not there and back
  CHECK(packet < rounds);  // no queue, no WQE, no memory to add to
  CHECK(packet * 100 > rounds);  // but not two orders of magnitude
  CHECK(latency("barrier_cpu") > 0ns);
  CHECK_THROWS_WITH(named("barrier_packet", {{"nic.barrier_packet", "false"}}), doctest::Contains("it is a claim"));
}

}  // namespace
}  // namespace gicsim
