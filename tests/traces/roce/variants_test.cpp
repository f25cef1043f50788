// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The same run in the many forms that captures come in: what happened stays the same.
#include <doctest/doctest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <tuple>

#include "tests/traces/roce/support.h"

namespace gicsim::roce {
namespace {

struct Kept {
  std::int64_t ns;
  std::string octets;
};

std::vector<Kept> frames_of(const std::string& name) {
  std::ifstream in(sample_path(name), std::ios::binary);
  Capture capture(in, name);
  std::vector<Kept> all;
  for (Frame frame; capture.next(frame);)
    all.push_back({frame.ns, std::string(frame.octets.begin(), frame.octets.end())});
  return all;
}

std::string bytes(std::uint64_t value, int n) {
  std::string s;
  put(s, value, n);
  return s;
}
std::string before_type(const std::string& frame, const std::string& what) {
  return frame.substr(0, 12) + what + frame.substr(12);
}

/// An Ethernet frame up to IPv4's checksum.
std::string ip(std::uint32_t lengths, std::uint32_t flags, std::uint8_t protocol) {
  return std::string("\x02\0\0\0\0\1\x02\0\0\0\0\2\x08\0", 14) + bytes(lengths, 4) + bytes(flags, 4) + bytes(0x40, 1) +
         bytes(protocol, 1);
}

/// What flows did, in the order of their names.
std::vector<std::tuple<std::string, std::string, std::uint32_t, std::array<std::uint64_t, 14>>> told(
    const Survey& survey) {
  std::vector<std::tuple<std::string, std::string, std::uint32_t, std::array<std::uint64_t, 14>>> all;
  for (const auto& f : survey.flows())
    all.emplace_back(to_text(f->key.from), to_text(f->key.to), f->key.qp,
                     std::array<std::uint64_t, 14>{f->messages, f->cut, f->payload, f->packets, f->answers, f->resent,
                                                   f->resent_after_nak, f->duplicates, f->naks[0], f->acks, f->missing,
                                                   f->late, f->mtu, f->responses_again});
  return all;
}

struct Variant {
  const char* name;
  File file;
  std::function<std::string(const std::string& frame)> change;
};

const std::string own_macs = std::string("\x02\0\0\0\0\1\x02\0\0\0\0\2", 12);
std::string as_it_is(const std::string& frame) { return frame; }
std::string cooked(const std::string& frame) {
  return bytes(0, 2) + bytes(1, 2) + bytes(6, 2) + frame.substr(6, 6) + bytes(0, 2) + frame.substr(12);
}
std::string cooked2(const std::string& frame) {
  return frame.substr(12, 2) + bytes(0, 2) + bytes(2, 4) + bytes(1, 2) + bytes(6, 2) + frame.substr(6, 6) +
         bytes(0, 2) + frame.substr(14);
}

const std::vector<Variant> variants = {
    {"stamps in us", {.nano = false}, as_it_is},
    {"big-endian", {.big = true}, as_it_is},
    {"big-endian, us", {.nano = false, .big = true}, as_it_is},
    {"128 octets of each", {.snaplen = 128}, as_it_is},
    {"96 octets of each", {.snaplen = 96}, as_it_is},
    {"a VLAN tag", {}, [](const std::string& f) { return before_type(f, bytes(0x8100'0064, 4)); }},
    {"two VLAN tags", {}, [](const std::string& f) { return before_type(f, bytes(0x88a8'0064'8100'e007, 8)); }},
    {"two VLAN tags of old", {}, [](const std::string& f) { return before_type(f, bytes(0x9100'0064'8100'0007, 8)); }},
    {"with its FCS",
     {.link = 1u | 2u << 29 | 1u << 26},
     [](const std::string& f) { return f + bytes(0xdead'beef, 4); }},
    {"with its FCS, unsaid", {}, [](const std::string& f) { return f + bytes(0xdead'beef, 4); }},
    {"padded", {}, [](const std::string& f) { return f + std::string(f.size() % 9, '\0'); }},
    {"cooked (SLL)", {.link = 113}, cooked},
    {"cooked (SLL2)", {.link = 276}, cooked2},
    {"bare IP", {.link = 101}, [](const std::string& f) { return f.substr(14); }},
    {"BSD loopback", {.link = 0}, [](const std::string& f) { return bytes(0x0200'0000, 4) + f.substr(14); }},
};
const std::vector<const char*> sampled = {"rxe-write-4KiB-reqloss", "rxe-put-signal-atomic", "rxe-send-rnr",
                                          "rxe-read-4KiB", "rxe-write-lat-64B"};

TEST_CASE("variants: counts are the same in whatever form the frames come") {
  for (const char* name : sampled) {
    const auto frames = frames_of(name);
    const auto truth = told(read_info(sample_path(name)).survey);
    for (const Variant& variant : variants) {
      CAPTURE(name);
      CAPTURE(variant.name);
      File file = variant.file;
      for (const Kept& one : frames) file.add(variant.change(one.octets), one.ns);
      const auto read = survey(file.octets);
      CHECK(read.wrong.empty());
      CHECK(read.survey.used == frames.size());
      CHECK(read.survey.icrc_wrong == 0);
      CHECK(read.survey.icrc_right + read.survey.cut_short == frames.size());
      CHECK(told(read.survey) == truth);
    }
  }
}

TEST_CASE("variants: what else goes over the wire is counted, with its reason, and changes nothing") {
  const std::vector<std::pair<std::string, std::string>> others = {
      {own_macs + bytes(0x0806, 2) + std::string(46, '\0'), "neither IP nor RoCE"},
      {own_macs + bytes(0x0026, 2) + "BB\x03" + std::string(40, '\0'), "neither IP nor RoCE"},
      {own_macs + bytes(0x8915, 2) + std::string(60, '\x60'), "RoCEv1 (Ethertype 0x8915): recognised, not read"},
      {ip(0x4500'0028, 0x4000, 0x06) + std::string(30, '\0'), "IP, not UDP"},
      {ip(0x4500'0400, 0x2000, 0x11) + std::string(1010, '\0'), "IP fragment"},
      {ip(0x4500'0030, 0x4000, 0x11) + std::string(10, '\x0a') + bytes(0x14e9'14e9'001c'0000, 8) +
           std::string(20, '\0'),
       "UDP to another port"},
      {ip(0x4500'0030, 0x4000, 0x11) + std::string(10, '\x0a') + bytes(0xc000'12b7'0200'0000, 8) +
           std::string(20, '\0'),
       "UDP's length doesn't fit into IP's"},
      {ip(0x4200'0030, 0x4000, 0x11) + std::string(30, '\0'), "IPv4 header with lengths that can't be"},
      {ip(0x4500'0030, 0x4000, 0x11) + std::string(10, '\x0a') + bytes(0xc000'12b7'000a'0000, 8) +
           std::string(20, '\0'),
       "shorter than a BTH and an ICRC"},
      {own_macs + bytes(0x86dd, 2), "cut off before the end of its headers"},
      {"short", "cut off before the end of its headers"}};
  const auto frames = frames_of("rxe-put-signal-atomic");
  const auto truth = told(read_info(sample_path("rxe-put-signal-atomic")).survey);
  for (const auto& [octets, why] : others) {
    CAPTURE(why);
    File file;
    for (const Kept& one : frames) file.add(one.octets, one.ns), file.add(octets, one.ns + 10);
    const auto read = survey(file.octets);
    CHECK(told(read.survey) == truth);
    REQUIRE(read.survey.not_used().size() == 1);
    CHECK(read.survey.not_used()[0].why == why);
    CHECK(read.survey.not_used()[0].frames == frames.size());
    CHECK(read.survey.not_used()[0].first == 2);
  }
}

TEST_CASE("variants: a mirror port that doubles all frames; each counts once") {
  for (const char* name : sampled) {
    CAPTURE(name);
    File file;
    const auto frames = frames_of(name);
    for (const Kept& one : frames) file.add(one.octets, one.ns), file.add(one.octets, one.ns + 800);
    const auto read = survey(file.octets);
    CHECK(told(read.survey) == told(read_info(sample_path(name)).survey));
    std::uint64_t copies = 0;
    for (const auto& flow : read.survey.flows()) copies += flow->copies;
    CHECK(copies == frames.size());
  }
}

TEST_CASE("variants: frames that whoever captured lost are missing PSNs, not resends") {
  File file;
  const auto frames = frames_of("rxe-write-64KiB");
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (i % 50 != 20) file.add(frames[i].octets, frames[i].ns);
  const auto read = survey(file.octets);
  CHECK(read.flow().messages == 6);
  CHECK(read.flow().resent == 0);
  CHECK(read.flow().missing == 384 - read.flow().packets);
  CHECK(read.flow().missing > 0);
}

std::string gzipped(const std::string& octets, const std::string& name) {
  const std::string file = (std::filesystem::temp_directory_path() / name).string();
  const gzFile out = gzopen(file.c_str(), "wb");
  REQUIRE(gzwrite(out, octets.data(), static_cast<unsigned>(octets.size())) == static_cast<int>(octets.size()));
  gzclose(out);
  return file;
}

TEST_CASE("variants: gzipped; cut off likewise, and packed by something else") {
  const std::string name = "rxe-write-4KiB-reqloss", octets = contents(sample_path(name));
  const std::string file = gzipped(octets, "gicsim-variants.pcap.gz");
  const Info info = read_info(file, sample_path(name + "-delivered"));
  CHECK(told(info.survey) == told(read_info(sample_path(name)).survey));
  CHECK(info.lost->count() == 3);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  CHECK_THROWS_WITH_AS(read_info(file), doctest::Contains("the file ends inside what is gzipped; it was cut off"),
                       ConfigError);
  const std::string inner = gzipped(octets.substr(0, 1000), "gicsim-variants.pcap.gz");
  CHECK_THROWS_WITH_AS(read_info(inner), doctest::Contains("byte 1000: the file ends inside a frame"), ConfigError);
  std::filesystem::remove(file);
  CHECK(survey(std::string("\x28\xb5\x2f\xfd....", 8)).wrong ==
        "f.pcap: compressed by zstd; unpack it first (zstd -d)");
  CHECK(survey(std::string("\xfd"
                           "7zXZ\0..",
                           8))
            .wrong == "f.pcap: compressed by xz; unpack it first (unxz)");
  CHECK(survey("snoop\0\0\0").wrong == "f.pcap: a capture of snoop's format; `editcap -F pcap` makes pcap of it");
}

}  // namespace
}  // namespace gicsim::roce
