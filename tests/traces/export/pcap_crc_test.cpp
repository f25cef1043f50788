// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The writer's CRCs against values that others give, and against the reader's checker, which shares no code with it.
#include <doctest/doctest.h>

#include <cctype>

#include "tests/traces/export/pcap_support.h"
#include "traces/export/crc.h"

namespace gicsim::exports {
namespace {

std::string octets(std::string_view hex) {
  std::string text;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    text += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return text;
}

TEST_CASE("pcap: CRC-32 of the string that catalogues of CRCs give it for") {
  CHECK(Crc32().add("123456789").value() == 0xcbf43926);
  CHECK(Crc32().add("1234").add("56789").value() == 0xcbf43926);
  CHECK(Crc32().value() == 0);
}

/// The local packet on whose CRCs implementations of InfiniBand are tried: ICRC 96 25 b7 5a.
TEST_CASE("pcap: ICRC and VCRC of InfiniBand's sample packet") {
  const std::string packet =
      octets("7012375c000e17d20a2024870087b1b3000dec2a01710a1c015d400238f27a05"
             "0000000ebb884d85fd5cfba4728bc0690ed40000");
  REQUIRE(packet.size() == 52);
  std::string masked = packet;
  masked[0] |= '\xf0';
  masked[12] = '\xff';
  CHECK(Crc32().add(masked).value() == 0x5ab72596);
  CHECK(roce::icrc_infiniband(octets_of(packet)) == 0x5ab72596);
  CHECK(vcrc(packet + octets("9625b75a")) == vcrc_by_bits(packet + octets("9625b75a")));
  CHECK(vcrc(packet + octets("9625b75a")) == 0xfa45);
}

TEST_CASE("pcap: the VCRC changes with every bit") {
  std::string packet(57, 'g');
  const std::uint16_t right = vcrc(packet);
  CHECK(right == vcrc_by_bits(packet));
  for (std::size_t bit = 0; bit < packet.size() * 8; ++bit) {
    packet[bit / 8] ^= static_cast<char>(1 << bit % 8);
    REQUIRE(vcrc(packet) != right);
    REQUIRE(vcrc(packet) == vcrc_by_bits(packet));
    packet[bit / 8] ^= static_cast<char>(1 << bit % 8);
  }
}

}  // namespace
}  // namespace gicsim::exports
