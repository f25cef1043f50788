// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The paths that a CPU takes part in, and the probes of what a GPU does for them.
#include <algorithm>

#include "scenarios/report/json.h"
#include "scenarios/report/sums.h"
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

/// "call 254000 doorbell_flight 301794 ...", in picoseconds.
const report::Row* find(const report::Rows& rows, const std::string& stage) {
  for (const report::Row& row : rows)
    if (row.stage == stage) return &row;
  return nullptr;
}

const std::string there =
    "nic_tx 300000 serialise 2000 propagate 82000 switch 130000 serialise 2000 propagate 82000 nic_rx 300000 ";
const std::string back =
    "nic_ack 150000 serialise 1200 propagate 82000 switch 130000 serialise 1200 propagate 82000 nic_ack 340000 ";

TEST_CASE("cpu_post: the ledger of a put between GPU memories, and between hosts") {
  const report::Finished gpu = run({{"path", "cpu_post"}});
  // post: 400 cycles at 2.5 GHz and two misses; CQE seen: 50 ns and half of 40 cycles; 208 cycles and a miss
  const std::string post = "call 254000 doorbell_flight 301794 nic_doorbell 150000 wqe_decode 100000 ";
  CHECK(in_words(gpu.completion_path) ==
        post + "payload_read 609654 " + there + back + "cqe_write 301794 poll 58000 sync 130200");
  CHECK(in_words(gpu.delivery_path) == post + "payload_read 609654 " + there + "remote_write 250016 poll 172589");
  const report::Finished host = run({{"path", "cpu_post"}, {"gdr", "none"}});
  CHECK(in_words(host.completion_path) == post + there + back + "cqe_write 301794 poll 58000 sync 130200");
  CHECK(in_words(host.delivery_path) == post + there + "remote_write 300016 poll 58000");
}

TEST_CASE("cpu_doorbell: the ledger of a put") {
  const report::Finished f = run({{"path", "cpu_doorbell"}});
  // ring: 290 cycles at 2.5 GHz and a miss
  const std::string post =
      "build_wqe 185789 fence 510034 call 2031 proxy_pickup 358016 proxy_work 163000 doorbell_flight 300461 "
      "nic_doorbell 150000 wqe_read 611444 wqe_decode 100000 ";
  CHECK(in_words(f.completion_path) == post + there + back + "cqe_write 251794 poll 172589 sync 78173");
  CHECK(in_words(f.delivery_path) == post + there + "remote_write 250016 poll 172589");
}

TEST_CASE("host_staged: the ledger of a put, three hops") {
  const report::Finished f = run({{"path", "host_staged"}, {"payload", "read"}});
  // copy's call: 6,800 cycles; commands are asked for behind the doorbell's Ack, 127 ps; 360 ns of start, the write,
  // 520 ns of flush; release 60 ns; seen: 50 ns, half of 100 cycles, and 1,770 cycles to return
  const std::string down =
      "call 2720000 doorbell_flight 300016 launch 701750 copy 1180016 sync 60000 response_write 300270 sync 778000 ";
  const std::string post =
      "call 254000 doorbell_flight 301794 nic_doorbell 150000 wqe_decode 100000 payload_read 699677 ";
  CHECK(in_words(f.completion_path) == down + post + there + back + "cqe_write 301794 poll 58000 sync 130200");
  CHECK(in_words(f.delivery_path) == down + post + there +
                                     "remote_write 300016 poll 58000 call 2720000 doorbell_flight 300016 launch 701750 "
                                     "copy 1059677 poll 172589");
}

TEST_CASE("stream_triggered: the ledger of a put") {
  const report::Finished f = run({{"path", "stream_triggered"}});
  // two writes of 60 ns with a barrier of 1,840 ns between them; half of 2,280 ns until the value is looked at
  const std::string post =
      "doorbell_issue 1960000 doorbell_flight 250016 nic_doorbell 150000 wqe_read 701623 wqe_decode 100000 "
      "payload_read 609654 ";
  CHECK(in_words(f.completion_path) == post + there + back + "cqe_write 301794 poll 1840184");
  CHECK(in_words(f.delivery_path) == post + there + "remote_write 250016 poll 1140000");
}

TEST_CASE("probes: the ledgers of a launch and of a copy either way") {
  const std::string rung = "doorbell_flight 300016 launch ";
  const std::string told = " sync 60000 response_write 300270 sync 778000";
  const report::Finished launch = run({{"path", "none"}, {"pattern", "launch"}});
  CHECK(in_words(launch.ledger) ==
        "call 5628000 " + rung + "1141750 compute 2031 sync 1240000 response_write 300270 sync 778000");
  const report::Finished up = run({{"path", "none"}, {"pattern", "copy_engine"}});
  CHECK(in_words(up.ledger) == "call 2720000 " + rung + "701750 copy 1180016" + told);
  CHECK(in_words(up.delivery_path) == "call 2720000 " + rung + "701750 copy 660016 poll 70000");
  const report::Finished down = run({{"path", "none"}, {"pattern", "copy_engine"}, {"direction", "h2d"}});
  CHECK(in_words(down.ledger) == "call 2720000 " + rung + "701750 copy 1579677" + told);
  CHECK(in_words(down.delivery_path) == "call 2720000 " + rung + "701750 copy 1059677 poll 172589");
}

TEST_CASE("probes: one copy each way, the second call right behind the first; the ledger is the longer wait's") {
  // each call 6,800 cycles
  const report::Finished f = run({{"path", "none"}, {"pattern", "copy_engine"}, {"direction", "both"}});
  CHECK(in_words(f.ledger) ==
        "call 5440000 doorbell_flight 300016 launch 701750 copy 1579677 sync 60000 response_write 300270 sync 778000");
  CHECK(value(f, Quantity::issue) == 5440ns);
  CHECK(record(f, Quantity::bandwidth).value == doctest::Approx(16 / 9159.713));
  CHECK(std::none_of(f.results.begin(), f.results.end(),
                     [](const Record& r) { return r.quantity == Quantity::visible; }));
  CHECK(report::imbalances(f).empty());
}

TEST_CASE("cpu_post: each half of gdr moves one access from host to GPU memory, and nothing else") {
  const auto passes = [](const char* gdr, const char* stage, bool delivery, const char* module) {
    const report::Finished f = run({{"path", "cpu_post"}, {"gdr", gdr}, {"payload", "read"}, {"receiver", "cpu"}});
    const report::Row* row = find(delivery ? f.delivery_path : f.completion_path, stage);
    REQUIRE(row);
    return std::any_of(row->hops.begin(), row->hops.end(), [&](const report::Hop& hop) { return hop.at == module; });
  };
  for (const char* gdr : {"both", "read", "write", "none"}) {
    const bool reads = gdr == std::string("both") || gdr == std::string("read");
    const bool writes = gdr == std::string("both") || gdr == std::string("write");
    CHECK(passes(gdr, "payload_read", false, "node0.gpu0_port") == reads);
    CHECK(passes(gdr, "payload_read", false, "node0.host_port") == !reads);
    CHECK(passes(gdr, "remote_write", true, "node1.root") == !writes);
  }
}

TEST_CASE("cpu_post: a CPU sees GPU memory by reads of its window, a GPU thread by its cache") {
  const Sets base{{"path", "cpu_post"}, {"gdr", "both"}};
  const report::Finished cpu = run(with(base, {{"receiver", "cpu"}})), gpu = run(base);
  CHECK(find(cpu.delivery_path, "poll")->time > find(gpu.delivery_path, "poll")->time + 500ns);
  CHECK(value(cpu, Quantity::put_completion) == value(gpu, Quantity::put_completion));
}

TEST_CASE("cpu_doorbell: a hand-over to the CPU more than gpu_direct, less its record and doorbell") {
  for (const char* queues : {"gpu", "host"})
    CHECK(value(run({{"path", "cpu_doorbell"}, {"queues", queues}}), Quantity::put_completion) >
          value(run({{"queues", queues}}), Quantity::put_completion) + 400ns);
  const Stages direct = stages(run({}).completion_path), rung = stages(run({{"path", "cpu_doorbell"}}).completion_path);
  for (const char* same : {"build_wqe", "fence", "wqe_read", "nic_tx", "cqe_write", "poll", "sync"})
    CHECK(direct.at(same).first == rung.at(same).first);
}

TEST_CASE("host_staged: two copies and a put between hosts; pageable memory takes a core's copy at each end") {
  const Sets base{{"path", "host_staged"}, {"bytes", "64 KiB"}};
  const report::Finished pinned = run(base), pageable = run(with(base, {{"staging", "pageable"}}));
  CHECK(stages(pinned.delivery_path).at("copy").first > 2 * 1137ns);  // 64 KiB at what PCIe carries, twice
  const Picoseconds copied = 65'536_B / 84_Gbps;
  CHECK(value(pageable, Quantity::one_way) >= value(pinned, Quantity::one_way) + 2 * copied);
  CHECK(value(pageable, Quantity::put_completion) >= value(pinned, Quantity::put_completion) + copied);
}

TEST_CASE("stream_triggered: the CPU is ahead, its calls aren't in the way; rates are bound by the barriers") {
  const Sets base{{"path", "stream_triggered"}};
  const report::Finished slow = run(with(base, {{"runtime.memory_operation", "9000 cycles"}}));
  CHECK(value(slow, Quantity::put_completion) == value(run(base), Quantity::put_completion));
  const auto rate = [&](const Sets& more) {
    const Sets stream = with(base, {{"pattern", "put_bw"}, {"iterations", "200"}});
    return record(run(with(stream, more)), Quantity::message_rate).value;
  };
  CHECK(rate({{"gpu.front_end.write_flush", "920 ns"}}) > 1.5 * rate({}));
  CHECK(rate({{"runtime.memory_operation", "90000 cycles"}}) < 0.03);  // then the CPU is behind
}

TEST_CASE("probes: rows add up, and what is seen is seen before the caller knows") {
  for (const Sets& sets : {Sets{{"pattern", "launch"}}, Sets{{"pattern", "copy_engine"}},
                           Sets{{"pattern", "copy_engine"}, {"direction", "h2d"}, {"bytes", "100000 B"}},
                           Sets{{"pattern", "copy_engine"}, {"staging", "pageable"}, {"bytes", "100000 B"}},
                           Sets{{"pattern", "copy_engine"}, {"direction", "h2d"}, {"staging", "pageable"}}})
    for (const char* system : both_systems) {
      const report::Finished f = run(with(sets, {{"path", "none"}}), system);
      CAPTURE(report::json(f));
      REQUIRE(f.status == Status::done);
      CHECK(report::imbalances(f).empty());
      CHECK(f.headline == Quantity::synced);
      CHECK(total(f.ledger) == value(f, Quantity::synced));
      CHECK(total(f.delivery_path) == value(f, Quantity::visible));
      CHECK(value(f, Quantity::visible) < value(f, Quantity::synced));
      CHECK(report::json(f) == report::json(run(with(sets, {{"path", "none"}}), system)));
    }
}

TEST_CASE("probes: a large copy runs at what the link carries, either way, or else its engine") {
  for (const char* direction : {"d2h", "h2d"}) {
    const auto rate = [&](const char* engine) {
      return record(run({{"pattern", "copy_engine"}, {"path", "none"}, {"direction", direction}, {"bytes", "64 MiB"},
                         {"iterations", "2"}, {"warmup", "0"}, {"gpu.copy_engine.rate", engine}}),
                    Quantity::bandwidth).value;
    };
    CHECK(rate("4000 Gbps") == doctest::Approx(63.015 * 256 / 280).epsilon(0.015));
    CHECK(rate("200 Gbps") == doctest::Approx(25).epsilon(0.015));
  }
}

TEST_CASE("probes: copies both ways share the lanes to the host: data one way, requests and Acks of the other") {
  const auto sum = [](const Sets& more) {
    return record(run(with({{"pattern", "copy_engine"}, {"path", "none"}, {"direction", "both"}, {"bytes", "16 MiB"},
                            {"iterations", "1"}, {"warmup", "0"}}, more)), Quantity::bandwidth).value;
  };
  const double both = sum({});
  CHECK(both < 2 * 63.015 * 256 / (280 + 24 + 8));
  CHECK(both > 0.85 * 2 * 63.015 * 256 / (280 + 24 + 8));  // one engine's requests wait behind the other's writes
  CHECK(sum({{"pcie.ack", "0 B"}}) > 1.01 * both);
  CHECK(sum({{"gpu.port.mrrs", "4 KiB"}}) > 1.05 * both);
}

TEST_CASE("lazy_init: the first message pays, whichever the path; a warm-up hides it") {
  for (const char* path : {"gpu_direct", "cpu_proxy", "cpu_post", "cpu_doorbell", "host_staged", "stream_triggered"}) {
    CAPTURE(std::string(path));
    const Sets base{{"path", path}, {"iterations", "3"}, {"bytes", "1 MiB"}};
    const auto slowest = [&](const Sets& more) {
      return Picoseconds{std::llround(*record(run(with(base, more)), Quantity::put_completion).max * 1000)};
    };
    const Picoseconds setup = 500us + 84us + 50us;
    CHECK(slowest({{"lazy_init", "on"}, {"warmup", "0"}}) >= setup);
    CHECK(slowest({{"lazy_init", "on"}, {"warmup", "1"}}) < setup);
    CHECK(slowest({{"warmup", "0"}}) < setup);
  }
  const report::Finished first = run({{"lazy_init", "on"}, {"warmup", "0"}, {"iterations", "1"}});
  REQUIRE(find(first.ledger, "lazy_init"));
  CHECK(find(first.ledger, "lazy_init")->time == 634us);
}

TEST_CASE("shares: who works and who waits, a path each") {
  const auto near = [](const Sets& sets) {
    const report::Finished f = run(with(sets, {{"iterations", "50"}}));
    REQUIRE(!f.shares.empty());
    CHECK(f.shares.front().node == "node0");
    return f.shares.front();
  };
  const report::Share direct = near({});
  CHECK(direct.cores == 0);
  CHECK(direct.gpu_threads == 1);
  CHECK(direct.gpu_issuing + direct.gpu_waiting == doctest::Approx(1).epsilon(0.01));
  const report::Share post = near({{"path", "cpu_post"}});
  CHECK(post.cores == 1);
  CHECK(post.gpu_threads == 0);
  CHECK(post.core_busy == doctest::Approx(384.2 / 3589.842).epsilon(0.01));  // post and completion of the whole
  const report::Share proxy = near({{"path", "cpu_proxy"}});
  CHECK(proxy.cores == 1);
  CHECK(proxy.gpu_threads == 1);
  CHECK(proxy.gpu_waiting > 0.9);
  const report::Share stream = near({{"path", "stream_triggered"}});
  CHECK(stream.gpu_threads == 0);
  CHECK(stream.core_busy > 0);
}

}  // namespace
}  // namespace gicsim
