// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// When inbound writes become visible, what that holds up, and who is told too early.
#include <algorithm>

#include "models/units/text.h"
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

std::int64_t counter(const report::Finished& f, const std::string& module, const std::string& name) {
  for (const report::Counter& c : f.counters)
    if (c.module == module && c.name == name) return c.value;
  FAIL("no counter " << module << " " << name);
  return 0;
}

report::Finished named(const std::string& name, const Sets& sets = {}) {
  return simulate(schema::load_scenario(source_root() + "/scenarios/runs/" + name + ".yaml", sets, source_root()));
}

TEST_CASE("relaxed ordering off: inbound writes come in at a window a commit latency, and the wire is paused") {
  const report::Finished off = named("put_bw_relaxed_off"), on = named("put_bw_relaxed_on");
  const double cap = 32'768.0 / 2'000;  // GB/s
  CHECK(record(off, Quantity::bandwidth).value == doctest::Approx(cap).epsilon(0.02));
  CHECK(record(on, Quantity::bandwidth).value > 24.5);
  CHECK(counter(off, "node1_nic0_link_down", "paused") > 0);
  CHECK(counter(on, "node1_nic0_link_down", "paused") == 0);
  CHECK(off.warnings.size() == 1);
  CHECK(holds(off.warnings[0], "node1_nic0_link_down stood paused for "));
  REQUIRE(off.bound_by);
  CHECK(off.bound_by->resource == "node1.gpu0.write_window");
  // No packet is lost, and the receive buffer overshoots by no more than what a cable and a packet hold.
  CHECK(counter(off, "node1.nic0", "overruns") == 0);
  CHECK(counter(off, "node1.nic0", "receive_peak") < 256 * 1024 + 16 * 1024);
}

TEST_CASE("relaxed ordering off: half the window or twice the latency is half the rate") {
  const auto rate = [](const char* window, const char* commit) {
    return record(named("put_bw_relaxed_off", {{"gpu.write_window", window}, {"gpu.write_commit", commit}}),
                  Quantity::bandwidth).value;
  };
  CHECK(rate("16 KiB", "2 us") == doctest::Approx(8.192).epsilon(0.02));
  CHECK(rate("32 KiB", "4 us") == doctest::Approx(8.192).epsilon(0.02));
}

TEST_CASE("a fabric without pause drops what a full receive buffer can't take, and goes back for it") {
  const report::Finished f =
      named("put_bw_relaxed_off", {{"system", "b200_cx7_roce"}, {"nic.lossless", "false"}, {"iterations", "8"}});
  CHECK(f.status == Status::done);
  CHECK(counter(f, "node1.nic0", "overruns") > 0);
  CHECK(counter(f, "node0.nic0", "resent") > 0);
  CHECK(counter(f, "node1_nic0_link_down", "paused") == 0);
  CHECK(holds(mistakes_of([] { scenario({{"nic.lossless", "false"}}); }), "infiniband"));
}

TEST_CASE("relaxed ordering on: no gain where the root complex takes such writes one at a time") {
  const report::Finished slow = named("put_bw_relaxed_slow_root"),
                         off = named("put_bw_relaxed_slow_root", {{"relaxed_ordering", "off"}});
  CHECK(record(slow, Quantity::bandwidth).value == doctest::Approx(256.0 / 100).epsilon(0.02));
  CHECK(record(off, Quantity::bandwidth).value > 24);
}

TEST_CASE("checker: a flag through another queue pair, with relaxed ordering, is caught before its data") {
  const report::Finished f = named("flag_other_queue");
  REQUIRE(f.status == Status::ordering_violation);
  REQUIRE(f.diagnosis);
  CHECK(holds(f.diagnosis->what, "node1.gpu0.thread0 was told of message "));
  CHECK(holds(f.diagnosis->what, ", at address 0x"));
  CHECK(holds(f.diagnosis->what, ", but its data at 0x"));
  CHECK(holds(f.diagnosis->what, " became visible only at "));
  CHECK(named("flag_same_queue").status == Status::done);
}

TEST_CASE("checker: large data that are still being read when another queue pair's flag goes, whatever PCIe does") {
  for (const char* signal : {"flag", "atomic"})
    CHECK(run({{"pattern", "put_signal"}, {"signal", signal}, {"signal_queue", "other"}, {"bytes", "64 KiB"},
               {"relaxed_ordering", "off"}}).status == Status::ordering_violation);
}

TEST_CASE("checker: out-of-order placement breaks a flag that is a write, not an atomic, not an immediate") {
  CHECK(named("flag_out_of_order").status == Status::ordering_violation);
  for (const char* signal : {"atomic", "immediate"})
    CHECK(named("flag_out_of_order", {{"signal", signal}}).status == Status::done);
  CHECK(named("flag_out_of_order", {{"placement", "in_order"}}).status == Status::done);
}

TEST_CASE("checker: polling the last bytes of relaxed data is a race") {
  const Sets sets{{"bytes", "64 KiB"}, {"spread.write_commit", "true"}, {"iterations", "50"}};
  const auto with = [&](const char* relaxed) {
    Sets all = sets;
    all.push_back({"relaxed_ordering", relaxed});
    return run(all);
  };
  CHECK(with("data").status == Status::ordering_violation);
  CHECK(with("off").status == Status::done);
  CHECK(with("data").warnings.size() == 1);
  CHECK(with("off").warnings.empty());
}

TEST_CASE("checker: a get's CQE may pass its data where both are relaxed") {
  const auto with = [](const char* relaxed) {
    return run({{"pattern", "get"}, {"relaxed_ordering", relaxed}, {"spread.write_commit", "true"},
                {"iterations", "100"}, {"nic.cqe_build", "0 ns"}}).status;
  };
  CHECK(with("all") == Status::ordering_violation);
  CHECK(with("data") == Status::done);
}

TEST_CASE("poll with a plain load: stuck, and the run says why") {
  const report::Finished f = named("poll_cached");
  CHECK(f.status == Status::stuck);
  REQUIRE(f.diagnosis);
  REQUIRE_FALSE(f.diagnosis->waits_for.empty());
  CHECK(holds(f.diagnosis->waits_for[0], "node1.gpu0.thread0 waits for a flag with value 1, but its plain load"));
  CHECK(holds(f.diagnosis->waits_for[0], "use ld.volatile or ld.acquire"));
  CHECK(named("poll_cached", {{"poll_load", "volatile"}}).status == Status::done);
}

TEST_CASE("flush: a read of GPU memory comes back behind the data, at the cost of a round trip") {
  CHECK(named("flush_none").status == Status::ordering_violation);
  CHECK(named("flush_read").status == Status::done);
  CHECK(named("flush_read_c2c").status == Status::ordering_violation);
  const auto seen = [](const char* flush) {
    return value(named("flush_read", {{"flush", flush}, {"gpu.write_commit_relaxed", "0 ns"}}), Quantity::one_way);
  };
  const Picoseconds cost = seen("read") - seen("none");
  CHECK(cost > 500ns);
  CHECK(cost < 1500ns);
}

TEST_CASE("flush: by the NIC itself, through a queue pair connected to itself") {
  const report::Finished f = named("flush_loopback");
  CHECK(f.status == Status::done);
  CHECK(stages(f.delivery_path).count("doorbell_flight") == 1);
  // A read that waits for the writes' 5 us, as the CPU's does, and a post, two ways through the NIC and a CQE more.
  const Picoseconds by_cpu = value(named("flush_read"), Quantity::flush), by_nic = value(f, Quantity::flush);
  CHECK(by_nic > by_cpu - 2us);
  const auto alone = [](const char* flush) {
    return value(named("flush_loopback", {{"flush", flush}, {"gpu.write_commit_relaxed", "0 ns"}}), Quantity::flush);
  };
  CHECK(alone("loopback") > alone("read") + 1us);
  CHECK(alone("loopback") < alone("read") + 5us);
}

TEST_CASE("flush: what goes another way than the data proves nothing") {
  CHECK(named("flush_loopback_c2c").status == Status::done);
  const report::Finished other = named("flush_other_nic");
  CHECK(other.status == Status::ordering_violation);
  CHECK(named("flush_other_nic", {{"flush", "loopback"}}).status == Status::done);
  CHECK(named("flush_other_nic", {{"flush", "read"}}).status == Status::ordering_violation);
}

TEST_CASE("commit latency: a put's data are seen that much later, and its books stay") {
  const report::Finished at_once = run({}), later = run({{"node1.gpu.write_commit_relaxed", "700 ns"}});
  CHECK(value(later, Quantity::one_way) == value(at_once, Quantity::one_way) + 700ns);
  CHECK(value(later, Quantity::put_completion) == value(at_once, Quantity::put_completion));
  CHECK(stages(later.delivery_path).at("remote_write").first ==
        stages(at_once.delivery_path).at("remote_write").first + 700ns);
}

TEST_CASE("atomics: a GPU's between a NIC's read and write is lost, and caught; PCIe AtomicOps lose none") {
  const report::Finished lost = named("atomic_lost");
  CHECK(lost.status == Status::ordering_violation);
  REQUIRE(lost.diagnosis);
  CHECK(holds(lost.diagnosis->what, "node1.nic0's atomic on 0x"));
  CHECK(holds(lost.diagnosis->what, "the atomic of node1.gpu0.word_load at "));
  CHECK(holds(lost.diagnosis->what, "came between and is lost"));
  CHECK(named("atomic_kept").status == Status::done);
  CHECK(named("atomic_lost", {{"word_load", "off"}, {"word_load_gap", "0 ns"}}).status == Status::done);
  const report::Finished cpu = named("atomic_lost_cpu");
  CHECK(cpu.status == Status::ordering_violation);
  CHECK(holds(cpu.diagnosis->what, "the atomic of node1.host.word_load at "));
  CHECK(named("atomic_lost_cpu", {{"nic.atomics", "pcie"}, {"host.port.atomic_completer", "on"}}).status == Status::done);
  CHECK_THROWS_WITH(run({{"word_load", "gpu"}}), doctest::Contains("write 'pattern: atomic'"));
  CHECK_THROWS_WITH(named("atomic_lost", {{"word_load", "cpu"}}), doctest::Contains("the word lies in GPU memory"));
  CHECK_THROWS_WITH(named("atomic_lost", {{"word", "device"}}), doctest::Contains("which only that NIC changes"));
}

TEST_CASE("adaptive: READ responses that overtake each other are kept for their turn, or asked for again") {
  const report::Finished kept = named("get_adaptive", {{"iterations", "20"}}),
                         asked = named("get_adaptive_in_order", {{"iterations", "20"}});
  CHECK(kept.status == Status::done);
  CHECK(counter(kept, "node0.nic0", "early") > 0);
  CHECK(counter(kept, "node0.nic0", "resent") == 0);
  CHECK(asked.status == Status::done);
  CHECK(counter(asked, "node0.nic0", "resent") > 0);
  CHECK(value(kept, Quantity::completion) < value(asked, Quantity::completion));
}

TEST_CASE("marks: come before pauses, from two senders to sixteen") {
  for (const char* senders : {"2", "4", "8", "16"}) {
    const report::Finished f = named("incast_16_dcqcn", {{"senders", senders}, {"iterations", "6"}, {"warmup", "1"}, {"buffer.xoff", "256 KiB"},
                                                        {"buffer.xon", "192 KiB"}});
    const auto fabric = std::find_if(f.system_notes.begin(), f.system_notes.end(),
                                     [](const std::string& note) { return note.starts_with("fabric: "); });
    REQUIRE(fabric != f.system_notes.end());
    CAPTURE(*fabric);
    CHECK(holds(*fabric, "(0 of a lossless priority)"));
    const auto at = [&](const std::string& what) {
      const std::size_t begin = fabric->find(what);
      if (begin == std::string::npos) return Picoseconds::max();
      const std::size_t from = begin + what.size(), to = fabric->find(';', from);
      const auto read = text::read<Picoseconds>(fabric->substr(from, to == std::string::npos ? to : to - from));
      REQUIRE(read.value);
      return *read.value;
    };
    CHECK(at("first mark at ") < Picoseconds::max());
    CHECK(at("first mark at ") < at("first pause at "));
    if (*senders == '8' || *senders == '1') CHECK(at("first pause at ") < Picoseconds::max());
  }
}

}  // namespace
}  // namespace gicsim
