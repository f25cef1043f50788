// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/load.h"

#include <doctest/doctest.h>

#include <chrono>

#include "scenarios/schema/config_text.h"
#include "tests/support/files.h"

namespace gicsim::schema {
namespace {

constexpr const char* good =
    "system: h200_cx7_ib\n"
    "pattern: put\n"
    "path: gpu_direct\n";

struct Case {
  Folder folder;
  std::string wrong(const std::string& scenario, const std::vector<Override>& overrides = {}) {
    const std::string file = folder.write("s.yaml", scenario);
    return folder.relative(mistakes_of([&] { load_scenario(file, overrides, source_root()); }));
  }
  Scenario load(const std::string& scenario, const std::vector<Override>& overrides = {}) {
    return load_scenario(folder.write("s.yaml", scenario), overrides, source_root());
  }
};

const Resolved& parameter(const Scenario& s, const std::string& instance, const std::string& name) {
  for (const Resolved& row : s.parameters)
    if (row.instance == instance && row.name == name) return row;
  FAIL("no parameter " << instance << "." << name);
  return s.parameters.front();
}

TEST_CASE("schema: five mistakes give five messages, each with its place") {
  Case c;
  const std::string wrong = c.wrong(
      "system: h200_cx7_ib\n"
      "pattern: put\n"
      "path: gpu_direct\n"
      "bytes: 64\n"
      "batch: 2048\n"
      "tread: 2\n"
      "pattern: put_bw\n"
      "set:\n"
      "  link.fligth: 15 ns\n"
      "  pcie.lanes: 64\n");
  CHECK(
      wrong ==
      "s.yaml:4:8: bytes: '64' has no unit; write '64 KiB' or '64 B'\n"
      "s.yaml:5:8: batch: 2048 WQEs don't fit a send queue of 1024; write a smaller batch, or a "
      "larger depth\n"
      "s.yaml:5:8: batch: put has one operation outstanding; write 'batch: 1' or 'pattern: "
      "put_bw'\n"
      "s.yaml:6:1: tread: no such key; did you mean 'threads'?\n"
      "s.yaml:7:1: pattern: given twice (first on line 2)\n"
      "s.yaml:9:3: link.fligth: no such parameter; did you mean 'flight'?\n"
      "s.yaml:10:15: pcie.lanes: '64' is out of range; write a power of two, 1 to 32");
}

TEST_CASE("schema: what a scenario lacks, or holds in the wrong form") {
  Case c;
  const std::string lacks = c.wrong("about: nothing\n");
  CHECK(holds(lacks, "s.yaml:1:1: system: missing; write 'system: NAME'"));
  CHECK(holds(lacks, "s.yaml:1:1: pattern: missing; write 'pattern: put'"));
  CHECK(holds(lacks, "s.yaml:1:1: path: missing"));
  CHECK(holds(c.wrong("- a\n"), "s.yaml:1:1: not a scenario"));
  CHECK(holds(c.wrong(std::string(good) + "bytes: [8 B]\n"), "s.yaml:4:8: bytes: holds a list"));
  CHECK(holds(c.wrong(std::string(good) + "seed:\n"), "s.yaml:4:1: seed: holds nothing"));
  CHECK(holds(c.wrong(std::string(good) + "set: 5\n"), "s.yaml:4:6: set: holds a value"));
  CHECK(holds(c.wrong(std::string(good) + "ordering: gpu_fense\n"), "did you mean 'gpu_fence'?"));
  CHECK(holds(c.wrong(std::string(good) + "threads: 2 KiB\n"), "is not a count"));
  CHECK(holds(c.wrong(std::string(good) + "threads: 0\n"), "out of range; write 1 to 270336"));
  CHECK(holds(c.wrong(std::string(good) + "bytes: 2 GiB\n"), "out of range; write 1 B to 1 GiB"));
  CHECK(holds(c.wrong(std::string(good) + "set:\n  nic.decode: {is: 5 ns, papper: x}\n"),
              "s.yaml:5:26: nic.decode: 'papper' is none of is, spec"));
  CHECK(holds(c.wrong(std::string(good) + "set:\n  nic.decode: {paper: x}\n"), "lacks its value"));
}

TEST_CASE("schema: a path that means nothing, or two things") {
  Case c;
  const auto wrong = [&](const std::string& set) {
    return c.wrong(std::string(good) + "set:\n  " + set + "\n");
  };
  CHECK(holds(wrong("nik.decode: 5 ns"),
              "s.yaml:5:3: nik.decode: nothing in this system has that "
              "name; did you mean 'nic.decode'?"));
  CHECK(holds(wrong("decode: 5 ns"), "decode: whose? write nic.decode"));
  CHECK(holds(wrong("nic.mps: 256 B"), "did you mean 'nic.port.mps'?"));
  CHECK(holds(wrong("node7.nic0.decode: 5 ns"), "nothing in this system has that name"));
  CHECK(holds(wrong("c2c.rate: 5 Gbps"), "this system has no c2c"));
  CHECK(holds(wrong("switch0.latency: 5 ns"), "means a pcie_switch and a switch"));
  CHECK(holds(wrong("nic.decode: 1 ns\n  node.nic.decode: 2 ns"),
              "s.yaml:6:3: node.nic.decode: given twice (first on line 5, as 'nic.decode')"));
}

TEST_CASE("schema: contradictions") {
  Case c;
  const auto wrong = [&](const std::string& more) { return c.wrong(good + more); };
  CHECK(holds(wrong("bytes: 4 KiB\npayload: inline\n"),
              "s.yaml:5:10: payload: inline, but 4 KiB is more than nic.inline_max (220 B); write "
              "'payload: read'"));
  CHECK(holds(c.wrong(std::string(good) + "bytes: 16 B\npayload: inline\n", {{"path", "cpu_proxy"}}),
              "16 B is more than a request to a proxy carries (8 B)"));
  CHECK(holds(wrong("payload: inline\nlibrary: nvshmem\n"), "library nvshmem doesn't inline"));
  CHECK(holds(c.wrong(good + std::string("qps: 4\n"), {{"path", "cpu_post"}}),
              "s.yaml:4:6: qps: 4, but each thread has a queue pair of its own here"));
  CHECK(holds(wrong("threads: 4\nqps: 3\n"), "s.yaml:5:6: qps: 4 threads and 3 queue pairs: one must be a multiple"));
  CHECK(holds(wrong("threads: 4\nqps: 1\n"),
              "s.yaml:5:6: qps: 4 threads and 1 queue pairs: 4 threads share one; write 'sharing: lock'"));
  CHECK(holds(wrong("qps: 4\nsharing: lock\n"), "s.yaml:5:10: sharing: 1 threads and 4 queue pairs: none is shared"));
  CHECK(holds(wrong("threads: 4\nsms: 3\n"), "s.yaml:5:6: sms: 4 threads don't spread evenly over 3"));
  CHECK(holds(wrong("threads: 48\nqps: 1\nsharing: warp\nbatch: 32\n"),
              "s.yaml:7:8: batch: 32 lanes post together, but a warp has 32 and 48 threads share"));
  CHECK(c.load(good + std::string("threads: 4\n")).qps == 4);
  CHECK(holds(c.wrong("system: h200_cx7_ib\npattern: ping_pong\npath: gpu_direct\nthreads: 2\n"),
              "s.yaml:4:10: threads: ping_pong is between one thread and another"));
  const std::string port = wrong("set:\n  port.completion_buffer: 2 KiB\n");
  CHECK(holds(port, "s.yaml:5:27: node0.host.port.mrrs: 4 KiB is more than"));
  CHECK(std::count(port.begin(), port.end(), '\n') == 0);
}

TEST_CASE("schema: payload follows what fits, unless it is given") {
  Case c;
  CHECK(c.load(good).payload == Payload::inlined);
  CHECK(c.load(std::string(good) + "bytes: 1 MiB\n").payload == Payload::read);
  CHECK(c.load(std::string(good) + "library: nvshmem\n").payload == Payload::read);
}

TEST_CASE("schema: a CPU thread's post says what it can't, and who polls is the one who acts next") {
  Case c;
  const std::string post = "system: h200_cx7_ib\npattern: put\npath: cpu_post\n";
  CHECK(holds(c.wrong(post + "payload: inline\n"), "payload: inline, but the payload lies in GPU memory"));
  CHECK(c.load(post).payload == Payload::read);
  CHECK(c.load(post + "gdr: none\n").payload == Payload::inlined);
  CHECK(c.load(post).receiver == Receiver::gpu);
  CHECK(c.load(post + "gdr: read\n").receiver == Receiver::cpu);
  CHECK(c.load(post, {{"pattern", "ping_pong"}}).receiver == Receiver::cpu);
  CHECK(holds(c.wrong(post + "gdr: none\nreceiver: gpu\n"), "s.yaml:5:11: receiver: gpu, but the data land in host"));
  CHECK(holds(c.wrong(post + "receiver: gpu\n", {{"pattern", "ping_pong"}}), "receiver: gpu, but the CPU thread"));
  CHECK(holds(c.wrong(post + "gdr: all\n"), "gdr: 'all' is none of both, read, write, none"));
}

TEST_CASE("schema: a probe has no path, everything else has one") {
  Case c;
  const std::string probe = "system: h200_cx7_ib\npattern: launch\n";
  CHECK(holds(c.wrong(probe + "path: cpu_post\n"), "path: cpu_post, but launch posts nothing; write 'path: none'"));
  CHECK(holds(c.wrong(good, {{"path", "none"}}), "path: none, but somebody has to post a put"));
  CHECK(holds(c.wrong(probe + "path: none\nthreads: 2\nlazy_init: on\n"), "threads: launch is one thread's"));
  CHECK(c.load(probe + "path: none\n").warnings.empty());
}

TEST_CASE("schema: the narrower path wins, later layers win, and each value knows its source") {
  Case c;
  const Scenario s = c.load(std::string(good) +
                                "set:\n"
                                "  node1.nic0.decode: {is: 70 ns, measured: 'our bench'}\n"
                                "  nic.decode: 60ns\n"
                                "  gpu.pcie.lanes: 8\n"
                                "  pcie_switch.latency: 90 ns\n"
                                "  nic.tx: 1 ns\n",
                            {{"nic.tx", "2 ns"}, {"nic.tx", "3 ns"}, {"bytes", "16B"}});
  CHECK(s.bytes == 16_B);
  CHECK(s.system.nodes[0].pairs[3].nic.decode == 60ns);
  CHECK(s.system.nodes[1].pairs[0].nic.decode == 70ns);
  CHECK(s.system.nodes[1].pairs[0].nic.tx == 3ns);
  CHECK(s.system.nodes[2].pairs[1].gpu_pcie.lanes == 8);
  CHECK(s.system.nodes[2].pairs[1].nic_pcie.lanes == 16);
  CHECK(s.system.nodes[2].switches[1].params.latency == 90ns);
  CHECK(s.system.fabric_switches[0].latency == 130ns);
  const Resolved& measured = parameter(s, "node1.nic0", "decode");
  CHECK(measured.provenance == Provenance::measured);
  CHECK(c.folder.relative(to_text(measured.at)) == "s.yaml:5:27");
  CHECK(parameter(s, "node0.nic0", "decode").provenance == Provenance::user);
  CHECK(to_text(parameter(s, "node0.nic0", "tx").at) == "--set nic.tx=3 ns");
  const Resolved& by_default = parameter(s, "node0.nic0", "rx");
  CHECK(by_default.provenance == Provenance::assumed);
  CHECK(by_default.source == "A-010");
  CHECK(by_default.at.file.empty());
}

TEST_CASE("schema: mistakes on the command line name the argument") {
  Case c;
  CHECK(c.wrong(good, {{"nic.decod", "5 ns"}}) ==
        "--set nic.decod=5 ns: nic.decod: no such parameter; did you mean 'decode'?");
  CHECK(c.wrong(good, {{"bytes", "5"}}) ==
        "--set bytes=5: bytes: '5' has no unit; write '5 KiB' or '5 B'");
  CHECK(holds(c.wrong(good, {{"system", "h200_cx7"}}), "did you mean 'h200_cx7_ib'?"));
  CHECK(holds(c.wrong(good, {{"library", "nvshmen"}}), "did you mean 'nvshmem'?"));
  CHECK(holds(mistakes_of([] { override_from("nic.decode"); }), "--set nic.decode: write it like"));
  CHECK(override_from("a.b=c=d").value == "c=d");
  CHECK(holds(mistakes_of([] { load_scenario("put_8", {}, source_root()); }),
              "did you mean 'put_8B'?"));
}

TEST_CASE("schema: a library is the one compiled for the GPU") {
  Case c;
  const std::string more = std::string(good) + "library: nvshmem\n";
  const auto call = [&](const char* system, const char* library) {
    return c.load(more, {{"system", system}, {"library", library}}).system.library.call;
  };
  CHECK(call("h200_cx7_ib", "nvshmem") == call("h200_cx7_ib", "nvshmem_hopper"));
  CHECK(call("gb200_cx7_ib", "nvshmem") == call("gb200_cx7_ib", "nvshmem_blackwell"));
  CHECK(call("h200_cx7_ib", "nvshmem") != call("gb200_cx7_ib", "nvshmem"));
  CHECK(c.wrong(more, {{"gpu.architecture", "ampere"}}) ==
        "s.yaml:4:10: library: 'nvshmem' exists for blackwell, hopper, not for ampere");
}

TEST_CASE("schema: what changes nothing is a warning") {
  Case c;
  const Scenario s = c.load(
      "system: h200_cx7_ib\npattern: put\npath: cpu_proxy\nordering: sys_fence\n"
      "set:\n  library.call: 5 cycles\n");
  REQUIRE(s.warnings.size() == 2);
  CHECK(holds(s.warnings[0], "ordering: changes nothing"));
  CHECK(holds(s.warnings[1], "library.call: changes nothing"));
}

constexpr const char* small_system =
    "nodes: 2\npairs: 1\nattach: coherent\n"
    "parts: {host: all.yaml, root: all.yaml, gpu: all.yaml, c2c: all.yaml, pcie: all.yaml,\n"
    "  nic: all.yaml, link: all.yaml, switch: all.yaml}\n";

TEST_CASE("schema: keys of one path warn on another") {
  Case c;
  const auto warnings = [&](const std::string& path, const std::vector<Override>& sets) {
    return c.load("system: h200_cx7_ib\npattern: put\npath: " + path + "\n", sets).warnings;
  };
  CHECK(warnings("gpu_direct", {{"gdr", "none"}, {"staging", "pageable"}, {"verbs.post", "9 cycles"},
                                {"runtime.copy", "9 cycles"}, {"setup.connect", "1 ms"}}).size() == 5);
  CHECK(warnings("cpu_post", {{"ordering", "sys_fence"}, {"queues", "host"}, {"library.call", "9 cycles"}}).size() ==
        3);
  CHECK(warnings("cpu_doorbell", {{"ordering", "sys_fence"}, {"queues", "host"}, {"verbs.ring", "9 cycles"}})
            .empty());
  CHECK(warnings("host_staged", {{"staging", "pageable"}, {"runtime.copy", "9 cycles"}, {"verbs.post", "9 cycles"}})
            .empty());
  CHECK(warnings("stream_triggered", {{"lazy_init", "on"}, {"setup.connect", "1 ms"}}).empty());
}

TEST_CASE("schema: a part that lacks a value, a source or a name is told so") {
  Folder folder;
  folder.write("sys.yaml", small_system);
  folder.write("all.yaml",
               "source: {spec: x}\n"
               "gpu: {architecture: hopper, clok: 1 GHz}\n"
               "nic: {qp_window: 16, nic_window: 159, ack_handle: 5}\n"
               "host: {clock_cold: 1 GHz, clock_warm: 1 GHz, cache_miss: 1 ns, dram_rate: 1 Gbps}\n"
               "root: {latency: 1 ns}\n"
               "c2c: {rate: 1 Gbps, latency: 1 ns, ordered_write: 1 ns}\n"
               "link: {protocol: infiniband, rate: 1 Gbps}\n"
               "pcie: {generation: 5, lanes: 16}\n"
               "swich: {latency: 1 ns}\n");
  const std::string file = folder.write(
      "s.yaml", "system: sys.yaml\npattern: put\npath: gpu_direct\nlibrary: minimal\n");
  const std::string wrong =
      folder.relative(mistakes_of([&] { load_scenario(file, {}, source_root()); }));
  CHECK(holds(wrong,
              "all.yaml:2:1: gpu.clock: missing, and it has no default; write 'clock: 1980 MHz' "
              "(SM clock under load)"));
  CHECK(holds(wrong, "all.yaml:2:29: gpu.clok: no such parameter; did you mean 'clock'?"));
  CHECK(holds(wrong, "all.yaml:3:51: nic.ack_handle: '5' has no unit; write '5 ns' or '5 ps'"));
  CHECK(holds(wrong, "all.yaml:9:1: swich: no such kind of part; did you mean 'switch'?"));
  CHECK(holds(wrong,
              "sys.yaml:5:42: parts.switch: all.yaml has no 'switch:'; it has c2c, gpu, host"));
  CHECK_FALSE(holds(wrong, "nic.ack_handle: missing"));

  folder.write("all.yaml", "nic: {qp_window: 16}\n");
  folder.write("sys.yaml",
               "nodes: 2\npairs: 1\nattach: coherent\nparts: {nic: all.yaml}\n"
               "set: {nic.decode: 5 ns}\n");
  const std::string bare =
      folder.relative(mistakes_of([&] { load_scenario(file, {}, source_root()); }));
  CHECK(holds(bare, "all.yaml:1:18: qp_window: has no source"));
  CHECK(holds(bare, "sys.yaml:5:19: nic.decode: has no source"));
  CHECK(holds(bare, "sys.yaml:4:1: parts: none for node0.gpu0; write 'gpu: NAME'"));
}

TEST_CASE("schema: a device's part may describe its port") {
  Folder folder;
  folder.write("nic.yaml",
               "source: {datasheet: d}\nnic: {qp_window: 16, nic_window: 1, ack_handle: 1 ns}\n"
               "port: {mps: 512 B}\n");
  std::string system = contents(source_root() + "/configs/systems/h200_cx7_ib.yaml");
  system.replace(system.find("nic: connectx7"), std::string("nic: connectx7").size(),
                 "nic: nic.yaml");
  const Scenario s = load_system(folder.write("sys.yaml", system), {}, source_root());
  CHECK(s.system.nodes[0].pairs[0].nic_port.mps == 512_B);
  CHECK(s.system.nodes[0].pairs[0].gpu_port.mps == 256_B);
  CHECK(s.system.name == "sys");
}

TEST_CASE("schema: every scenario that we ship loads, in under 20 ms") {
  for (const auto& entry : std::filesystem::directory_iterator(source_root() + "/scenarios/runs")) {
    INFO(entry.path().string());
    CHECK(mistakes_of([&] { load_scenario(entry.path().string(), {}, source_root()); }) == "");
  }
  auto best = std::chrono::steady_clock::duration::max();
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    load_scenario("put_8B", {}, source_root());
    best = std::min(best, std::chrono::steady_clock::now() - start);
  }
  WARN(best < std::chrono::milliseconds(20));
}

void check_round_trip(const std::string& name, const std::vector<Override>& overrides) {
  const Scenario first = load_scenario(name, overrides, source_root());
  Folder folder;
  const std::string text = config_text(first);
  const Scenario again = load_scenario(folder.write("config.yaml", text), {}, folder.path());
  CHECK(again.name == first.name);
  CHECK(again.payload == first.payload);
  CHECK(again.library == first.library);
  CHECK(again.iterations == first.iterations);
  CHECK(again.system.name == first.system.name);
  CHECK(again.system.notes == first.system.notes);
  CHECK(again.system.nodes.size() == first.system.nodes.size());
  CHECK(again.warnings == first.warnings);
  REQUIRE(again.parameters.size() == first.parameters.size());
  for (std::size_t i = 0; i < first.parameters.size(); ++i) {
    const Resolved &a = first.parameters[i], &b = again.parameters[i];
    INFO(a.instance << "." << a.name);
    REQUIRE(a.instance + a.name + a.value + a.source == b.instance + b.name + b.value + b.source);
    REQUIRE(a.provenance == b.provenance);
  }
  std::string second = config_text(again);
  const auto without_comments = [](const std::string& yaml) {
    std::istringstream lines(yaml);
    std::string kept;
    for (std::string line; std::getline(lines, line);)
      kept += line.substr(0, line.find("  # ")) + "\n";
    return kept;
  };
  CHECK(without_comments(second) == without_comments(text));
}

TEST_CASE("schema: a resolved scenario is one file that says the same again") {
  check_round_trip("put_8B", {});
  check_round_trip("put_8B", {{"system", "gb200_cx7_ib"},
                              {"library", "nvshmem"},
                              {"payload", "read"},
                              {"node1.nic0.decode", "77 ns"}});
  check_round_trip("launch", {});
  check_round_trip("copy_engine", {{"direction", "h2d"}, {"staging", "pageable"}});
  check_round_trip("copy_both_ways", {});
  check_round_trip("put_8B_cpu_post", {{"pattern", "ping_pong"}, {"gdr", "write"}});
  check_round_trip("put_8B", {{"path", "cpu_proxy"}, {"proxy", "gin"}, {"nic.pcie.lanes", "8"}});
}

TEST_CASE("schema: scripted losses are read, and what is wrong with them is said") {
  Case c;
  const Scenario s = c.load(std::string(good) + "drop: node0.nic0.link up ack 3, node1.nic0.link down write_last 12\n");
  REQUIRE(s.system.drops.size() == 2);
  CHECK(s.system.drops[0].wire == "node0_nic0_link_up");
  CHECK(s.system.drops[0].drop.packet == link::PacketClass::ack);
  CHECK(s.system.drops[1].wire == "node1_nic0_link_down");
  CHECK(s.system.drops[1].drop.nth == 12);
  const auto wrong = [&](const std::string& drop) { return c.wrong(std::string(good) + "drop: " + drop + "\n"); };
  CHECK(wrong("node0.nic0.lnk up ack 1") ==
        "s.yaml:4:7: drop: 'node0.nic0.lnk up ack 1': no cable 'node0.nic0.lnk'; did you mean 'node0.nic0.link'?");
  CHECK(holds(wrong("fabric.link0 forth ack 1"),
              "no cable 'fabric.link0'; there are node0.nic0.link, node0.nic1.link, "));
  CHECK(c.load(std::string(good) + "drop: none\n").system.drops.empty());
  CHECK(
      wrong("node0.nic0.link forth ack 1") ==
      "s.yaml:4:7: drop: 'node0.nic0.link forth ack 1': 'forth' is no direction of node0.nic0.link; write up or down");
  CHECK(holds(wrong("node0.nic0.link up akc 1"), "'akc' is none of any, write, "));
  CHECK(holds(wrong("node0.nic0.link up ack first"), "'first' is not a count"));
  CHECK(holds(wrong("node0.nic0.link up ack 0"), "packets count from 1"));
  CHECK(holds(wrong("node0.nic0.link up ack"), "not a cable, a direction, a packet and a number"));
  CHECK(c.wrong(good, {{"link.loss", "1.5"}}) ==
        "--set link.loss=1.5: link.loss: '1.5' is not a probability; write 0 to 1, or 0 % to 100 %");
}

TEST_CASE("schema: the machine gets the scenario's seed") {
  Case c;
  CHECK(c.load(std::string(good) + "seed: 7\n").system.seed == 7);
}

}  // namespace
}  // namespace gicsim::schema
