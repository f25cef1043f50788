// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Gets, atomics, signals and quiets: whatever is lost, each ends once, and no signal comes before its data.
#include "scenarios/report/sums.h"
#include "tests/laws/draw.h"

namespace gicsim {
namespace {

Sets any_pattern(Draw& d, const std::string& pattern) {
  Sets sets{{"pattern", pattern}};
  const auto add = [&](const char* key, const std::string& value) { sets.push_back({key, value}); };
  const bool stream = pattern == "put_bw";
  const std::string path = pattern == "quiet" ? d.one_of({"gpu_direct", "cpu_doorbell"})
                           : pattern == "put_signal"
                               ? d.one_of({"gpu_direct", "cpu_doorbell", "cpu_post"})
                               : d.one_of({"gpu_direct", "cpu_doorbell", "cpu_post", "cpu_proxy"});
  add("path", path);
  const std::string operation = d.one_of({"get", "fetch_add", "compare_swap"});
  const std::string signal = d.one_of({"atomic", "flag", "immediate"});
  const std::string threads = d.one_of({"1", "2"});
  add("threads", threads);
  if (pattern == "atomic") add("atomic", d.one_of({"fetch_add", "compare_swap"}));
  if (pattern == "put_signal") add("signal", signal);
  if (pattern == "quiet") add("scope", d.one_of({"all", "qp", "signal"}));
  if (stream) add("operation", operation), add("batch", d.one_of({"1", "4"}));
  if (pattern != "atomic" && !(stream && operation != "get"))
    add("bytes", std::to_string(1 + d.random.below(std::uint64_t{1} << d.random.below(18))) + " B");
  if (path == "gpu_direct" || path == "cpu_doorbell") {
    add("queues", d.one_of({"gpu", "host"}));
    add("ordering", d.one_of({"gpu_fence", "gpu_fence_dbr", "gpu_release", "threadfence", "sys_release", "sys_fence"}));
    if (threads == "2" && signal != "immediate" && d.chance(30))
      add("qps", "1"), add("sharing", d.one_of({"lock", "handoff"}));
    else if (d.chance(40)) add("qps", threads == "1" ? "3" : "6");
  } else if (path == "cpu_post") {
    // Data in GPU memory and receives' CQEs in host memory have no order between them.
    add("gdr", signal == "immediate" ? d.one_of({"read", "none"}) : d.one_of({"both", "read", "write", "none"}));
  }
  add("iterations", d.one_of({"1", "3", "8"}));
  add("warmup", d.one_of({"0", "2"}));
  if (d.chance(20)) add("nic.mtu", d.one_of({"256 B", "1 KiB"}));
  if (d.chance(20)) add("nic.fetches_outstanding", d.one_of({"1", "2"}));
  if (d.chance(10)) add("node1.gpu0.poll_loop", "50000 cycles");
  return sets;
}

std::string text(const Sets& sets) {
  std::string all;
  for (const auto& set : sets) all += set.key + "=" + set.value + " ";
  return all;
}

TEST_CASE("patterns: whatever the work, each operation is one request and ends once") {
  Draw draw(2027, "patterns");
  for (int round = 0; round < 150; ++round) {
    const Sets sets = any_pattern(draw, draw.one_of({"get", "atomic", "put_signal", "quiet", "put_bw"}));
    CAPTURE(text(sets));
    const char* system = all_systems[draw.random.below(std::size(all_systems))];
    const schema::Scenario s = scenario(sets, system);
    const report::Finished f = simulate(s);
    REQUIRE(f.status == Status::done);
    CHECK(report::imbalances(f).empty());
    const std::int64_t operations = (s.warmup + s.iterations) * s.threads;
    const auto signal = schema::signal(s);
    const bool two = signal && *signal != Signal::immediate;
    CHECK(sum(f, "wqes") == operations * (two ? 2 : 1));
    CHECK(sum(f, "atomics") >= (signal == Signal::atomic || is_atomic(schema::verb(s)) ? operations : 0));
    if (!is_atomic(schema::verb(s)))
      CHECK(sum(f, "payload_sent") == operations * (s.bytes.count() + (signal == Signal::flag ? 8 : 0)));
    CHECK(sum(f, "stale") == 0);
    CHECK(record(f, Quantity::issue).n == s.iterations * s.threads);
    if (schema::verb(s) == Verb::get && !is_stream(s.pattern)) CHECK(total(f.delivery_path) < total(f.completion_path));
  }
}

TEST_CASE("signals: never seen before their data, in 200 histories with losses") {
  Draw draw(2028, "signals");
  std::int64_t resent = 0;
  for (int round = 0; round < 200; ++round) {
    Sets sets = any_pattern(draw, "put_signal");
    sets.push_back({"link.loss", draw.one_of({"0.01", "0.05", "0.1"})});
    sets.push_back({"nic.ack_timeout", "5"});
    sets.push_back({"seed", std::to_string(round)});
    CAPTURE(text(sets));
    const report::Finished f = run(sets);
    CAPTURE(f.diagnosis ? f.diagnosis->what : "");
    REQUIRE(f.status == Status::done);  // an early signal would be an ordering_violation
    CHECK(report::imbalances(f).empty());
    resent += sum(f, "resent");
  }
  CHECK(resent > 200);
}

}  // namespace
}  // namespace gicsim
