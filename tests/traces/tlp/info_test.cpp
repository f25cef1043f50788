// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/tlp/info.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "models/base/errors.h"
#include "tests/support/files.h"
#include "traces/tlp/header.h"
#include "traces/tlp/nettlp.h"

namespace gicsim::tlp {
namespace {

const std::string log_head =
    "# gicsim.tlp_log/1: one line a TLP\n"
    "time_ns\tlink\tdirection\ttype\trequester\ttag\taddress\tlength\tlast\tstage\tsent_ns\tflags\n";

void put(std::string& out, std::uint64_t value, int octets) {
  while (octets-- > 0) out += static_cast<char>(value >> 8 * octets);
}

/// A datagram from 10.0.0.`from` in a record of a big-endian pcap in us.
std::string frame(const std::string& payload, int from, std::uint32_t us, std::uint32_t seconds = 1'500'000'000,
                  std::uint16_t port = 0x3001) {
  std::string ip;
  put(ip, 0x4500, 2), put(ip, 28 + payload.size(), 2), put(ip, 0, 4), put(ip, 0x40110000, 4);
  put(ip, 0x0a000000u + static_cast<unsigned>(from), 4), put(ip, 0x0a000000u + static_cast<unsigned>(3 - from), 4);
  put(ip, port, 2), put(ip, port, 2), put(ip, 8 + payload.size(), 2), put(ip, 0, 2);
  std::string out;
  put(out, seconds, 4), put(out, us, 4), put(out, 14 + ip.size() + payload.size(), 4),
      put(out, 14 + ip.size() + payload.size(), 4);
  return out + std::string(12, '\2') + std::string("\x08\x00", 2) + ip + payload;
}
const std::string pcap_head = [] {
  std::string out;
  put(out, 0xa1b2c3d4, 4), put(out, 0x00020004, 4), put(out, 0, 8), put(out, 65535, 4), put(out, 1, 4);
  return out;
}();
std::string tlp_of(const Record& record, const Extra& extra = {}) {
  const auto header = header_of(record, extra);
  return std::string(6, '\0') + std::string(header.begin(), header.end()) +
         std::string(static_cast<std::size_t>(payload_of(record, extra).count()), '\0');
}

const Record ask{
    .link = {}, .kind = TlpKind::read, .requester = 3, .tag = 1, .address = 0x12345678ff0, .length = 300_B};
const Record first{.link = {}, .kind = TlpKind::completion, .requester = 3, .tag = 1, .address = 0x70, .length = 144_B};
const Record second{.link = {}, .kind = TlpKind::completion, .requester = 3, .tag = 1, .address = 0, .length = 156_B};

TEST_CASE("tlp info: by link, direction and type; reads from their request to their last data") {
  const Folder folder;
  const std::string file = folder.write(
      "t.tsv", log_head + "1.000\tn.pcie\tup\tMRd\t0x0003\t1\t0x100\t256\t1\twqe_read\t2.000\t-\n"
                          "2.000\tn.pcie\tup\tMRd\t0x0003\t2\t0x800\t64\t1\twqe_read\t3.000\t-\n"
                          "501.000\tn.pcie\tdown\tCplD\t0x0003\t1\t0x100\t128\t0\twqe_read\t502.000\t-\n"
                          "601.000\tn.pcie\tdown\tCplD\t0x0003\t1\t0x180\t128\t1\twqe_read\t602.500\t-\n");
  const auto source = open(file);
  REQUIRE(source);
  const Info info = survey("t.tsv", *source);
  CHECK(info.tlps == 4);
  CHECK(info.begin == 1ns);
  CHECK(info.end == 602'500_ps);
  const LinkInfo& link = info.links.at("n.pcie");
  CHECK(link.sums.at({Direction::up, "MRd"}).n == 2);
  CHECK(link.sums.at({Direction::up, "MRd"}).bytes == 320_B);
  CHECK(link.sums.at({Direction::down, "CplD"}).bytes == 256_B);
  CHECK(link.reads.n() == 1);
  CHECK(link.reads.least() == 600);
  CHECK(link.unanswered == 1);
  const std::string text = to_text(info);
  CHECK(text.find("t.tsv: gicsim.tlp_log/1, 4 TLPs on 1 link, 601.5 ns from the first to the last") == 0);
  CHECK(text.find("1 reads, from request to last data p50 600 ns") != text.npos);
  const auto json = nlohmann::json::parse(to_json({info}));
  CHECK(json.at("files").at(0).at("links").at(0).at("reads").at("p50_ns") == 600);
}

TEST_CASE(
    "tlp info: a capture of NetTLP has its times from its first frame, and completions get their addresses from their "
    "requests") {
  const Folder folder;
  const std::string file =
      folder.write("c.pcap", pcap_head + frame(tlp_of(ask), 1, 10) + frame(tlp_of(first, {9, 300_B}), 2, 12) +
                                 frame(std::string(3, 'x'), 2, 12) + frame(tlp_of(second, {9, 156_B}), 2, 13));
  const auto source = open(file);
  REQUIRE(source);
  CHECK(source->format() == "NetTLP in pcap, us, big-endian");
  Record r;
  REQUIRE(source->next(r));
  CHECK(r.begin == 0ns);
  CHECK(r.link == "10.0.0.1-10.0.0.2");
  CHECK(r.direction == Direction::up);
  CHECK(r.length == 300_B);
  REQUIRE(source->next(r));
  CHECK(r.begin == 2us);
  CHECK(r.direction == Direction::down);
  CHECK(r.address == 0x12345678ff0);
  CHECK(r.length == 144_B);
  REQUIRE(source->next(r));
  CHECK(r.address == 0x12345678ff0 + 144);
  CHECK_FALSE(source->next(r));
  CHECK(source->note() == "1 frame not used: cut off before the end of its headers");
  folder.write("c.hosts", "# names\n10.0.0.1 node0.gpu0_pcie\n");
  const auto named = open(file);
  REQUIRE(named->next(r));
  CHECK(r.link == "node0.gpu0_pcie");
  CHECK(survey("c.pcap", *open(file)).links.at("node0.gpu0_pcie").reads.least() == 3000);
}

TEST_CASE("tlp info: what is neither is left to others; a capture that was cut says at which byte") {
  const Folder folder;
  CHECK_FALSE(open(folder.path()));
  CHECK_FALSE(open(folder.path() + "/none"));
  CHECK_FALSE(open(folder.write("a.txt", "hello")));
  CHECK_FALSE(open(folder.write("roce.pcap", pcap_head + frame(std::string(40, '\0'), 1, 1, 9, 4791))));
  CHECK_FALSE(open(folder.write("other.pcap", pcap_head + frame(std::string(40, '\xff'), 1, 1))));
  const std::string whole = pcap_head + frame(tlp_of(ask), 1, 10) + frame(tlp_of(ask), 1, 11);
  for (std::size_t size = pcap_head.size() + 81; size < whole.size(); size += 7) {
    const auto source = open(folder.write("cut.pcap", whole.substr(0, size)));
    REQUIRE(source);
    CHECK_THROWS_AS(survey("cut.pcap", *source), ConfigError);
  }
  std::string far = pcap_head + frame(tlp_of(ask), 1, 10) + frame(tlp_of(ask), 1, 10, 4'000'000'000);
  CHECK_THROWS_AS(survey("far.pcap", *open(folder.write("far.pcap", far))), ConfigError);
}

TEST_CASE("tlp info: requests without end don't pile up") {
  const Folder folder;
  std::string text = log_head;
  for (int i = 0; i < 70'000; ++i)
    text += "1.000\tl\tup\tMRd\t0x" + std::to_string(1000 + i / 1000) + "\t" + std::to_string(i % 1000) +
            "\t0x0\t4\t1\t-\t1.000\t-\n";
  const Info info = survey("t", *open(folder.write("t.tsv", text)));
  CHECK(info.tlps == 70'000);
  CHECK(info.links.at("l").unanswered == 70'000 - (1 << 16));
}

}  // namespace
}  // namespace gicsim::tlp
