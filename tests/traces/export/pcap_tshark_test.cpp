// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// What Wireshark's dissectors make of exported packets: every one is dissected to its end.
#include <cstdio>
#include <map>

#include "tests/traces/export/pcap_runs.h"

namespace gicsim::exports {
namespace {

/// Lines of a command; nothing, if it can't be run.
std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  FILE* const pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (!pipe) return lines;
  std::string line;
  for (int c = std::getc(pipe); c != EOF; c = std::getc(pipe)) {
    if (c != '\n') line += static_cast<char>(c);
    else lines.push_back(std::exchange(line, {}));
  }
  return pclose(pipe) == 0 ? lines : std::vector<std::string>{};
}

bool there_is_tshark() {
  static const bool there = !lines_of("tshark --version").empty();
  if (!there) MESSAGE("skipped: no tshark (Debian: tshark)");
  return there;
}

/// Each frame's fields, as tshark names them, with '|' between them.
std::vector<std::string> dissected(const std::string& file, const std::vector<std::string>& fields) {
  const Folder folder;
  std::string command = "tshark -o ip.check_checksum:TRUE -r " + folder.write("packets.pcapng", file) + " -T fields -E separator='|'";
  for (const std::string& field : fields) command += " -e " + field;
  return lines_of(command);
}

TEST_CASE("tshark: every frame of every kind of run, without malformation") {
  if (!there_is_tshark()) return;
  std::map<std::string, int> seen;
  for (const bool infiniband : {false, true})
    for (const Case& one : cases()) {
      if (infiniband && one.only_rocev2) continue;
      CAPTURE(one.name);
      CAPTURE(infiniband);
      const PcapRun of = pcap_run(one.name, one.sets, infiniband, one.only_rocev2 ? 4_MiB : 256_KiB);
      const auto frames = dissected(of.file, {"_ws.malformed", "_ws.expert.severity", "frame.protocols", "infiniband.bth.opcode",
                                              "_ws.col.Info"});
      CHECK(frames.size() > 0);
      CHECK(frames.size() == taken(of.file).size());
      for (const std::string& frame : frames) {
        const bool fine = frame.starts_with("|") && (holds(frame, "infiniband") || holds(frame, "macc"));
        constexpr const char* comment = "1048576";  // all experts' severity that is let through
        const std::string severity = frame.substr(1, frame.find('|', 1) - 1);
        CHECK_MESSAGE((fine && (severity.empty() || severity == comment)), frame);
        const std::size_t column = frame.rfind('|');
        ++seen["opcode" + frame.substr(frame.rfind('|', column - 1), column - frame.rfind('|', column - 1))];
        std::string info = frame.substr(frame.rfind('|') + 1);
        info.resize(std::min(info.size(), info.find("QP=")));
        info.resize(info.find_last_not_of(' ') + 1);
        ++seen[info];
      }
    }
  for (const char* kind : {"RC RDMA Write First", "RC RDMA Write Middle", "RC RDMA Write Last", "RC RDMA Write Only",
                           "RC RDMA Write Only Immediate", "RC RDMA Read Request", "RC RDMA Read Response First",
                           "RC RDMA Read Response Middle", "RC RDMA Read Response Last", "RC Acknowledge", "RC Fetch Add",
                           "RC Atomic Acknowledge", "RC Send Only", "UD Send Only", "opcode|129",
                           "Class Based Flow Control [CBFC] Pause"})
    CHECK_MESSAGE(seen[kind] > 0, std::string(kind));
}

TEST_CASE("tshark: the fields that it reads are the run's") {
  if (!there_is_tshark()) return;
  for (const bool infiniband : {false, true}) {
    const PcapRun of = pcap_run("put_64KiB", {{"iterations", "1"}, {"warmup", "0"}}, infiniband);
    const auto frames =
        dissected(of.file, {"frame.interface_name", "frame.packet_flags_direction", "frame.comment", "infiniband.bth.psn",
                            "infiniband.reth.dmalen", "infiniband.bth.a", "frame.time_epoch"});
    REQUIRE(frames.size() == 2 * (65'536 / 4096 + 1));
    CHECK(frames[0].starts_with("node0.nic0|0x00000002|qp1 WQE 0|0|65536|0|0.0000"));
    std::size_t arrived = 0, outbound = 0;
    for (const std::string& frame : frames) {
      arrived += frame.starts_with("node1.nic0|0x00000001|qp1 WQE 0|");
      outbound += holds(frame, "|0x00000002|");
    }
    CHECK(arrived == 16);
    CHECK(outbound == 17);
  }
}

TEST_CASE("tshark: times are right on either side of its overflow") {
  if (!there_is_tshark()) return;
  using namespace pcapng;
  for (const Picoseconds at : {longest_in_picoseconds, longest_in_picoseconds + 1ns, Picoseconds(67'108'864'000'000)}) {
    const Resolution resolution = at <= longest_in_picoseconds ? Resolution::picoseconds : Resolution::nanoseconds;
    std::string block = packet(0, std::string(60, '\0'), Direction::outbound, {});
    stamp(block.data(), at, resolution);
    const auto frames = dissected(section({}) + interface({"a", {}, Link::ethernet, BitRate::bits_per_second(1)}, resolution) + block, {"frame.time_epoch"});
    REQUIRE(frames.size() == 1);
    CHECK(std::stod(frames[0]) == doctest::Approx(static_cast<double>(at.count()) / 1e12).epsilon(1e-8));
  }
}

}  // namespace
}  // namespace gicsim::exports
