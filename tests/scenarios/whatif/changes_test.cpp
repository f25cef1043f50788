// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Each cost has one owner: a parameter changes the stages that use it, and no other.
#include <set>

#include "scenarios/report/json.h"
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

using Names = std::set<std::string>;

std::string text(const Names& names) {
  std::string all;
  for (const std::string& name : names) all += name + " ";
  return all;
}

Names differing(const report::Rows& a, const report::Rows& b) {
  const Stages before = stages(a), after = stages(b);
  Names names;
  for (const auto& [stage, times] : before)
    if (const auto found = after.find(stage); found == after.end() || found->second != times) names.insert(stage);
  for (const auto& [stage, times] : after)
    if (!before.contains(stage)) names.insert(stage);
  return names;
}

struct Change {
  const char *key, *value;
  Names completion, delivery;
};

void check(const Sets& base, const std::vector<Change>& changes, const char* system = "h200_cx7_ib") {
  const report::Finished before = run(base, system);
  for (const Change& change : changes) {
    const report::Finished after = run(with(base, {{change.key, change.value}}), system);
    CAPTURE(std::string(change.key));
    REQUIRE(after.status == Status::done);
    CHECK(text(differing(before.completion_path, after.completion_path)) == text(change.completion));
    CHECK(text(differing(before.delivery_path, after.delivery_path)) == text(change.delivery));
  }
}

TEST_CASE("changes: an inline put, rings in GPU memory") {
  check({}, {
                {"link.rate", "100 Gbps", {"serialise"}, {"serialise"}},
                {"link.flight", "30 ns", {"propagate"}, {"propagate"}},
                {"link.fec", "90 ns", {"propagate"}, {"propagate"}},
                {"switch.latency", "200 ns", {"switch"}, {"switch"}},
                {"nic.doorbell", "100 ns", {"nic_doorbell"}, {"nic_doorbell"}},
                {"nic.decode", "50 ns", {"wqe_decode"}, {"wqe_decode"}},
                {"nic.tx", "200 ns", {"nic_tx"}, {"nic_tx"}},
                {"nic.rx", "200 ns", {"nic_rx"}, {"nic_rx"}},
                {"nic.ack_turn", "100 ns", {"nic_ack"}, {}},
                {"nic.ack_handle", "100 ns", {"nic_ack"}, {}},
                {"nic.cqe_build", "100 ns", {"nic_ack"}, {}},
                {"nic0.pcie.lanes",
                 "8",
                 {"doorbell_flight", "wqe_read", "cqe_write"},
                 {"doorbell_flight", "wqe_read", "remote_write"}},
                {"gpu0.pcie.lanes",
                 "8",
                 {"doorbell_flight", "wqe_read", "cqe_write"},
                 {"doorbell_flight", "wqe_read", "remote_write"}},
                {"switch0.pcie.lanes", "8", {}, {}},
                {"pcie_switch.latency",
                 "200 ns",
                 {"doorbell_flight", "wqe_read", "cqe_write"},
                 {"doorbell_flight", "wqe_read", "remote_write"}},
                {"root.latency", "500 ns", {}, {}},
                {"host.dram_read", "500 ns", {}, {}},
                {"gpu.read_latency", "200 ns", {"wqe_read"}, {"wqe_read"}},
                {"gpu.wqe_build", "100 cycles", {"build_wqe"}, {"build_wqe"}},
                {"gpu.store_issue",
                 "90 cycles",
                 {"build_wqe", "fence", "doorbell_issue"},
                 {"build_wqe", "fence", "doorbell_issue"}},
                {"gpu.store_ack", "2000 cycles", {"fence"}, {"fence"}},
                {"gpu.store_ack_gap", "300 cycles", {}, {}},  // later pieces of a fetched line come no later than store_ack_most
                {"gpu.store_ack_most", "900 cycles", {"fence"}, {"fence"}},
                {"gpu.line_fetch", "2000 cycles", {"fence"}, {"fence"}},
                {"gpu.inline_load", "500 cycles", {}, {}},
                {"gpu.fence_gpu", "1 us", {"fence"}, {"fence"}},
                {"gpu.fence_gpu_sc", "100 ns", {}, {}},
                {"gpu.fence_system", "100 ns", {}, {}},
                {"gpu.host_write_ack", "1 us", {}, {}},
                {"gpu.l2_load", "100 cycles", {"poll"}, {"poll"}},
                {"gpu.poll_loop", "100 cycles", {"poll"}, {"poll"}},
                {"library.completion", "1000 cycles", {"sync"}, {}},
                {"library.call", "1000 cycles", {"api"}, {"api"}},
                {"port.mps", "128 B", {}, {}},
                {"port.mrrs", "128 B", {}, {}},
                {"port.tags", "1", {}, {}},
                {"pcie.posted_headers", "1", {}, {}},
                {"pcie.non_posted_headers", "1", {}, {}},
                {"nic.qp_window", "1", {}, {}},
                {"nic.transmit_buffer", "4 KiB", {}, {}},
                {"nic.mtu", "256 B", {}, {}},
            });
}

TEST_CASE("changes: a longer inline put") {
  check({{"bytes", "100 B"}}, {
                                  {"gpu.inline_load", "500 cycles", {"build_wqe"}, {"build_wqe"}},
                                  {"nic.decode", "50 ns", {"wqe_decode"}, {"wqe_decode"}},
                                  {"gpu.read_latency", "200 ns", {"wqe_read"}, {"wqe_read"}},
                              });
}

TEST_CASE("changes: one packet that the NIC reads in eight requests") {
  check({{"bytes", "4 KiB"}, {"payload", "read"}, {"port.mrrs", "512 B"}},
        {
            {"port.mps", "128 B", {"payload_read"}, {"payload_read", "remote_write"}},
            {"port.mrrs", "4 KiB", {"payload_read"}, {"payload_read"}},
            {"port.tags", "1", {"payload_read"}, {"payload_read"}},
            {"port.completion_buffer", "512 B", {"payload_read"}, {"payload_read"}},
            {"gpu.memory_rate", "400 Gbps", {"wqe_read", "payload_read"}, {"wqe_read", "payload_read"}},
            {"pcie.posted_headers", "1", {}, {"remote_write"}},
            {"pcie.posted_data", "256 B", {}, {"remote_write"}},
            {"pcie.non_posted_headers", "1", {"payload_read"}, {"payload_read"}},
            {"nic.decode", "50 ns", {"wqe_decode"}, {"wqe_decode"}},
            {"nic.transmit_buffer", "4 KiB", {}, {}},
            {"library.call_read", "1000 cycles", {"api"}, {"api"}},
        });
}

// The packets of a longer message queue for the wire. What holds up their reading is a wait there the less,
// while the time on the wire stays.
TEST_CASE("changes: 64 KiB that the NIC reads, faster than the wire takes them") {
  const Sets base{{"bytes", "64 KiB"}, {"payload", "read"}};
  const report::Finished before = run(base);
  const auto on_wire = [](const report::Finished& f) {
    const auto [time, waiting] = stages(f.delivery_path).at("serialise");
    return time - waiting;
  };
  for (const auto& change : Sets{{"port.mps", "128 B"},
                                 {"port.mrrs", "512 B"},
                                 {"port.tags", "1"},
                                 {"port.completion_buffer", "4 KiB"},
                                 {"pcie.non_posted_headers", "1"},
                                 {"nic.transmit_buffer", "4 KiB"}}) {
    const report::Finished after = run(with(base, {change}));
    CAPTURE(change.key);
    Names names = differing(before.completion_path, after.completion_path);
    names.erase("serialise");  // its waiting: see on_wire
    names.erase("nic_wait");   // for room in the transmit buffer, which the wire leaves
    CHECK(text(names) == "payload_read ");
    CHECK(on_wire(after) == on_wire(before));
  }
}

TEST_CASE("changes: rings in host memory") {
  check({{"queues", "host"}},
        {
            {"root.latency", "100 ns", {"wqe_read", "cqe_write", "poll"}, {"wqe_read"}},
            {"host.dram_read", "200 ns", {"wqe_read", "poll"}, {"wqe_read"}},
            {"switch0.pcie.lanes", "8", {"wqe_read", "cqe_write", "poll"}, {"wqe_read"}},
            {"gpu.read_latency", "200 ns", {}, {}},
            {"nic.decode", "50 ns", {"wqe_decode"}, {"wqe_decode"}},
        });
}

TEST_CASE("changes: a proxy") {
  check({{"path", "cpu_proxy"}},
        {
            {"proxy.work", "1000 cycles", {"proxy_work"}, {"proxy_work"}},
            {"proxy.completion_work", "1000 cycles", {"proxy_work"}, {}},
            {"proxy.enqueue", "1000 cycles", {"api"}, {"api"}},
            {"host.cache_miss", "200 ns", {"proxy_work"}, {"proxy_work"}},
            {"host.clock_cold", "2000 MHz", {"proxy_work"}, {"proxy_work"}},
            {"host.clock_warm", "2000 MHz", {}, {}},
            {"host.poll", "200 ns", {"proxy_pickup"}, {"proxy_pickup"}},
            {"gpu.fence_gpu", "1 us", {}, {}},
            {"gpu.wqe_build", "900 cycles", {}, {}},
            {"nic.qp_window", "1", {}, {}},
            {"gpu.read_latency", "500 ns", {}, {}},
        });
}

TEST_CASE("changes: a proxy whose hand-off reserves, reads progress and releases") {
  check({{"path", "cpu_proxy"}, {"proxy", "baseline"}},
        {
            {"gpu.atomic", "2000 cycles", {"call"}, {"call"}},
            {"host.dram_read", "500 ns", {"call", "poll"}, {"call"}},
            {"gpu.fence_system", "2 us", {"fence"}, {"fence"}},
            {"gpu.host_write_ack", "2 us", {"fence"}, {"fence"}},
            {"gpu.fence_system_after_poll", "9 us", {}, {}},
            {"proxy.shared_work", "1000 cycles", {"proxy_work"}, {"proxy_work"}},
            {"proxy.look", "1000 cycles", {}, {}},
        });
}

TEST_CASE("changes: half the link's rate takes exactly twice the time on the wire") {
  for (const char* bytes : {"8 B", "64 KiB"}) {
    const Sets base{{"bytes", bytes}};
    const Stages before = stages(run(base).completion_path);
    const Stages after = stages(run(with(base, {{"link.rate", "100 Gbps"}})).completion_path);
    const auto on_wire = [](const Stages& s) { return s.at("serialise").first - s.at("serialise").second; };
    CHECK(on_wire(after) == 2 * on_wire(before));
  }
}

TEST_CASE("changes: a second poster costs waiting, and nothing else") {
  // All at once: later rounds would fall into step and meet no more. Of three, the median is the second's.
  const Sets once{{"iterations", "1"}, {"warmup", "0"}};
  // A proxy's idle worker looks at each thread's ring, which isn't waiting: proxy.look.
  for (const Sets& base : {Sets{}, Sets{{"bytes", "4 KiB"}}, Sets{{"path", "cpu_proxy"}, {"proxy.look", "0 cycles"}}}) {
    const report::Finished alone = run(with(base, once)), three = run(with(with(base, once), {{"threads", "3"}}));
    const Stages before = stages(alone.completion_path), after = stages(three.completion_path);
    CHECK(total(three.completion_path) > total(alone.completion_path));
    REQUIRE(before.size() == after.size());
    for (const auto& [stage, times] : after) {
      CAPTURE(stage);
      if (stage == "proxy_pickup") continue;  // further rings make the worker's turn longer
      CHECK(times.first - before.at(stage).first == times.second - before.at(stage).second);
    }
  }
}

}  // namespace
}  // namespace gicsim
