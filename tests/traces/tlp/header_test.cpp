// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/tlp/header.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace gicsim::tlp {
namespace {

using Bits = std::vector<std::uint8_t>;

std::pair<Record, Extra> read(const Bits& octets) {
  const auto found = read_header(octets);
  if (const auto* why = std::get_if<std::string>(&found)) FAIL(*why);
  return std::get<0>(found);
}

TEST_CASE("tlp header: octets as the standard draws them") {
  // MWr of 8 B at 0x12'3456'7894 by 0x0102, relaxed: 4 DW, first BE 0xf, last BE 0xf.
  const Record write{
      .link = {}, .kind = TlpKind::write, .requester = 0x0102, .address = 0x1234567894, .length = 8_B, .relaxed = true};
  CHECK(header_of(write, {}) ==
        Bits{0x60, 0x00, 0x20, 0x02, 0x01, 0x02, 0x00, 0xff, 0x00, 0x00, 0x00, 0x12, 0x34, 0x56, 0x78, 0x94});
  CHECK(payload_of(write, {}) == 8_B);
  // MRd of 5 B at 0x1003, tag 0x2a5: 3 DW, two DWORDs, of which the first gives one byte.
  const Record ask{
      .link = {}, .kind = TlpKind::read, .requester = 0x0300, .tag = 0x2a5, .address = 0x1003, .length = 5_B};
  CHECK(header_of(ask, {}) == Bits{0x00, 0x80, 0x00, 0x02, 0x03, 0x00, 0xa5, 0xf8, 0x00, 0x00, 0x10, 0x00});
  CHECK(payload_of(ask, {}) == 0_B);
  // CplD of its last 2 B.
  const Record answer{
      .link = {}, .kind = TlpKind::completion, .requester = 0x0300, .tag = 0x1a5, .address = 0x1006, .length = 2_B};
  CHECK(header_of(answer, {0x0500, 2_B}) ==
        Bits{0x4a, 0x08, 0x00, 0x01, 0x05, 0x00, 0x00, 0x02, 0x03, 0x00, 0xa5, 0x06});
  // Cpl: unsupported request.
  Record refusal = answer;
  refusal.length = 0_B, refusal.status = CompletionStatus::unsupported;
  CHECK(header_of(refusal, {0x0500, 4_B}) ==
        Bits{0x0a, 0x08, 0x00, 0x00, 0x05, 0x00, 0x20, 0x04, 0x03, 0x00, 0xa5, 0x06});
}

TEST_CASE("tlp header: whatever the address and length, what was written is read back") {
  for (Address address = 0xfff0; address < 0x1'0010; ++address)
    for (int length = 0; length <= 40; ++length)
      for (const TlpKind kind : {TlpKind::write, TlpKind::read}) {
        if (kind == TlpKind::write && length == 0) continue;
        Record r{.link = {},
                 .kind = kind,
                 .requester = 7,
                 .address = length == 0 ? address & ~Address{3} : address,
                 .length = Bytes(length)};
        if (kind == TlpKind::read) r.tag = 1023;
        REQUIRE(read(header_of(r, {})).first == r);
      }
  for (const std::int64_t length : {1, 4, 128, 4095, 4096}) {
    Record r{.link = {},
             .kind = TlpKind::completion,
             .requester = 7,
             .tag = 3,
             .address = 0x40,
             .length = Bytes(length),
             .by_id = true};
    const auto [back, extra] = read(header_of(r, {9, Bytes(length)}));
    CHECK(back == r);
    CHECK(extra.left == Bytes(length));
    CHECK(extra.completer == 9);
  }
  for (const AtomicOp op : {AtomicOp::fetch_add, AtomicOp::swap, AtomicOp::compare_swap}) {
    const Record r{.link = {},
                   .kind = TlpKind::atomic,
                   .requester = 7,
                   .tag = 3,
                   .address = 0x7'0000'0040,
                   .length = 8_B,
                   .op = op};
    CHECK(read(header_of(r, {})).first == r);
    CHECK(payload_of(r, {}) == Bytes(op == AtomicOp::compare_swap ? 16 : 8));
  }
  const Record message{
      .link = {}, .kind = TlpKind::message, .requester = 7, .length = 8_B, .code = MessageCode::invalidate_request};
  const auto [back, extra] = read(header_of(message, {0x44, {}}));
  CHECK(back == message);
  CHECK(extra.completer == 0x44);
}

TEST_CASE("tlp header: what isn't one is told, not guessed") {
  const auto why = [](const Bits& octets) { return std::get<std::string>(read_header(octets)); };
  CHECK(why({}) == "cut off before the end of its header");
  CHECK(why(Bits(11, 0)) == "cut off before the end of its header");
  Bits wide(12, 0);
  wide[0] = 0x20;
  CHECK(why(wide) == "cut off before the end of its header");
  CHECK(why(Bits(16, 0x80)) == "a TLP prefix; not read");
  Bits config(16, 0);
  config[0] = 0x04;
  CHECK(why(config) == "neither memory, completion, atomic nor message (Fmt and Type 0x04)");
}

}  // namespace
}  // namespace gicsim::tlp
