// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

bool notes(const report::Finished& f, const std::string& what) {
  return std::any_of(f.system_notes.begin(), f.system_notes.end(),
                     [&](const std::string& note) { return holds(note, what); });
}

TEST_CASE("fault: payload whose completion is lost ends its WQE, and the run says what timed out where") {
  const report::Finished f = run({{"bytes", "64 KiB"}, {"fault", "node0.gpu0 lost_completion 40"},
                                  {"iterations", "20"}, {"expect", "error_completion"}});
  CHECK(f.status == Status::error_completion);
  REQUIRE(f.diagnosis);
  CHECK(holds(f.diagnosis->what, "node0.nic0.qp1: WQE 2 failed: local protection error (0x04), payload, a read of 4 KiB at "));
  CHECK(holds(f.diagnosis->what, "completion time-out at node0.gpu0_port"));
  CHECK(f.diagnosis->at > 50ms);
  CHECK(notes(f, "fault node0.gpu0: lost_completion 40"));
}

TEST_CASE("fault: a far GPU that dies: gets end as remote operation errors, by time-out or, contained, at once") {
  const auto at = [](const char* dpc) {
    const report::Finished f = run({{"pattern", "get"}, {"fault", "node1.gpu0 fatal at 40 us"}, {"gpu.port.dpc", dpc},
                                    {"expect", "error_completion"}});
    CHECK(f.status == Status::error_completion);
    REQUIRE(f.diagnosis);
    CHECK(holds(f.diagnosis->what, "node1.nic0.qp1: request of PSN "));
    CHECK(holds(f.diagnosis->what, dpc == std::string("on") ? "UR of node1.switch0, the port has contained an error (DPC)"
                                                            : "completion time-out at node1.gpu0_port"));
    REQUIRE(f.diagnosis->waits_for.size() == 1);
    CHECK(holds(f.diagnosis->waits_for[0], "node0.nic0.qp1: WQE "));
    CHECK(holds(f.diagnosis->waits_for[0], "remote operation error (0x14)"));
    return f.diagnosis->at;
  };
  CHECK(at("on") < 50us);
  CHECK(at("off") > 50ms);
}

TEST_CASE("fault: writes to a GPU that is dead, or was reset, vanish: the sender is content, the receiver waits for ever") {
  for (const char* fault : {"surprise_down", "fatal", "function_reset", "silent_reset"}) {
    CAPTURE(std::string(fault));
    const report::Finished f = run({{"fault", "node1.gpu0 " + std::string(fault) + " at 40 us"}, {"iterations", "20"},
                                    {"expect", "stuck"}});
    CHECK(f.status == Status::stuck);
    REQUIRE(f.diagnosis);
    CHECK(holds(f.diagnosis->what, "; node1.gpu0: " + std::string(fault) + " at 40 us"));
    CHECK(holds(f.diagnosis->waits_for.at(0), "node1.gpu0.thread0 waits for a flag"));
  }
}

TEST_CASE("fault: a GPU whose function was reset answers UR, so the poster's NIC can't fetch") {
  const report::Finished f = run({{"fault", "node0.gpu0 function_reset at 40 us"}, {"expect", "error_completion"}});
  CHECK(f.status != Status::done);
  REQUIRE(f.diagnosis);
}

TEST_CASE("fault: a NIC that is reset loses its queue pairs, and its driver ends them") {
  const report::Finished f = run({{"fault", "node0.nic0 fatal at 40 us"}, {"expect", "error_completion"}});
  CHECK(f.status == Status::error_completion);
  REQUIRE(f.diagnosis);
  CHECK(holds(f.diagnosis->what, "node0.nic0.qp1 was flushed, node0.nic0: fatal at 40 us"));
  CHECK(f.diagnosis->at == 40us);
}

TEST_CASE("fault: every kind, at many times, ends in a run that says what happened") {
  for (const char* device : {"node0.gpu0", "node1.gpu0", "node0.nic0", "node1.nic0"})
    for (const char* kind : {"surprise_down", "fatal", "function_reset", "silent_reset"})
      for (int ns = 40'000; ns < 44'000; ns += 370) {
        const std::string fault = device + std::string(" ") + kind + " at " + std::to_string(ns) + " ns";
        CAPTURE(fault);
        for (const char* bytes : {"8 B", "64 KiB"}) {
          const report::Finished f = run({{"fault", fault}, {"bytes", bytes}, {"nic.ack_timeout", "4"}});
          CHECK((f.status == Status::stuck || f.status == Status::error_completion));
          REQUIRE(f.diagnosis);
          CHECK(notes(f, "fault " + std::string(device) + ": " + kind));
        }
      }
}

TEST_CASE("retry: the round is begun anew once the device is usable, and the report says what it cost") {
  const report::Finished f = run({{"fault", "node0.nic0 fatal at 40 us"}, {"retry", "1"}, {"iterations", "20"}});
  CHECK(f.status == Status::done);
  CHECK(notes(f, "1 round was begun anew with new queue pairs; lost until then: 2.0"));
  CHECK(notes(f, "fault node0.nic0: fatal at 40 us"));
  const Record completion = record(f, Quantity::put_completion);
  CHECK(*completion.max > 2e9);           // ns: re-initialisation
  CHECK(*completion.max < 2.01e9);
  CHECK(completion.value == record(run({{"iterations", "20"}}), Quantity::put_completion).value);
}

TEST_CASE("retry: a lost answer costs its time-out, and a far GPU that is contained costs its re-initialisation") {
  const report::Finished lost = run({{"bytes", "64 KiB"}, {"fault", "node0.gpu0 lost_completion 40"}, {"retry", "3"},
                                     {"warmup", "0"}});
  CHECK(lost.status == Status::done);
  CHECK(*record(lost, Quantity::put_completion).max > 50e6);
  CHECK(*record(lost, Quantity::put_completion).max < 51e6);
  const report::Finished get = run({{"pattern", "get"}, {"fault", "node1.gpu0 fatal at 40 us"}, {"gpu.port.dpc", "on"},
                                    {"retry", "1"}, {"recovery.reinit", "10 ms"}, {"warmup", "0"}});
  CHECK(get.status == Status::done);
  CHECK(*record(get, Quantity::completion).max > 10e6);
  CHECK(*record(get, Quantity::completion).max < 11e6);
}

TEST_CASE("fault: one that comes too late is said") {
  const report::Finished f = run({{"fault", "node0.gpu0 fatal at 1 s"}, {"iterations", "5"}});
  CHECK(f.status == Status::done);
  CHECK(holds(f.warnings.at(0), "fault node0.gpu0: fatal at 1 s: the run was over before"));
}

TEST_CASE("fault: what can't be read says how to write it") {
  const auto wrong = [](const char* fault) {
    try {
      scenario({{"fault", fault}});
    } catch (const ConfigError& error) {
      return error.mistakes().front().what;
    }
    return std::string("nothing wrong");
  };
  CHECK(wrong("node0.gpu0 fatal") ==
        "fault: 'node0.gpu0 fatal': not a device, a fault, and when; write it like 'node0.gpu0 fatal at 40 us' or "
        "'node0.gpu0 lost_completion 3'");
  CHECK(holds(wrong("node0.gpu0 fatal 3"), "fatal happens at a time; write 'node0.gpu0 fatal at 40 us'"));
  CHECK(holds(wrong("node0.gpu0 lost_completion at 3 us"), "lost_completion is of one answer"));
  CHECK(holds(wrong("node0.gpu9 fatal at 3 us"), "no device 'node0.gpu9'"));
  CHECK(holds(wrong("node0.gpu0 fatl at 3 us"), "did you mean 'fatal'?"));
  CHECK(holds(wrong("node0.gpu0 lost_completion 0"), "answers count from 1"));
}

TEST_CASE("atomic over PCIe: the memory executes it, if it can") {
  const Sets sets{{"pattern", "atomic"}, {"nic.atomics", "pcie"}};
  const report::Finished refused = run(sets);
  CHECK(refused.status == Status::error_completion);
  REQUIRE(refused.diagnosis);
  CHECK(holds(refused.diagnosis->what, "UR of node1.gpu0_port, it completes no AtomicOps"));
  Sets able = sets;
  able.push_back({"gpu.port.atomic_completer", "on"});
  const report::Finished f = run(able);
  CHECK(f.status == Status::done);
  const report::Finished own = run({{"pattern", "atomic"}});
  // The same read, and the NIC's own unit isn't passed; the request carries 8 B, its answer as well.
  CHECK(value(own, Quantity::completion) - value(f, Quantity::completion) > 49ns);
  CHECK(value(own, Quantity::completion) - value(f, Quantity::completion) < 51ns);
}

}  // namespace
}  // namespace gicsim
