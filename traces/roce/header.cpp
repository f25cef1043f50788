// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/header.h"

#include <fmt/format.h>

namespace gicsim::roce {
namespace {

constexpr std::uint8_t RETH = 1, AETH = 2, IMM = 4, IETH = 8, ATOMIC = 16, ATOMIC_ACK = 32;
struct Kind {
  std::string_view name;
  std::uint8_t headers;
  bool first, last;
};
constexpr std::array<Kind, 24> kinds = {{
    {"SEND first", 0, true, false},
    {"SEND middle", 0, false, false},
    {"SEND last", 0, false, true},
    {"SEND last with immediate", IMM, false, true},
    {"SEND only", 0, true, true},
    {"SEND only with immediate", IMM, true, true},
    {"WRITE first", RETH, true, false},
    {"WRITE middle", 0, false, false},
    {"WRITE last", 0, false, true},
    {"WRITE last with immediate", IMM, false, true},
    {"WRITE only", RETH, true, true},
    {"WRITE only with immediate", RETH | IMM, true, true},
    {"READ request", RETH, true, true},
    {"READ response first", AETH, true, false},
    {"READ response middle", 0, false, false},
    {"READ response last", AETH, false, true},
    {"READ response only", AETH, true, true},
    {"ACKNOWLEDGE", AETH, true, true},
    {"ATOMIC ACKNOWLEDGE", AETH | ATOMIC_ACK, true, true},
    {"COMPARE SWAP", ATOMIC, true, true},
    {"FETCH ADD", ATOMIC, true, true},
    {"", 0, false, false},
    {"SEND last with invalidate", IETH, false, true},
    {"SEND only with invalidate", IETH, true, true},
}};

bool known(std::uint8_t opcode) {
  const auto service = static_cast<Service>(opcode >> 5);
  const std::uint8_t kind = opcode & 31;
  switch (service) {
    case Service::rc:
    case Service::rd:
    case Service::xrc: return kind < kinds.size() && kind != 21;
    case Service::uc: return kind < 12;
    case Service::ud: return kind == 4 || kind == 5;
    case Service::cnp: return kind <= 1;
    default: return false;
  }
}

/// Takes one header after the other.
struct Cursor {
  Octets octets;
  std::size_t at;
  Octets take(std::size_t n) {
    const Octets header = octets.subspan(at, n);
    at += n;
    return header;
  }
};

std::size_t length_of(const Header& header, std::uint8_t headers) {
  std::size_t n = 12;
  if (header.service == Service::ud) n += 8;
  if (header.service == Service::xrc && !is_answer(header.operation)) n += 4;
  if (headers & RETH) n += 16;
  if (headers & ATOMIC) n += 28;
  if (headers & AETH) n += 4;
  if (headers & ATOMIC_ACK) n += 8;
  if (headers & IMM) n += 4;
  if (headers & IETH) n += 4;
  return n;
}

void take_all(Header& header, std::uint8_t headers, Cursor& cursor) {
  if (header.service == Service::ud) {
    const Octets h = cursor.take(8);
    header.deth = {big32(h, 0), big24(h, 5)};
  }
  if (header.service == Service::xrc && !is_answer(header.operation)) header.shared_receive = big24(cursor.take(4), 1);
  if (headers & RETH) {
    const Octets h = cursor.take(16);
    header.reth = {big64(h, 0), big32(h, 8), big32(h, 12)};
  }
  if (headers & ATOMIC) {
    const Octets h = cursor.take(28);
    header.atomic = {big64(h, 0), big32(h, 8), big64(h, 12), big64(h, 20)};
  }
  if (headers & AETH) {
    const Octets h = cursor.take(4);
    header.aeth = {h[0], big24(h, 1)};
  }
  if (headers & ATOMIC_ACK) header.old_value = big64(cursor.take(8), 0);
  if (headers & IMM) header.immediate = big32(cursor.take(4), 0);
  if (headers & IETH) header.invalidated = big32(cursor.take(4), 0);
}

}  // namespace

bool begins(Operation operation) { return kinds[static_cast<std::size_t>(operation)].first; }
bool ends(Operation operation) { return kinds[static_cast<std::size_t>(operation)].last; }

std::string name_of_opcode(std::uint8_t opcode) {
  const auto service = static_cast<Service>(opcode >> 5);
  if (!known(opcode)) return fmt::format("0x{:02x}", opcode);
  if (service == Service::cnp) return "CNP";
  return fmt::format("{} {}", name_of(service), kinds[opcode & 31].name);
}

std::variant<Header, Unused> decode(const Datagram& datagram) {
  const Octets octets = datagram.payload;
  if (datagram.length < 16) return Unused{"shorter than a BTH and an ICRC"};
  if (octets.size() < 12) return Unused{"cut off before the end of its headers"};
  Header header;
  header.opcode = octets[0];
  header.service = static_cast<Service>(octets[0] >> 5);
  header.operation = static_cast<Operation>(octets[0] & 31);
  header.solicited = octets[1] & 0x80;
  header.migrated = octets[1] & 0x40;
  header.pad = octets[1] >> 4 & 3;
  if (octets[1] & 15) return Unused{"a BTH of another version than 0"};
  header.partition = big16(octets, 2);
  header.fecn = octets[4] & 0x80;
  header.becn = octets[4] & 0x40;
  header.qp = big24(octets, 5);
  header.ack_request = octets[8] & 0x80;
  header.psn = big24(octets, 9);
  if (header.service == Service::rd) return Unused{"reliable datagrams: recognised, not read"};
  if (header.service >= Service::own) return Unused{"a manufacturer's own opcode (mlx5's DC has such): not read"};
  if (!known(header.opcode)) return Unused{"an opcode that InfiniBand 1.5 doesn't know"};
  if (header.service == Service::cnp) return header;
  const std::uint8_t headers = kinds[header.opcode & 31].headers;
  const std::size_t length = length_of(header, headers);
  if (datagram.length < length + header.pad + 4) return Unused{"shorter than its headers"};
  if (octets.size() < length) return Unused{"cut off before the end of its headers"};
  Cursor cursor{octets, 12};
  take_all(header, headers, cursor);
  header.payload = datagram.length - static_cast<std::uint32_t>(length) - header.pad - 4;
  header.data = octets.subspan(length, std::min<std::size_t>(header.payload, octets.size() - length));
  return header;
}

}  // namespace gicsim::roce
