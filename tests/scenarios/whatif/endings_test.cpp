// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/context.h"
#include "models/gpu/thread.h"
#include "scenarios/system/system.h"
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

TEST_CASE("ordering: a WQE that the NIC fetched before it was visible is said, with both times") {
  const Sets sets{{"ordering", "none"}, {"gpu.line_fetch", "10000 cycles"}};
  const report::Finished f = run(sets);
  CHECK(f.status == Status::ordering_violation);
  CHECK(f.expected == Status::done);
  CHECK(f.results.empty());
  REQUIRE(f.diagnosis);
  CHECK(holds(f.diagnosis->what, "node0.nic0.qp1: WQE 0 was fetched at "));
  CHECK(holds(f.diagnosis->what, " but became visible only at "));
  CHECK(f.diagnosis->at > 0ns);
  for (const char* ordering : {"gpu_fence", "gpu_fence_dbr", "gpu_release", "threadfence", "sys_release", "sys_fence"})
    CHECK(run({{"ordering", ordering}, {"gpu.line_fetch", "10000 cycles"}}).status == Status::done);
}

TEST_CASE("ordering: a run that is expected to violate it ends as it should") {
  const report::Finished f =
      run({{"ordering", "none"}, {"gpu.line_fetch", "10000 cycles"}, {"expect", "ordering_violation"}});
  CHECK(f.status == f.expected);
}

// A put whose flag lands elsewhere than the receiver looks: two NICs that don't agree on the MTU.
TEST_CASE("stuck: a run that can't end says who waits for what, and stops") {
  const report::Finished f =
      run({{"bytes", "4 KiB"}, {"node0.nic0.mtu", "1024 B"}, {"expect", "stuck"}, {"iterations", "5"}});
  CHECK(f.status == Status::stuck);
  CHECK(f.status == f.expected);
  CHECK(f.results.empty());
  REQUIRE(f.diagnosis);
  CHECK(f.diagnosis->what == "no event is left, and programs wait");
  CHECK(f.diagnosis->waits_for == std::vector<std::string>{"node1.gpu0.thread0 waits for a flag with value 1"});
  CHECK(f.diagnosis->at > 0ns);
}

TEST_CASE("error completion: retries used up, and the run says which queue pair, WQE and packet") {
  const report::Finished f = run({{"link.loss", "1"}, {"nic.ack_timeout", "2"}, {"expect", "error_completion"},
                                  {"iterations", "3"}, {"warmup", "0"}});
  CHECK(f.status == Status::error_completion);
  CHECK(f.status == f.expected);
  CHECK(f.results.empty());
  REQUIRE(f.diagnosis);
  CHECK(f.diagnosis->what == "node0.nic0.qp1: WQE 0 failed: transport retry counter exceeded (0x15), PSN 0 "
                             "unanswered after 7 retries");
  CHECK(f.diagnosis->waits_for == std::vector<std::string>{"node1.gpu0.thread0 waits for a flag with value 1"});
}

TEST_CASE("error completion: a time-out shorter than the round trip ends a run without any loss") {
  const report::Finished f = run({{"nic.ack_timeout", "1"}, {"nic.retries", "0"}, {"link.flight", "5 us"}});
  CHECK(f.status == Status::error_completion);
  CHECK(run({{"nic.ack_timeout", "1"}, {"nic.retries", "0"}}).status == Status::done);
}

TEST_CASE("loss: a put whose packet or ACK got lost ends, and says so in its ledger") {
  for (const char* drop : {"node0.nic0.link up write 3", "node1.nic0.link up ack 3", "fabric.link0 back ack 3"}) {
    CAPTURE(std::string(drop));
    const char* system = std::string(drop).starts_with("fabric") ? "gb200_cx7_ib" : "h200_cx7_ib";
    const report::Finished f =
        run({{"drop", drop}, {"iterations", "1"}, {"warmup", "2"}, {"nic.ack_timeout", "3"}}, system);
    REQUIRE(f.status == Status::done);
    const Stages all = stages(f.ledger);
    REQUIRE(all.count("retransmit") == 1);
    CHECK(all.at("retransmit").first > 25us);
    CHECK(all.at("retransmit").first <= 32'768ns);
    CHECK(total(f.ledger) == value(f, Quantity::put_completion));
  }
}

TEST_CASE("loss: the seed decides, and only where there is loss") {
  const auto at = [](const char* loss, const char* seed) {
    return record(run({{"link.loss", loss}, {"seed", seed}, {"nic.ack_timeout", "3"}, {"iterations", "100"}}),
                  Quantity::put_completion).max;
  };
  CHECK(at("0", "1") == at("0", "2"));
  CHECK(at("2 %", "1") == at("2 %", "1"));
  CHECK(*at("2 %", "1") > *at("0", "1"));
}

Task ring(gpu::Thread& thread, system::Queue queue, std::uint64_t value) {
  co_await thread.store(queue.doorbell, 8_B, value, Stage::doorbell_issue);
  co_await thread.poll(
      queue.completion, [](const Content& c) { return std::holds_alternative<Cqe>(c); }, Stage::poll, "a CQE");
}

struct Machine {
  schema::Scenario spec = scenario({});
  ContextScope context;
  system::System system{spec.system};
  std::pair<system::Queue, system::Queue> queues = system.connect(0, {}, 1, {}, system::Place::gpu, 64);
  gpu::Thread thread{system.kernel(), system.node(0).gpu(0), "poster", system::AddressMap::dram,
                     system::AddressMap::window};
  ~Machine() { system.kernel().abandon(); }
  using Lines = std::vector<std::string>;
};

TEST_CASE("stuck: a doorbell for a queue pair that isn't there") {
  Machine m;
  m.system.kernel().start("poster", ring(m.thread, m.queues.first, std::uint64_t{99} << 32 | 1));
  CHECK(m.system.kernel().run() == Kernel::Ended::stuck);
  CHECK(m.system.kernel().waiting() == Machine::Lines{"poster waits for a CQE"});
  CHECK(m.system.unfinished() == Machine::Lines{"node0.nic0: doorbell at address 0x800000000800 with value 0x6300000001 names no queue pair"});
}

TEST_CASE("stuck: a doorbell without a WQE is a violation of order, never written at all") {
  Machine m;
  m.system.kernel().start("poster", ring(m.thread, m.queues.first, std::uint64_t{1} << 32 | 1));
  CHECK(m.system.kernel().run() == Kernel::Ended::stuck);
  const auto stale = m.system.stale_fetches();
  REQUIRE(stale.size() == 1);
  CHECK(stale[0].nic == "node0.nic0");
  CHECK(stale[0].visible == 0ns);
}

TEST_CASE("put: a receiver that lags far behind sees every message") {
  const report::Finished f = run({{"node1.gpu0.poll_loop", "100000 cycles"}});
  CHECK(f.status == Status::done);
  CHECK(value(f, Quantity::one_way) > 50us);
  CHECK(value(f, Quantity::put_completion) < 5us);
}

TEST_CASE("put: complete at the poster long before the data are visible") {
  const report::Finished f = run({{"bytes", "64 KiB"}, {"pcie.posted_headers", "1"}});
  CHECK(f.status == Status::done);
  CHECK(value(f, Quantity::one_way) > value(f, Quantity::put_completion));
}

TEST_CASE("put: every thread has buffers of its own") {
  const report::Finished f = run({{"threads", "150"}, {"qps", "150"}, {"iterations", "3"}, {"warmup", "1"}});
  CHECK(f.status == Status::done);
  CHECK(record(f, Quantity::one_way).n == 450);
  CHECK(*record(f, Quantity::one_way).max < *record(f, Quantity::put_completion).max);
}

TEST_CASE("warnings: what changes nothing is said in the report") {
  CHECK(run({{"path", "cpu_proxy"}, {"ordering", "sys_fence"}}).warnings.size() == 1);
  CHECK(run(Sets{}).warnings.empty());
}

}  // namespace
}  // namespace gicsim
