// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever is asked of it, a run ends, and what went in came out.
#include "scenarios/report/sums.h"
#include "tests/laws/draw.h"

namespace gicsim {
namespace {

/// Any work on any machine; now and then with scarce credits, tags or windows.
Sets any_work(Draw& d) {
  Sets sets;
  const auto add = [&](const char* key, const std::string& value) { sets.push_back({key, value}); };
  const std::string path = d.one_of({"gpu_direct", "gpu_direct", "cpu_proxy", "cpu_post", "cpu_doorbell", "host_staged",
                                     "stream_triggered"});
  const std::string pattern = d.one_of({"put", "put_bw", "ping_pong"});
  add("path", path);
  add("pattern", pattern);
  const std::int64_t bytes = 1 + static_cast<std::int64_t>(d.random.below(std::uint64_t{1} << d.random.below(21)));
  add("bytes", std::to_string(bytes) + " B");
  if (pattern == "put_bw") add("batch", d.one_of({"1", "2", "7", "16"}));
  if (pattern != "ping_pong") add("threads", d.one_of({"1", "2", "5"}));
  if (path == "gpu_direct" || path == "cpu_doorbell") {
    add("queues", d.one_of({"gpu", "host"}));
    add("ordering", d.one_of({"gpu_fence", "gpu_fence_dbr", "gpu_release", "threadfence", "sys_release", "sys_fence"}));
    if (d.chance(30)) add("payload", "read");
  } else if (path == "cpu_post") {
    add("gdr", d.one_of({"both", "read", "write", "none"}));
  } else if (path == "host_staged") {
    add("staging", d.one_of({"pinned", "pageable"}));
    add("runtime.bounce", d.one_of({"4 KiB", "64 KiB"}));
    add("gpu.copy_engine.window", d.one_of({"512 B", "8 KiB", "128 KiB"}));
  } else if (path == "stream_triggered") {
    add("runtime.ahead", d.one_of({"1", "3", "16"}));
  } else {
    add("proxy", d.one_of({"tuned", "baseline", "ibrc", "gin"}));
    if (pattern != "ping_pong" && d.chance(40)) {
      add("threads", "4");
      add("rings", d.one_of({"1", "2", "4"}));
      add("proxy.reserve", "true");
      if (d.chance(50)) add("qps", "1");
    }
    if (d.chance(20)) add("proxy.shared_work", "500 cycles");
  }
  if (d.chance(10)) add("lazy_init", "on");
  add("depth", d.one_of({"64", "128", "1024"}));
  add("iterations", d.one_of({"1", "3", "8"}));
  add("warmup", d.one_of({"0", "1", "5"}));
  if (d.chance(15)) add("port.tags", d.one_of({"1", "2", "16"}));
  if (d.chance(15)) add("pcie.posted_headers", d.one_of({"1", "3"}));
  if (d.chance(15)) add("pcie.posted_data", d.one_of({"256 B", "1 KiB"}));
  if (d.chance(15)) add("pcie.non_posted_headers", d.one_of({"1", "2"}));
  if (d.chance(15)) add("port.mps", d.one_of({"128 B", "256 B"}));
  if (d.chance(15)) add("port.mrrs", d.one_of({"128 B", "512 B", "4 KiB"}));
  if (d.chance(15)) add("nic.qp_window", d.one_of({"1", "3"}));
  if (d.chance(15)) add("nic.fetch_batch", d.one_of({"1", "5"}));
  if (d.chance(15)) add("nic.transmit_buffer", d.one_of({"4 KiB", "8 KiB"}));
  if (d.chance(15)) add("nic.mtu", d.one_of({"256 B", "1 KiB"}));
  if (d.chance(10)) add("node1.gpu0.poll_loop", "50000 cycles");
  if (d.chance(10)) add("gpu.stores_outstanding", d.one_of({"1", "4"}));
  return sets;
}

TEST_CASE("books: whatever the work, it ends, and bytes and messages are all there") {
  Draw draw(2026, "books");
  for (int round = 0; round < 300; ++round) {
    const Sets sets = any_work(draw);
    std::string text;
    for (const auto& set : sets) text += set.key + "=" + set.value + " ";
    CAPTURE(text);
    const char* system = all_systems[draw.random.below(std::size(all_systems))];
    CAPTURE(std::string(system));
    const schema::Scenario s = scenario(sets, system);
    const report::Finished f = simulate(s);  // checks tags, credits, windows, WQEs and links by itself
    REQUIRE(f.status == Status::done);
    CHECK(report::imbalances(f).empty());
    const std::int64_t puts = (s.warmup + s.iterations) * s.threads * (s.pattern == Pattern::ping_pong ? 2 : 1);
    CHECK(sum(f, "payload_sent") == puts * s.bytes.count());
    CHECK(sum(f, "payload_received") == puts * s.bytes.count());
    CHECK(sum(f, "packets_sent") == puts * pieces(s.bytes, s.system.nodes[0].pairs[0].nic.mtu));
    CHECK(sum(f, "wqes") == puts);
    CHECK(sum(f, "cqes") <= puts);
    CHECK(sum(f, "stale") == 0);
    CHECK(sum(f, "unclaimed") == 0);
    CHECK(record(f, Quantity::issue).n == s.iterations * s.threads);
  }
}

/// Devices anywhere in a tree, several flows, redirected or not, TLPs split or not.
Sets any_place(Draw& d) {
  Sets sets;
  const auto add = [&](const char* key, const std::string& value) { sets.push_back({key, value}); };
  const std::string path = d.one_of({"gpu_direct", "cpu_post"});
  const bool stream = d.chance(70);
  add("path", path);
  add("pattern", stream ? "put_bw" : "put");
  add("bytes", std::to_string(1 + d.random.below(std::uint64_t{1} << d.random.below(19))) + " B");
  if (path == "cpu_post") add("gdr", d.one_of({"both", "read", "write", "none"}));
  add("flows", stream ? d.one_of({"gpu0-nic0", "gpu0-nic0, gpu0-nic1", "gpu0-nic2, gpu0-nic4", "gpu0-nic4, gpu0-nic1",
                                  "gpu0-nic3, gpu0-nic2, gpu0-nic1"})
                      : d.one_of({"gpu0-nic1", "gpu0-nic3", "gpu0-nic4"}));
  if (d.chance(50))
    for (const char* key : {"slot.acs_request_redirect", "slot.acs_completion_redirect", "slot.acs_upstream_forwarding"})
      add(key, "true");
  if (d.chance(30)) add("slot.peer_split", d.one_of({"64 B", "128 B"}));
  if (d.chance(30)) add("pcie.posted_headers", d.one_of({"1", "3"}));
  if (d.chance(30)) add("pcie.non_posted_headers", d.one_of({"1", "2"}));
  if (d.chance(30)) add("port.tags", d.one_of({"1", "16"}));
  if (d.chance(30)) add("root.peer_read_rate", d.one_of({"0 Gbps", "1 Gbps"}));
  add("iterations", d.one_of({"1", "3", "8"}));
  return sets;
}

TEST_CASE("books: wherever devices are plugged in, whatever turns TLPs round") {
  Draw draw(2027, "places");
  for (int round = 0; round < 150; ++round) {
    const Sets sets = any_place(draw);
    std::string text;
    for (const auto& set : sets) text += set.key + "=" + set.value + " ";
    CAPTURE(text);
    const schema::Scenario s = scenario(sets, "h200_distances");
    const report::Finished f = simulate(s);
    REQUIRE(f.status == Status::done);
    const std::int64_t puts = (s.warmup + s.iterations) * static_cast<std::int64_t>(s.routes.size());
    CHECK(sum(f, "payload_received") == puts * s.bytes.count());
    CHECK(sum(f, "wqes") == puts);
    CHECK(sum(f, "blocked") == 0);
  }
}

}  // namespace
}  // namespace gicsim
