// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// A run's packets, exported, drive a NIC by itself to the same packets: the NIC sends by what arrives, whatever it takes.
#include <doctest/doctest.h>

#include "tests/traces/export/pcap_runs.h"
#include "validate/captures/replay.h"

namespace gicsim::captures {
namespace {

struct Sum {
  std::uint64_t compared = 0, sides = 0, coalesced = 0, expired = 0;
};

Sum replayed(const std::string& name, const exports::Sets& sets, bool infiniband) {
  const Folder folder;
  const std::string file = folder.write("p.pcapng", exports::pcap_run(name, sets, infiniband).file);
  Sum sum;
  for (const Verdict& v : check(file, {}, {}, nic::TransportParams{})) {
    CAPTURE(v.flow);
    if (!v.not_replayed.empty()) {
      CHECK(v.not_replayed == "nobody answers datagrams");
      continue;
    }
    CHECK_MESSAGE(v.good(), (v.difference ? v.difference->captured + " / " + v.difference->model : ""));
    CHECK(v.skipped + v.lost == 0);
    sum.compared += v.compared, ++sum.sides, sum.coalesced += v.coalesced, sum.expired += v.expired;
  }
  return sum;
}

TEST_CASE("exported: every packet of a run is sent again, by requesters and by responders") {
  const exports::Sets few = {{"iterations", "5"}};
  for (const bool infiniband : {false, true})
    for (const char* name : {"put_8B", "put_64KiB", "put_signal_8B", "get_64KiB", "atomic_8B", "send_8B", "send_8B_ud",
                             "put_signal_immediate", "ping_pong_8B", "message_rate_64_threads"}) {
      CAPTURE(name);
      CAPTURE(infiniband);
      const Sum sum = replayed(name, few, infiniband);
      CHECK(sum.sides > 0);
      CHECK(sum.compared > 0);
    }
}

TEST_CASE("exported: a lossy run's packets, resends by NAK and by timer among them") {
  const Sum sum = replayed("put_bw_lossy_1percent", {{"iterations", "60"}, {"warmup", "5"}}, false);
  CHECK(sum.sides == 2);
  CHECK(sum.compared > 65 * 16);
  CHECK(replayed("put_bw_lossy_roce", {{"iterations", "4"}, {"warmup", "1"}}, false).sides == 2);  // of 256 packets each
}

}  // namespace
}  // namespace gicsim::captures
