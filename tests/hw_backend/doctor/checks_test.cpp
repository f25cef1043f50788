// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "hw_backend/doctor/report.h"
#include "hw_backend/doctor/topology.h"

namespace gicsim::hw::checkup {
namespace {

using Kind = PciFunction::Kind;
using V = Verdict;

PciFunction function(const char* address, Kind kind, const char* parent) {
  PciFunction f;
  f.address = address;
  f.kind = kind;
  f.parent = parent;
  f.root_bus = "0000:15";
  f.numa_node = 0;
  f.link = Link{32, 32, 16, 16, kind == Kind::gpu};
  f.acs = 0U;
  f.ats = false;
  f.control = DeviceControl{true, 256, 256, 4096};
  f.iommu = std::string("identity");
  f.errors = Counts{};
  return f;
}

/// One GPU and one NIC under one switch; nothing wrong.
Evidence sound() {
  Evidence e;
  e.functions = {function("0000:15:01.0", Kind::bridge, ""),
                 function("0000:16:00.0", Kind::bridge, "0000:15:01.0"),
                 function("0000:17:00.0", Kind::bridge, "0000:16:00.0"),
                 function("0000:17:01.0", Kind::bridge, "0000:16:00.0"),
                 function("0000:18:00.0", Kind::gpu, "0000:17:00.0"),
                 function("0000:19:00.0", Kind::nic, "0000:17:01.0")};
  e.functions[5].name = "mlx5_0";
  Gpu& gpu = e.gpu("0000:18:00.0");
  gpu.memory = 80ULL << 30U;
  gpu.bar1 = 128ULL << 30U;
  gpu.persistence = true;
  gpu.slowdowns = std::vector<std::string>{};
  gpu.dma_buf = true;
  Port port;
  port.state = "ACTIVE";
  port.link_layer = "Ethernet";
  port.rate = 400.0;
  port.active_mtu = 4096;
  port.most_mtu = 4096;
  port.gids = std::vector<Gid>{{3, "::ffff:192.0.2.1", "RoCE v2"}};
  port.counters = Counts{{"out_of_sequence", 0}};
  port.ecn = true;
  e.nics.push_back({"mlx5_0", "0000:19:00.0", "28.43.1014", true, {port}});
  e.driver.version = std::string("580.95.05");
  e.driver.open = true;
  e.driver.registry = std::string("\"\"");
  e.driver.modules = std::vector<std::string>{"nvidia", "nvidia_peermem"};
  e.process.root = false;
  e.process.ipc_lock = false;
  e.process.memlock = unlimited;
  e.process.scatter_to_cqe = std::string();
  e.process.container = std::string();
  e.process.closed_files = std::vector<std::string>{};
  e.process.cgroup_rdma = std::string();
  e.platform.hypervisor = std::string();
  e.platform.iommu = true;
  e.uar = e.devx = e.peermem = e.dma_buf = Trial{true, 0, "works"};
  return e;
}

PciFunction& at(Evidence& e, const std::string& address) {
  return *std::find_if(e.functions.begin(), e.functions.end(),
                       [&](const PciFunction& f) { return f.address == address; });
}

Finding of(std::string_view key, const Evidence& e) {
  for (const Check& check : checks())
    if (check.key == key) return check.judge(e);
  FAIL("no check " << std::string(key));
  return {};
}

TEST_CASE("doctor: a sound machine passes; only PFC can't be read") {
  const Evidence e = sound();
  for (const Check& check : checks()) {
    CAPTURE(std::string(check.key));
    CHECK(check.judge(e).verdict == (check.key == "pfc-ecn" ? V::unknown : V::pass));
  }
}

TEST_CASE("doctor: nothing known is no failure, and each check says why") {
  std::set<std::string_view> keys;
  for (const Check& check : checks()) {
    CAPTURE(std::string(check.key));
    CHECK(keys.insert(check.key).second);
    for (const bool devices : {false, true}) {
      Evidence e;
      if (devices) {
        e.gpu("0000:18:00.0");
        e.nics.emplace_back();
      }
      const Finding f = check.judge(e);
      CHECK((f.verdict == V::skipped || f.verdict == V::unknown));
      CHECK(!f.seen.empty());
    }
  }
}

TEST_CASE("doctor: every warning and failure has a cause and a fix") {
  struct Case {
    const char* key;
    V verdict;
    void (*spoil)(Evidence&);
  };
  const Case cases[] = {
      {"driver", V::warn, [](Evidence& e) { e.driver.open = false; }},
      {"driver", V::fail,
       [](Evidence& e) {
         e.driver = {};
         e.driver.modules = std::vector<std::string>{"mlx5_ib"};
       }},
      {"uar", V::fail,
       [](Evidence& e) {
         e.uar = Trial{false, 800, "not permitted"};
       }},
      {"uar", V::fail,
       [](Evidence& e) {
         e.uar = Trial{false, 1, "invalid value"};
       }},
      {"uar", V::pass,
       [](Evidence& e) {
         e.uar = Trial{false, 712, "registered already"};
       }},
      {"uar", V::unknown, [](Evidence& e) { e.uar = Known<Trial>::unknown("not tried"); }},
      {"uar", V::pass,
       [](Evidence& e) {
         e.uar = Known<Trial>();
         e.driver.registry = std::string("PeerMappingOverride=1;");
       }},
      {"uar", V::skipped, [](Evidence& e) { e.nics[0].mlx5 = false; }},
      {"devx", V::fail,
       [](Evidence& e) {
         e.devx = Trial{false, 1, "EPERM"};
       }},
      {"devx", V::fail,
       [](Evidence& e) {
         e.devx = Trial{false, 95, "EOPNOTSUPP"};
       }},
      {"devx", V::fail,
       [](Evidence& e) {
         e.devx = Trial{false, 12, "ENOMEM"};
       }},
      {"peermem", V::pass,
       [](Evidence& e) {
         e.peermem = Trial{false, 14, "EFAULT"};
       }},  // dma-buf works
      {"peermem", V::fail,
       [](Evidence& e) {
         e.peermem = Trial{false, 14, "EFAULT"};
         e.dma_buf = Trial{false, 95, "no"};
       }},
      {"peermem", V::fail,
       [](Evidence& e) {
         e.peermem = Known<Trial>();
         e.dma_buf = Trial{false, 95, "no"};
         e.driver.modules = std::vector<std::string>{};
       }},
      {"peermem", V::warn,
       [](Evidence& e) {
         e.peermem = Known<Trial>();
         e.dma_buf = Known<Trial>();
         e.driver.modules = std::vector<std::string>{};
       }},
      {"dma-buf", V::warn, [](Evidence& e) { e.gpus[0].dma_buf = false; }},
      {"dma-buf", V::fail,
       [](Evidence& e) {
         e.dma_buf = Trial{false, 95, "EOPNOTSUPP"};
       }},
      {"scatter-to-cqe", V::warn, [](Evidence& e) { e.process.scatter_to_cqe = std::string("1"); }},
      {"memlock", V::fail, [](Evidence& e) { e.process.memlock = 8ULL << 20U; }},
      {"memlock", V::warn, [](Evidence& e) { e.process.memlock = 1ULL << 30U; }},
      {"memlock", V::pass,
       [](Evidence& e) {
         e.process.memlock = 65536ULL;
         e.process.ipc_lock = true;
       }},
      {"container", V::fail,
       [](Evidence& e) { e.process.closed_files = std::vector<std::string>{"/dev/infiniband/uverbs0"}; }},
      {"container", V::warn,
       [](Evidence& e) { e.process.cgroup_rdma = std::string("mlx5_0 hca_handle=2 hca_object=2000"); }},
      {"container", V::warn, [](Evidence& e) { e.process.cgroup_memory = 1ULL << 30U; }},
      {"acs", V::fail, [](Evidence& e) { at(e, "0000:17:01.0").acs = unsigned{request_redirect}; }},
      {"acs", V::pass, [](Evidence& e) { at(e, "0000:17:01.0").acs = unsigned{source_validation}; }},
      {"acs", V::pass,
       [](Evidence& e) { at(e, "0000:15:01.0").acs = unsigned{request_redirect}; }},  // above the switch
      {"acs", V::unknown, [](Evidence& e) { at(e, "0000:17:01.0").acs = Known<unsigned>::unknown("needs root"); }},
      {"acs", V::pass,
       [](Evidence& e) {
         at(e, "0000:17:01.0").acs = unsigned{request_redirect | direct_translated};
         at(e, "0000:18:00.0").ats = true;
         at(e, "0000:19:00.0").ats = true;
       }},
      {"acs", V::warn,
       [](Evidence& e) {  // two root ports: the root complex is crossed anyway
         at(e, "0000:18:00.0").parent = "0000:15:01.0";
         at(e, "0000:19:00.0").parent = "0000:17:01.0";
         at(e, "0000:17:01.0").parent = "";
         at(e, "0000:15:01.0").acs = unsigned{upstream_forwarding};
       }},
      {"iommu", V::warn, [](Evidence& e) { at(e, "0000:18:00.0").iommu = std::string("DMA-FQ"); }},
      {"iommu", V::fail,
       [](Evidence& e) {
         at(e, "0000:18:00.0").iommu = std::string("DMA");
         e.dma_buf = Known<Trial>();
       }},
      {"iommu", V::pass,
       [](Evidence& e) {
         e.platform.iommu = false;
         at(e, "0000:18:00.0").iommu = Known<std::string>();
       }},
      {"bar1", V::fail, [](Evidence& e) { e.gpus[0].bar1 = 256ULL << 20U; }},
      {"bar1", V::warn, [](Evidence& e) { e.gpus[0].bar1 = 64ULL << 30U; }},
      {"distance", V::fail,
       [](Evidence& e) {
         e.distances = {{"GPU0", "mlx5_0", "SYS"}};
       }},
      {"distance", V::warn,
       [](Evidence& e) {
         e.distances = {{"GPU0", "mlx5_0", "SYS"}, {"GPU0", "mlx5_1", "NODE"}};
       }},
      {"distance", V::unknown,
       [](Evidence& e) {
         e.distances = {{"GPU0", "mlx5_0", "PHB"}};
         e.platform.hypervisor = std::string("KVM");
       }},
      {"pcie-link", V::fail,
       [](Evidence& e) {
         at(e, "0000:19:00.0").link = Link{32, 32, 8, 16, false};
       }},
      {"pcie-link", V::fail,
       [](Evidence& e) {
         at(e, "0000:16:00.0").link = Link{16, 32, 16, 16, false};
       }},  // of the switch
      {"pcie-link", V::fail,
       [](Evidence& e) {
         at(e, "0000:18:00.0").link = Link{16, 32, 16, 16, true};
       }},
      {"pcie-link", V::unknown,
       [](Evidence& e) {
         at(e, "0000:18:00.0").link = Link{2.5, 32, 16, 16, false};
       }},  // idle
      {"pcie-link", V::warn,
       [](Evidence& e) {
         at(e, "0000:19:00.0").link = Link{16, 32, 16, 16, false};
         at(e, "0000:17:01.0").link = Link{16, 16, 16, 16, false};
       }},
      {"pcie-link", V::unknown,
       [](Evidence& e) {
         e.platform.hypervisor = std::string("KVM");
         at(e, "0000:17:00.0").link = Link{2.5, 2.5, 1, 1, false};
       }},
      {"aer", V::warn,
       [](Evidence& e) {
         at(e, "0000:17:01.0").errors = Counts{{"correctable RxErr", 5000}};
       }},
      {"aer", V::pass,
       [](Evidence& e) {
         at(e, "0000:17:01.0").errors = Counts{{"correctable RxErr", 3}};
       }},
      {"aer", V::warn,
       [](Evidence& e) {
         at(e, "0000:19:00.0").errors = Counts{{"fatal TLP", 1}};
       }},
      {"aer", V::fail,
       [](Evidence& e) {
         at(e, "0000:18:00.0").grown = Counts{{"correctable BadTLP", 1}};
       }},
      {"ordering", V::warn,
       [](Evidence& e) {
         at(e, "0000:19:00.0").control = DeviceControl{false, 256, 256, 4096};
       }},
      {"mps-mrrs", V::warn,
       [](Evidence& e) {
         at(e, "0000:19:00.0").control = DeviceControl{true, 256, 256, 512};
       }},
      {"mps-mrrs", V::warn,
       [](Evidence& e) {
         at(e, "0000:19:00.0").control = DeviceControl{true, 128, 512, 4096};
       }},
      {"port", V::fail, [](Evidence& e) { e.nics[0].ports[0].state = "DOWN"; }},
      {"port", V::warn,
       [](Evidence& e) {
         e.nics.push_back(e.nics[0]);
         e.nics[1].ports[0].state = "INIT";
       }},
      {"gid", V::warn,
       [](Evidence& e) {
         e.nics[0].ports[0].gids = std::vector<Gid>{{0, "fe80::1", "RoCE v1"}, {1, "fe80::1", "RoCE v2"}};
       }},
      {"gid", V::unknown,
       [](Evidence& e) {
         e.nics[0].ports[0].gids = std::vector<Gid>{{0, "::ffff:192.0.2.1", ""}};
       }},
      {"gid", V::skipped, [](Evidence& e) { e.nics[0].ports[0].link_layer = "InfiniBand"; }},
      {"mtu", V::warn, [](Evidence& e) { e.nics[0].ports[0].active_mtu = 1024; }},
      {"mtu", V::warn,
       [](Evidence& e) {
         e.nics[0].ports[0].active_mtu = Known<int>();
         e.nics[0].ports[0].netdev_mtu = 1500;
       }},
      {"port-errors", V::warn,
       [](Evidence& e) {
         e.nics[0].ports[0].counters = Counts{{"local_ack_timeout_err", 7}};
       }},
      {"pfc-ecn", V::warn, [](Evidence& e) { e.nics[0].ports[0].ecn = false; }},
      {"gpu-clocks", V::warn, [](Evidence& e) { e.gpus[0].persistence = false; }},
      {"gpu-clocks", V::warn, [](Evidence& e) { e.gpus[0].slowdowns = std::vector<std::string>{"HW power brake"}; }},
      {"vm", V::warn, [](Evidence& e) { e.platform.hypervisor = std::string("a virtual machine (QEMU)"); }},
  };
  for (const Case& c : cases) {
    Evidence e = sound();
    c.spoil(e);
    const Finding f = of(c.key, e);
    CAPTURE(c.key);
    CAPTURE(f.seen);
    CHECK(to_name(f.verdict) == to_name(c.verdict));
    CHECK(!f.seen.empty());
    if (f.verdict == V::warn || f.verdict == V::fail) CHECK((!f.cause.empty() && !f.fix.empty()));
  }
}

TEST_CASE("distance: one switch, two switches, one host bridge, one node, two sockets") {
  Evidence e = sound();
  CHECK(distance(e, at(e, "0000:18:00.0"), at(e, "0000:19:00.0")).kind == "PIX");
  e.functions.push_back(function("0000:20:00.0", Kind::bridge, "0000:17:01.0"));
  e.functions.push_back(function("0000:21:00.0", Kind::bridge, "0000:20:00.0"));
  at(e, "0000:19:00.0").parent = "0000:21:00.0";
  const Distance two = distance(e, at(e, "0000:18:00.0"), at(e, "0000:19:00.0"));
  CHECK(two.kind == "PXB");
  CHECK(two.between.size() == 4);
  at(e, "0000:19:00.0").parent = "";
  CHECK(distance(e, at(e, "0000:18:00.0"), at(e, "0000:19:00.0")).kind == "PHB");
  at(e, "0000:19:00.0").root_bus = "0000:97";
  CHECK(distance(e, at(e, "0000:18:00.0"), at(e, "0000:19:00.0")).kind == "NODE");
  at(e, "0000:19:00.0").numa_node = 1;
  CHECK(distance(e, at(e, "0000:18:00.0"), at(e, "0000:19:00.0")).kind == "SYS");
  at(e, "0000:19:00.0").numa_node = Known<int>();
  CHECK(distance(e, at(e, "0000:18:00.0"), at(e, "0000:19:00.0")).kind.empty());
}

TEST_CASE("report: exit code 1 only when a check fails; messages stand unbroken under it") {
  Evidence e = sound();
  e.gpus[0].persistence = false;
  std::ostringstream mild;
  CHECK(print_report(e, mild) == 0);
  CHECK(mild.str().find("23 checks: 0 fail, 1 warn, 21 pass, 1 can't tell, 0 skipped\n") != std::string::npos);
  e.dma_buf = e.peermem = Trial{false, 14, "Bad address [14]"};
  std::ostringstream bad;
  CHECK(print_report(e, bad) == 1);
  CHECK(bad.str().find("\"modprobe: ERROR: could not insert 'nvidia_peermem': Invalid argument\"\n") !=
        std::string::npos);
  CHECK(bad.str().find('\x1b') == std::string::npos);
}

TEST_CASE("explain: a pasted line finds its check") {
  const auto said = [](const char* message) {
    std::ostringstream out;
    CHECK(explain(message, out) == 0);
    return out.str();
  };
  CHECK(said("cudaHostRegister with IoMemory failed with error=800").find("uar:") == 0);
  CHECK(said("node7: Couldn't allocate MR, errno 14 bad address").find("peermem:") == 0);
  CHECK(said("bad ADDRESS").find("dma-buf:") != std::string::npos);
  CHECK(said("segmentation fault").find("no check knows this message") == 0);
}

}  // namespace
}  // namespace gicsim::hw::checkup
