// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Counters of ports and queue pairs: whoever posts, whatever gets lost, the sums agree.
#include <algorithm>
#include <set>

#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

using Values = std::map<std::string, std::int64_t>;
using Modules = std::map<std::string, Values>;

Modules by_module(const std::vector<report::Counter>& counters) {
  Modules all;
  for (const report::Counter& one : counters) all[one.module][one.name] = one.value;
  return all;
}
bool is_port(const std::string& module) { return module.find(".qp") == std::string::npos; }

/// Of every run, whatever its end.
void check_sums(const report::Finished& f) {
  const Modules ports = by_module(f.ports), modules = by_module(f.counters);
  Values sent_by_all;
  for (const auto& [port, values] : ports) {
    if (!is_port(port)) continue;
    CAPTURE(port);
    Values sums;
    int queue_pairs = 0;
    for (const auto& [module, own] : ports) {
      if (!module.starts_with(port + ".qp")) continue;
      ++queue_pairs;
      CHECK(own.at("fetched") <= own.at("posted"));
      CHECK(own.at("req_cqe_flush_error") <= own.at("req_cqe_error"));
      for (const auto& [name, value] : own) sums[name] += value;
    }
    for (const auto& [name, value] : sums) {
      CAPTURE(name);
      CHECK(values.at(name) == value);
    }
    if (queue_pairs == 0) continue;
    const Values& nic = modules.at(port);
    CHECK(sums.at("wqes") == nic.at("wqes"));
    CHECK(sums.at("retransmitted") == nic.at("resent"));
    CHECK(sums.at("local_ack_timeout_err") == nic.at("timeouts"));
    CHECK(sums.at("naks_sent") == nic.at("naks_sent"));
    CHECK(sums.at("req_cqe_error") == nic.at("failed"));
    CHECK(values.at("port_xmit_packets") + values.at("port_xmit_discards") ==
          sums.at("packets_sent") + sums.at("acks_sent") + sums.at("naks_sent"));
    for (const char* name : {"packets_sent", "acks_sent", "naks_sent"}) sent_by_all["sent"] += sums.at(name);
    sent_by_all["xmit"] += values.at("port_xmit_packets");
    sent_by_all["discards"] += values.at("port_xmit_discards");
    sent_by_all["rcv"] += values.at("port_rcv_packets");
  }
  std::int64_t lost = 0;
  for (const auto& [module, values] : modules)
    if (const auto found = values.find("lost"); found != values.end()) lost += found->second;
  CHECK(sent_by_all["sent"] == sent_by_all["rcv"] + lost);
}

TEST_CASE("counters: each path's queue pairs count, and their sums are their port's") {
  for (const char* path : {"gpu_direct", "cpu_proxy", "cpu_post", "cpu_doorbell", "host_staged", "stream_triggered"}) {
    CAPTURE(path);
    const report::Finished f = run({{"path", path}});
    CHECK(f.status == Status::done);
    check_sums(f);
    const Values pair = by_module(f.ports).at("node0.nic0.qp1");
    CHECK(pair.at("posted") >= 30);
    CHECK(pair.at("fetched") == pair.at("posted"));
    CHECK(pair.at("wqes") == 30);
    CHECK(pair.at("retransmitted") == 0);
    CHECK(by_module(f.ports).at("node1.nic0.qp1").at("rx_write_requests") == 30);
  }
}

TEST_CASE("counters: every pattern and every loss") {
  const Sets lossy{{"link.loss", "0.02"}, {"nic.ack_timeout", "4"}};
  for (const Sets& more : {Sets{}, Sets{{"pattern", "get"}, {"bytes", "64 KiB"}}, Sets{{"pattern", "atomic"}},
                           Sets{{"pattern", "put_signal"}, {"signal", "immediate"}, {"bytes", "16 KiB"}},
                           Sets{{"pattern", "put_bw"}, {"bytes", "64 KiB"}, {"threads", "4"}},
                           Sets{{"pattern", "ping_pong"}}, Sets{{"pattern", "quiet"}, {"qps", "4"}}}) {
    Sets sets = lossy;
    sets.insert(sets.end(), more.begin(), more.end());
    CAPTURE(sets.back().value);
    const report::Finished f = run(sets);
    CHECK(f.status == Status::done);
    check_sums(f);
  }
}

TEST_CASE("counters: a queue pair that fails is told from those of the far side") {
  const report::Finished f = run({{"link.loss", "1"}, {"nic.ack_timeout", "2"}, {"iterations", "3"}, {"warmup", "0"}});
  CHECK(f.status == Status::error_completion);
  check_sums(f);
  const Values pair = by_module(f.ports).at("node0.nic0.qp1");
  CHECK(pair.at("local_ack_timeout_err") == 8);
  CHECK(pair.at("retransmitted") == 7);
  CHECK(pair.at("req_transport_retries_exceeded") == 1);
  CHECK(pair.at("req_cqe_error") == 1);
  CHECK(by_module(f.ports).at("node1.nic0.qp1").at("packets_received") == 0);
}

TEST_CASE("counters: words and packets of a put and its ACK, by InfiniBand's rule") {
  const report::Finished f = run({{"warmup", "0"}, {"iterations", "10"}});
  const Values near = by_module(f.ports).at("node0.nic0");
  CHECK(near.at("port_xmit_packets") == 10);
  CHECK(near.at("port_xmit_data") == 10 * (50 - 2) / 4);
  CHECK(near.at("port_rcv_packets") == 10);
  CHECK(near.at("port_rcv_data") == 10 * (30 - 2) / 4);
  CHECK(near.at("port_xmit_wait") == 0);
  for (const char* absent : {"symbol_error", "port_rcv_errors", "link_error_recovery", "np_cnp_sent", "roce_adp_retrans"})
    CHECK(near.count(absent) == 0);
}

TEST_CASE("counters: congestion notifications under mlx5's names, where there are any, and waits for a paused fabric") {
  const report::Finished f = simulate(
      schema::load_scenario("incast_16_dcqcn", {{"senders", "4"}, {"iterations", "40"}, {"warmup", "4"}}, source_root()));
  Values all;
  for (const auto& [port, values] : by_module(f.ports))
    if (is_port(port))
      for (const char* name : {"np_cnp_sent", "rp_cnp_handled", "np_ecn_marked_roce_packets", "port_xmit_wait"})
        all[name] += values.at(name);
  CHECK(all["np_cnp_sent"] > 0);
  CHECK(all["rp_cnp_handled"] <= all["np_cnp_sent"]);
  CHECK(all["np_cnp_sent"] <= all["np_ecn_marked_roce_packets"]);
  CHECK(all["port_xmit_wait"] > 0);
}

TEST_CASE("counters: a full receiver's sender waits, in ticks") {
  const report::Finished f = run({{"pattern", "put_bw"}, {"bytes", "1 MiB"}, {"relaxed_ordering", "off"},
                                  {"gpu.write_commit", "2 us"}, {"gpu.write_commit_relaxed", "2 us"},
                                  {"link.tick", "100 ns"}});
  check_sums(f);
  std::int64_t waits = 0;
  for (const auto& [port, values] : by_module(f.ports))
    if (is_port(port)) waits += values.at("port_xmit_wait");
  const Values down = by_module(f.counters).at("node1_nic0_link_down");
  CHECK(down.at("paused") > 0);
  CHECK(down.at("xmit_wait") > 0);
  CHECK(down.at("xmit_wait") <= down.at("paused") / 100'000);
  CHECK(waits == 0);  // the switch's port stands still, not the sending NIC's
}

TEST_CASE("counters: with a code and a retry there are those of the link") {
  const report::Finished f = run({{"pattern", "put_bw"}, {"bytes", "1 MiB"}, {"link.fec.code", "rs544_514"},
                                  {"link.fec.raw_ber", "1e-3"}, {"link.retry.on", "true"}});
  CHECK(f.status == Status::done);
  check_sums(f);
  const Modules ports = by_module(f.ports);
  CHECK(ports.at("node0.nic0").at("link_error_recovery") == 0);
  std::int64_t symbols = 0, retries = 0, resent = 0;
  for (const auto& [port, values] : ports)
    if (is_port(port) && port < "node2") {
      symbols += values.at("symbol_error"), retries += values.at("plr_xmit_retry_events");
      resent += values.at("retransmitted");
    }
  CHECK(symbols > 0);
  CHECK(retries > 0);
  CHECK(resent == 0);
}

}  // namespace
}  // namespace gicsim
