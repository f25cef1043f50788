// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/tlp/requests.h"

#include <doctest/doctest.h>

#include <sstream>

#include "traces/tlp/log.h"

namespace gicsim::tlp {
namespace {

constexpr const char* header =
    "# gicsim.tlp_log/1\n"
    "time_ns\tlink\tdirection\ttype\trequester\ttag\taddress\tlength\tlast\tstage\tsent_ns\tflags\n";

/// A line with blanks for tabs: time, link, direction, type, requester, tag, address, length, flags.
std::string log_of(std::initializer_list<const char*> lines) {
  std::string text = header;
  for (const char* line : lines) {
    std::istringstream words(line);
    std::string time, link, direction, type, requester, tag, address, length, flags;
    words >> time >> link >> direction >> type >> requester >> tag >> address >> length >> flags;
    for (const std::string& cell : {time + ".000", link, direction, type, requester, tag, address, length,
                                    std::string("1"), std::string("-"), time + ".500"})
      text += cell + "\t";
    text += flags + "\n";
  }
  return text;
}

struct Read {
  std::istringstream in;
  Log log;
  Requests requests;
  std::vector<Request> all;
  explicit Read(const std::string& text) : in(text), log(in, "t.tsv"), requests(log) {
    for (Request one; requests.next(one);) all.push_back(one);
  }
};

/// A doorbell, and what a NIC does upon it: reads its WQE from the GPU, through a switch.
const char* const a_put[] = {
    "100 node0.gpu0_pcie up MWr 0x0001 - 0x8000 8 -",   "200 node0.nic0_pcie down MWr 0x0001 - 0x8000 8 -",
    "500 node0.nic0_pcie up MRd 0x0002 3 0x4400 64 -",  "600 node0.gpu0_pcie down MRd 0x0002 3 0x4400 64 -",
    "700 node0.gpu0_pcie up CplD 0x0002 3 0x4400 64 -", "900 node0.nic0_pcie down CplD 0x0002 3 0x4400 64 -",
    "950 node0.nic0_pcie up MWr 0x0002 - 0x4480 64 -"};

TEST_CASE("tlp requests: each once, however many links it crosses, with what its requester had got before it") {
  const Read read(log_of({a_put[0], a_put[1], a_put[2], a_put[3], a_put[4], a_put[5], a_put[6]}));
  REQUIRE(read.all.size() == 3);
  CHECK_FALSE(read.all[0].after);
  REQUIRE(read.all[1].after);
  CHECK(read.all[1].after->request == 0);
  CHECK(read.all[1].after->what == Cause::What::passed);
  CHECK(read.all[1].after->at == 200ns);
  REQUIRE(read.all[2].after);
  CHECK(read.all[2].after->request == 1);
  CHECK(read.all[2].after->what == Cause::What::answered);
  CHECK(read.all[2].after->at == 900ns);
  REQUIRE(read.requests.entries().size() == 2);
  const Entry::Sum& reads = read.requests.entries()[1].sums.at(TlpKind::read);
  CHECK(reads.answered.n() == 1);
  CHECK(reads.answered.most() == 400'000);
  CHECK(reads.passed.most() == 100'000);
  CHECK(read.requests.entries()[0].sums.at(TlpKind::write).passed.most() == 100'000);
  CHECK(read.requests.first() == 100ns);
  CHECK(read.requests.last() == 950ns);
  CHECK(read.requests.unanswered() == 0);
}

TEST_CASE("tlp requests: equal ones, one behind the other, are as many as entered") {
  const Read read(
      log_of({"1 node0.gpu0_pcie up MWr 0x0001 - 0x8000 8 -", "2 node0.gpu0_pcie up MWr 0x0001 - 0x8000 8 -",
              "3 node0.nic0_pcie down MWr 0x0001 - 0x8000 8 -", "4 node0.gpu0_pcie up MWr 0x0001 - 0x8000 8 -",
              "5 node0.nic0_pcie down MWr 0x0001 - 0x8000 8 -", "6 node0.nic0_pcie down MWr 0x0001 - 0x8000 8 -"}));
  CHECK(read.all.size() == 3);
  const Entry::Sum& writes = read.requests.entries().at(0).sums.at(TlpKind::write);
  CHECK(writes.passed.n() == 3);
  CHECK(writes.passed.most() == 3'000);
}

TEST_CASE("tlp requests: another node's requester of the same number is another one") {
  const Read read(
      log_of({"1 node0.nic0_pcie up MWr 0x0002 - 0x6000 8 -", "2 node1.nic0_pcie up MWr 0x0002 - 0x6000 8 -"}));
  CHECK(read.all.size() == 2);
  CHECK(read.requests.entries().size() == 2);
}

TEST_CASE("tlp requests: what a device does by itself isn't played, and an answer without success counts") {
  const Read read(log_of(
      {"1 node0.dma0_pcie up MRd 0x0040 1 0x1000 8 AT=request", "2 node0.dma0_pcie down CplD 0x0040 1 0x1000 8 -",
       "3 node0.dma0_pcie down Msg 0x0000 - 0x1000 8 -", "4 node0.dma0_pcie up MRd 0x0040 1 0x1000 64 AT=translated",
       "5 node0.dma0_pcie down Cpl 0x0040 1 0x1000 0 UR", "6 node0.dma0_pcie up MRd 0x0040 2 0x1000 64 -"}));
  CHECK(read.all.size() == 2);
  CHECK(read.requests.unused().size() == 2);
  const Entry::Sum& reads = read.requests.entries().at(0).sums.at(TlpKind::read);
  CHECK(reads.failed == 1);
  CHECK(reads.answered.n() == 0);
  CHECK(read.requests.unanswered() == 1);
}

TEST_CASE("tlp requests: a write of no bytes goes nowhere") {
  const Read read(log_of({"1 node0.nic0_pcie up MWr 0x0002 - 0x6000 0 -"}));
  CHECK(read.all.empty());
  CHECK(read.requests.unused().contains("writes of no bytes"));
}

TEST_CASE("tlp requests: a host's go down first, and what came to it from its node may be why") {
  const Read read(
      log_of({"1 node0.gpu0_pcie up MWr 0x0001 - 0x40 8 -", "9 node0.nic0_pcie down MWr 0x0000 - 0x8000 8 -"}));
  REQUIRE(read.all.size() == 2);
  CHECK(read.requests.entries()[1].direction == Direction::down);
  REQUIRE(read.all[1].after);
  CHECK(read.all[1].after->what == Cause::What::entered);
}

TEST_CASE("tlp requests: memory is bounded: what is seen again long after counts as new") {
  std::string text = header;
  const auto write = [&](std::uint64_t ns, const char* link, const char* way, std::uint64_t address) {
    text += std::to_string(ns) + ".000\t" + link + "\t" + way + "\tMWr\t0x0001\t-\t" + std::to_string(address) +
            "\t8\t1\t-\t" + std::to_string(ns) + ".500\t-\n";
  };
  write(1, "node0.gpu0_pcie", "up", 10);
  for (std::uint64_t i = 0; i < (1 << 16); ++i) write(2 + i, "node0.gpu0_pcie", "up", 100 + i);
  write(100'000, "node0.nic0_pcie", "down", 10);
  CHECK(Read(text).all.size() == (1 << 16) + 2);
}

}  // namespace
}  // namespace gicsim::tlp
