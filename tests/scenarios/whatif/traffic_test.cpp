// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Every TLP and packet of one put. What travels is what hardware sends, not what a figure needs:
// a line here changes only with the path itself.
#include <sstream>

#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

/// A line a link: what it carries, in order of sending. Which link is first depends on times, and
/// those belong to the ledger.
std::string traffic(const Sets& sets, const char* system = "h200_cx7_ib") {
  std::map<std::string, std::string> links;
  for (const std::string& line : whatif::traffic(scenario(sets, system))) {
    const auto space = line.find(' ');
    std::string& link = links[line.substr(0, space)];
    link += (link.empty() ? "" : ", ") + line.substr(space + 1, line.find(" at ") - space - 1);
  }
  std::string text;
  for (const auto& [link, carried] : links) text += link + ": " + carried + "\n";
  return text;
}

TEST_CASE("traffic: an inline put, rings in GPU memory") {
  CHECK(traffic({}) ==
        "node0.gpu0_pcie_down: MRd 64 B, MWr 64 B\n"  // for the WQE; CQE
        "node0.gpu0_pcie_up: MWr 8 B, CplD 64 B\n"    // doorbell; WQE
        "node0.nic0_pcie_down: MWr 8 B, CplD 64 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MWr 64 B\n"
        "node0_nic0_link_down: ACK 0 B\n"
        "node0_nic0_link_up: RDMA WRITE 8 B\n"
        "node1.gpu0_pcie_down: MWr 8 B\n"             // the data
        "node1.nic0_pcie_up: MWr 8 B\n"
        "node1_nic0_link_down: RDMA WRITE 8 B\n"
        "node1_nic0_link_up: ACK 0 B\n");
}

TEST_CASE("traffic: payload that the NIC reads costs a request and a completion more") {
  CHECK(traffic({{"payload", "read"}}) ==
        "node0.gpu0_pcie_down: MRd 64 B, MRd 8 B, MWr 64 B\n"
        "node0.gpu0_pcie_up: MWr 8 B, CplD 64 B, CplD 8 B\n"
        "node0.nic0_pcie_down: MWr 8 B, CplD 64 B, CplD 8 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MRd 8 B, MWr 64 B\n"
        "node0_nic0_link_down: ACK 0 B\n"
        "node0_nic0_link_up: RDMA WRITE 8 B\n"
        "node1.gpu0_pcie_down: MWr 8 B\n"
        "node1.nic0_pcie_up: MWr 8 B\n"
        "node1_nic0_link_down: RDMA WRITE 8 B\n"
        "node1_nic0_link_up: ACK 0 B\n");
}

TEST_CASE("traffic: with rings in host memory WQE, record and CQE go through the switch's uplink") {
  CHECK(traffic({{"queues", "host"}}) ==
        "node0.gpu0_pcie_down: CplD 8 B\n"                      // first poll of the completion queue
        "node0.gpu0_pcie_up: MWr 48 B, MWr 4 B, MWr 8 B, MRd 8 B\n"  // WQE, record, doorbell, poll
        "node0.nic0_pcie_down: MWr 8 B, CplD 64 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MWr 64 B\n"
        "node0.switch0_pcie_down: CplD 8 B, CplD 64 B\n"
        "node0.switch0_pcie_up: MWr 48 B, MWr 4 B, MRd 8 B, MRd 64 B, MWr 64 B\n"
        "node0_nic0_link_down: ACK 0 B\n"
        "node0_nic0_link_up: RDMA WRITE 8 B\n"
        "node1.gpu0_pcie_down: MWr 8 B\n"
        "node1.nic0_pcie_up: MWr 8 B\n"
        "node1_nic0_link_down: RDMA WRITE 8 B\n"
        "node1_nic0_link_up: ACK 0 B\n");
}

TEST_CASE("traffic: a tuned proxy takes one store, one push, one CQE, one counter") {
  CHECK(traffic({{"path", "cpu_proxy"}}) ==
        "node0.gpu0_pcie_down: MWr 8 B\n"               // counter
        "node0.gpu0_pcie_up: MWr 16 B\n"                // request
        "node0.nic0_pcie_down: MWr 64 B\n"              // WQE with its doorbell
        "node0.nic0_pcie_up: MWr 64 B\n"                // CQE
        "node0.switch0_pcie_down: MWr 64 B, MWr 8 B\n"
        "node0.switch0_pcie_up: MWr 16 B, MWr 64 B\n"
        "node0_nic0_link_down: ACK 0 B\n"
        "node0_nic0_link_up: RDMA WRITE 8 B\n"
        "node1.gpu0_pcie_down: MWr 8 B\n"
        "node1.nic0_pcie_up: MWr 8 B\n"
        "node1_nic0_link_down: RDMA WRITE 8 B\n"
        "node1_nic0_link_up: ACK 0 B\n");
}

TEST_CASE("traffic: a CPU post pushes the WQE and polls its own memory; only the payload is read from the GPU") {
  CHECK(traffic({{"path", "cpu_post"}}) ==
        "node0.gpu0_pcie_down: MRd 8 B\n"
        "node0.gpu0_pcie_up: CplD 8 B\n"
        "node0.nic0_pcie_down: MWr 64 B, CplD 8 B\n"  // WQE with its doorbell; payload
        "node0.nic0_pcie_up: MRd 8 B, MWr 64 B\n"
        "node0.switch0_pcie_down: MWr 64 B\n"
        "node0.switch0_pcie_up: MWr 64 B\n"  // CQE
        "node0_nic0_link_down: ACK 0 B\n"
        "node0_nic0_link_up: RDMA WRITE 8 B\n"
        "node1.gpu0_pcie_down: MWr 8 B\n"
        "node1.nic0_pcie_up: MWr 8 B\n"
        "node1_nic0_link_down: RDMA WRITE 8 B\n"
        "node1_nic0_link_up: ACK 0 B\n");
}

TEST_CASE("traffic: a CPU post between hosts touches no GPU") {
  CHECK(traffic({{"path", "cpu_post"}, {"gdr", "none"}}) ==
        "node0.nic0_pcie_down: MWr 64 B\n"
        "node0.nic0_pcie_up: MWr 64 B\n"
        "node0.switch0_pcie_down: MWr 64 B\n"
        "node0.switch0_pcie_up: MWr 64 B\n"
        "node0_nic0_link_down: ACK 0 B\n"
        "node0_nic0_link_up: RDMA WRITE 8 B\n"
        "node1.nic0_pcie_up: MWr 8 B\n"
        "node1.switch0_pcie_up: MWr 8 B\n"
        "node1_nic0_link_down: RDMA WRITE 8 B\n"
        "node1_nic0_link_up: ACK 0 B\n");
}

TEST_CASE("traffic: a rung doorbell: index up, record and doorbell down") {
  CHECK(traffic({{"path", "cpu_doorbell"}}) ==
        "node0.gpu0_pcie_down: MWr 4 B, MRd 64 B, MWr 64 B\n"  // record; for the WQE; CQE
        "node0.gpu0_pcie_up: MWr 8 B, CplD 64 B\n"  // published index; WQE
        "node0.nic0_pcie_down: MWr 8 B, CplD 64 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MWr 64 B\n"
        "node0.switch0_pcie_down: MWr 4 B, MWr 8 B\n"
        "node0.switch0_pcie_up: MWr 8 B\n"
        "node0_nic0_link_down: ACK 0 B\n"
        "node0_nic0_link_up: RDMA WRITE 8 B\n"
        "node1.gpu0_pcie_down: MWr 8 B\n"
        "node1.nic0_pcie_up: MWr 8 B\n"
        "node1_nic0_link_down: RDMA WRITE 8 B\n"
        "node1_nic0_link_up: ACK 0 B\n");
}

TEST_CASE("traffic: a stream's put: record, doorbell and first look at the CQ, while the CPU prepares the next one") {
  CHECK(traffic({{"path", "stream_triggered"}, {"runtime.ahead", "1"}}) ==
        "node0.gpu0_pcie_down: MWr 8 B, CplD 64 B, CplD 8 B, MRd 8 B\n"
        "node0.gpu0_pcie_up: MWr 4 B, MRd 64 B, MWr 8 B, MRd 8 B, CplD 8 B\n"
        "node0.nic0_pcie_down: MWr 8 B, CplD 64 B, CplD 8 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MRd 8 B, MWr 64 B\n"
        "node0.switch0_pcie_down: MWr 8 B, CplD 64 B, CplD 8 B, CplD 64 B\n"
        "node0.switch0_pcie_up: MWr 4 B, MRd 64 B, MRd 8 B, MRd 64 B, MWr 64 B\n"
        "node0_nic0_link_down: ACK 0 B\n"
        "node0_nic0_link_up: RDMA WRITE 8 B\n"
        "node1.gpu0_pcie_down: MWr 8 B\n"
        "node1.nic0_pcie_up: MWr 8 B\n"
        "node1_nic0_link_down: RDMA WRITE 8 B\n"
        "node1_nic0_link_up: ACK 0 B\n");
}

TEST_CASE("traffic: a launch: doorbell, one fetch of commands, the kernel's store, the release") {
  CHECK(traffic({{"path", "none"}, {"pattern", "launch"}}) ==
        "node0.gpu0_pcie_down: MWr 8 B, CplD 64 B\n"
        "node0.gpu0_pcie_up: MRd 64 B, MWr 8 B, MWr 16 B\n"
        "node0.switch0_pcie_down: MWr 8 B, CplD 64 B\n"
        "node0.switch0_pcie_up: MRd 64 B, MWr 8 B, MWr 16 B\n");
}

TEST_CASE("traffic: a copy down the link is cut by MPS like any write, the release follows it") {
  CHECK(traffic({{"path", "none"}, {"pattern", "copy_engine"}, {"bytes", "600 B"}}) ==
        "node0.gpu0_pcie_down: MWr 8 B, CplD 64 B\n"
        "node0.gpu0_pcie_up: MRd 64 B, MWr 256 B, MWr 256 B, MWr 88 B, MWr 16 B\n"
        "node0.switch0_pcie_down: MWr 8 B, CplD 64 B\n"
        "node0.switch0_pcie_up: MRd 64 B, MWr 256 B, MWr 256 B, MWr 88 B, MWr 16 B\n");
}

TEST_CASE("traffic: a get asks with a packet, the far NIC reads, the data go home before the CQE") {
  CHECK(traffic({{"pattern", "get"}}) ==
        "node0.gpu0_pcie_down: MRd 64 B, MWr 8 B, MWr 64 B\n"
        "node0.gpu0_pcie_up: MWr 8 B, CplD 64 B\n"
        "node0.nic0_pcie_down: MWr 8 B, CplD 64 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MWr 8 B, MWr 64 B\n"
        "node0_nic0_link_down: RDMA READ RESPONSE 8 B\n"
        "node0_nic0_link_up: RDMA READ REQUEST 0 B\n"
        "node1.gpu0_pcie_down: MRd 8 B\n"
        "node1.gpu0_pcie_up: CplD 8 B\n"
        "node1.nic0_pcie_down: CplD 8 B\n"
        "node1.nic0_pcie_up: MRd 8 B\n"
        "node1_nic0_link_down: RDMA READ REQUEST 0 B\n"
        "node1_nic0_link_up: RDMA READ RESPONSE 8 B\n");
}

TEST_CASE("traffic: of a CPU's get each half of gdr moves its own NIC's access") {
  const std::string from_gpu = traffic({{"pattern", "get"}, {"path", "cpu_post"}, {"gdr", "read"}});
  CHECK(holds(from_gpu, "node1.gpu0_pcie_up: CplD 8 B\n"));
  CHECK_FALSE(holds(from_gpu, "node0.gpu0_pcie"));
  const std::string to_gpu = traffic({{"pattern", "get"}, {"path", "cpu_post"}, {"gdr", "write"}});
  CHECK(holds(to_gpu, "node0.gpu0_pcie_down: MWr 8 B\n"));
  CHECK_FALSE(holds(to_gpu, "node1.gpu0_pcie"));
}

TEST_CASE("traffic: an atomic is read and written back by the far NIC, its old value goes home") {
  CHECK(traffic({{"pattern", "atomic"}}) ==
        "node0.gpu0_pcie_down: MRd 64 B, MWr 8 B, MWr 64 B\n"
        "node0.gpu0_pcie_up: MWr 8 B, CplD 64 B\n"
        "node0.nic0_pcie_down: MWr 8 B, CplD 64 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MWr 8 B, MWr 64 B\n"
        "node0_nic0_link_down: ATOMIC ACKNOWLEDGE 0 B\n"
        "node0_nic0_link_up: ATOMIC REQUEST 0 B\n"
        "node1.gpu0_pcie_down: MRd 8 B, MWr 8 B\n"
        "node1.gpu0_pcie_up: CplD 8 B\n"
        "node1.nic0_pcie_down: CplD 8 B\n"
        "node1.nic0_pcie_up: MRd 8 B, MWr 8 B\n"
        "node1_nic0_link_down: ATOMIC REQUEST 0 B\n"
        "node1_nic0_link_up: ATOMIC ACKNOWLEDGE 0 B\n");
}

TEST_CASE("traffic: a put and its atomic signal: one doorbell, one fetch, two packets, one CQE") {
  CHECK(traffic({{"pattern", "put_signal"}, {"signal", "atomic"}}) ==
        "node0.gpu0_pcie_down: MRd 128 B, MWr 8 B, MWr 64 B\n"  // WQEs; old value, CQE
        "node0.gpu0_pcie_up: MWr 8 B, CplD 128 B\n"
        "node0.nic0_pcie_down: MWr 8 B, CplD 128 B\n"
        "node0.nic0_pcie_up: MRd 128 B, MWr 8 B, MWr 64 B\n"
        "node0_nic0_link_down: ACK 0 B, ATOMIC ACKNOWLEDGE 0 B\n"
        "node0_nic0_link_up: RDMA WRITE 8 B, ATOMIC REQUEST 0 B\n"
        "node1.gpu0_pcie_down: MWr 8 B, MRd 8 B, MWr 8 B\n"  // data; the word
        "node1.gpu0_pcie_up: CplD 8 B\n"
        "node1.nic0_pcie_down: CplD 8 B\n"
        "node1.nic0_pcie_up: MWr 8 B, MRd 8 B, MWr 8 B\n"
        "node1_nic0_link_down: RDMA WRITE 8 B, ATOMIC REQUEST 0 B\n"
        "node1_nic0_link_up: ACK 0 B, ATOMIC ACKNOWLEDGE 0 B\n");
}

TEST_CASE("traffic: a flag is a second write, an immediate a CQE at the receiver") {
  const std::string flag = traffic({{"pattern", "put_signal"}, {"signal", "flag"}});
  CHECK(holds(flag, "node0_nic0_link_up: RDMA WRITE 8 B, RDMA WRITE 8 B\n"));
  CHECK(holds(flag, "node0_nic0_link_down: ACK 0 B\n"));
  CHECK(holds(flag, "node1.gpu0_pcie_down: MWr 8 B, MWr 8 B\n"));
  CHECK(holds(flag, "node0.gpu0_pcie_down: MRd 128 B, MWr 64 B\n"));
  const std::string immediate = traffic({{"pattern", "put_signal"}, {"signal", "immediate"}});
  CHECK(holds(immediate, "node0_nic0_link_up: RDMA WRITE 8 B\n"));
  CHECK(holds(immediate, "node1.gpu0_pcie_down: MWr 8 B, MWr 64 B\n"));
  CHECK(holds(immediate, "node0.gpu0_pcie_down: MRd 64 B, MWr 64 B\n"));
}

TEST_CASE("traffic: a quiet loads each queue pair's CQE, over PCIe where queues lie in host memory") {
  CHECK(traffic({{"pattern", "quiet"}, {"qps", "3"}}) == traffic({}));
  CHECK(holds(traffic({{"pattern", "quiet"}, {"qps", "3"}, {"queues", "host"}}),
              "node0.gpu0_pcie_up: MWr 48 B, MWr 4 B, MWr 8 B, MRd 8 B, MRd 8 B, MRd 8 B\n"));
}

TEST_CASE("traffic: behind a coherent link, over two fabric switches") {
  CHECK(traffic({}, "gb200_cx7_ib") ==
        "fabric_link0_back: ACK 0 B\n"
        "fabric_link0_forth: RDMA WRITE 8 B\n"
        "node0.gpu0_c2c_down: MRd 64 B, MWr 64 B\n"
        "node0.gpu0_c2c_up: MWr 8 B, CplD 64 B\n"
        "node0.nic0_pcie_down: MWr 8 B, CplD 64 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MWr 64 B\n"
        "node0_nic0_link_down: ACK 0 B\n"
        "node0_nic0_link_up: RDMA WRITE 8 B\n"
        "node1.gpu0_c2c_down: MWr 8 B\n"
        "node1.nic0_pcie_up: MWr 8 B\n"
        "node1_nic0_link_down: RDMA WRITE 8 B\n"
        "node1_nic0_link_up: ACK 0 B\n");
}

TEST_CASE("traffic: across sockets, back to back") {
  CHECK(traffic({}, "h200nvl_cx7_loopback") ==
        "node0.gpu0_pcie_down: MRd 64 B, MWr 64 B\n"
        "node0.gpu0_pcie_up: MWr 8 B, CplD 64 B\n"
        "node0.nic0_pcie_down: MWr 8 B, CplD 64 B\n"
        "node0.nic0_pcie_up: MRd 64 B, MWr 64 B\n"
        "node0.upi0to1: MWr 8 B, CplD 64 B\n"
        "node0.upi1to0: MRd 64 B, MWr 64 B\n"
        "node0_nic0_link_up: RDMA WRITE 8 B\n"
        "node1.gpu0_pcie_down: MWr 8 B\n"
        "node1.nic0_pcie_up: MWr 8 B\n"
        "node1.upi1to0: MWr 8 B\n"
        "node1_nic0_link_up: ACK 0 B\n");
}

TEST_CASE("traffic: a put of two packets is cut by MTU, MRRS and MPS, and nothing is lost on the way") {
  struct Sum {
    int count = 0;
    long bytes = 0;
    bool operator==(const Sum&) const = default;
  };
  std::map<std::string, Sum> sums;
  for (const std::string& line : whatif::traffic(scenario({{"bytes", "5000 B"}, {"port.mrrs", "1 KiB"}}))) {
    std::istringstream words(line.substr(0, line.find(" at ")));
    std::vector<std::string> word;
    for (std::string w; words >> w;) word.push_back(w);  // link, one or two for the kind, length, unit
    Sum& sum = sums[word[0] + " " + word[1]];
    ++sum.count;
    sum.bytes += std::stol(word[word.size() - 2]) * (word.back() == "KiB" ? 1024 : 1);
  }
  CHECK(sums["node0.nic0_pcie_up MRd"] == Sum{1 + 5, 64 + 5000});
  CHECK(sums["node0.nic0_pcie_down CplD"] == Sum{1 + 4 * 4 + 4, 64 + 5000});
  CHECK(sums["node0_nic0_link_up RDMA"] == Sum{2, 5000});
  CHECK(sums["node1.gpu0_pcie_down MWr"] == Sum{16 + 4, 5000});
  CHECK(sums["node1_nic0_link_up ACK"] == Sum{1, 0});
  CHECK(sums["node0.gpu0_pcie_down MWr"] == Sum{1, 64});
}

}  // namespace
}  // namespace gicsim
