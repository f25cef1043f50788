// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/tlp/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace gicsim::tlp {
namespace {

enum Type : unsigned {
  memory = 0x00,
  completion = 0x0a,
  fetch_add = 0x0c,
  swap = 0x0d,
  compare_swap = 0x0e,
  by_id = 0x12
};
constexpr unsigned four_dwords = 1, with_data = 2;  // bits of Fmt
constexpr std::int64_t most = 4096;                 ///< what a field of 0 says

unsigned code_of(CompletionStatus status) {
  return status == CompletionStatus::unsupported ? 1 : status == CompletionStatus::abort ? 4 : 0;
}

/// Enables of the first and the last DWORD.
unsigned enables(Address address, std::int64_t length) {
  if (length == 0) return 0;
  const auto first = static_cast<unsigned>(address & 3),
             end = static_cast<unsigned>((address + static_cast<Address>(length)) & 3);
  const unsigned from = 0xfu << first & 0xfu, to = end == 0 ? 0xfu : 0xfu >> (4 - end);
  return static_cast<std::int64_t>(first) + length <= 4 ? from & to : from | to << 4;
}

/// A flush is read as one DWORD of which nothing is enabled, and answered by one.
bool is_answer_of_flush(const Record& r) {
  return r.kind == TlpKind::completion && r.length == Bytes{} && r.status == CompletionStatus::successful;
}

std::int64_t dwords(const Record& r) {
  const std::int64_t length = r.length.count();
  if (r.kind == TlpKind::atomic) return length * (r.op == AtomicOp::compare_swap ? 2 : 1) / 4;
  if (length == 0) return r.kind == TlpKind::read || is_answer_of_flush(r) ? 1 : 0;
  return (static_cast<std::int64_t>(r.address & 3) + length + 3) / 4;
}

bool carries(const Record& r) {
  return r.kind == TlpKind::write || r.kind == TlpKind::atomic || (r.kind != TlpKind::read && r.length > Bytes{}) ||
         is_answer_of_flush(r);
}

unsigned type_bits(const Record& r) {
  switch (r.kind) {
    case TlpKind::write:
    case TlpKind::read: return memory;
    case TlpKind::completion: return completion;
    case TlpKind::message: return by_id;
    case TlpKind::atomic: break;
  }
  return r.op == AtomicOp::swap ? swap : r.op == AtomicOp::compare_swap ? compare_swap : fetch_add;
}

void put(std::vector<std::uint8_t>& out, std::uint64_t value, int octets) {
  while (octets-- > 0) out.push_back(static_cast<std::uint8_t>(value >> 8 * octets));
}

std::uint64_t get(std::span<const std::uint8_t> octets, std::size_t at, std::size_t n) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < n; ++i) value = value << 8 | octets[at + i];
  return value;
}

/// Address and length by the enabled bytes.
void read_memory(Record& r, std::span<const std::uint8_t> octets, bool wide, std::int64_t dwords) {
  const unsigned first = octets[7] & 0xfu, last = octets[7] >> 4u;
  r.address = get(octets, 8, wide ? 8 : 4) & ~Address{3};
  if (r.kind == TlpKind::atomic) {
    r.length = Bytes(dwords * 4 / (r.op == AtomicOp::compare_swap ? 2 : 1));
    return;
  }
  const int skipped = first == 0 ? 0 : std::countr_zero(first);
  r.address += static_cast<Address>(skipped);
  const int end = dwords == 1 ? std::bit_width(first) : std::max(1, static_cast<int>(std::bit_width(last)));
  r.length = Bytes((dwords - 1) * 4 + end - skipped);
}

}  // namespace

Bytes payload_of(const Record& record, const Extra&) { return carries(record) ? Bytes(dwords(record) * 4) : Bytes{}; }

std::vector<std::uint8_t> header_of(const Record& r, const Extra& extra) {
  std::vector<std::uint8_t> out;
  const bool wide = r.kind == TlpKind::message || (r.kind != TlpKind::completion && r.address >> 32 != 0);
  const unsigned form = (wide ? four_dwords : 0) | (carries(r) ? with_data : 0);
  const unsigned tag = r.tag.value_or(0), length = static_cast<unsigned>(dwords(r)) & 0x3ffu;
  put(out, form << 5 | type_bits(r), 1);
  put(out, (tag >> 9 & 1u) << 7 | (tag >> 8 & 1u) << 3 | (r.by_id ? 4u : 0u), 1);
  put(out,
      (r.poisoned ? 0x4000u : 0u) | (r.relaxed ? 0x2000u : 0u) | static_cast<unsigned>(r.address_type) << 10 | length,
      2);
  if (r.kind == TlpKind::completion) {
    put(out, extra.completer, 2);
    put(out, code_of(r.status) << 13 | (static_cast<unsigned>(is_answer_of_flush(r) ? 1 : extra.left.count()) & 0xfffu),
        2);
    put(out, r.requester, 2);
    put(out, tag & 0xffu, 1);
    put(out, r.address & 0x7f, 1);
    return out;
  }
  put(out, r.requester, 2);
  put(out, tag & 0xffu, 1);
  if (r.kind == TlpKind::message) {
    put(out, static_cast<unsigned>(r.code.value_or(MessageCode::none)), 1);
    put(out, extra.completer, 2);
    put(out, 0, 6);
    return out;
  }
  put(out, r.kind == TlpKind::atomic ? 0 : enables(r.address, r.length.count()), 1);
  put(out, r.address & ~Address{3}, wide ? 8 : 4);
  return out;
}

std::variant<std::pair<Record, Extra>, std::string> read_header(std::span<const std::uint8_t> octets) {
  if (octets.size() < 12) return "cut off before the end of its header";
  const unsigned form = octets[0] >> 5, type = octets[0] & 0x1fu, fields = static_cast<unsigned>(get(octets, 2, 2));
  if (form > 3) return "a TLP prefix; not read";
  const bool wide = (form & four_dwords) != 0, data = (form & with_data) != 0;
  if (wide && octets.size() < 16) return "cut off before the end of its header";
  std::pair<Record, Extra> read;
  auto& [r, extra] = read;
  std::int64_t dwords = fields & 0x3ffu;
  if (dwords == 0 && (data || type == memory)) dwords = 1024;
  r.by_id = (octets[1] & 4u) != 0, r.relaxed = (fields & 0x2000u) != 0, r.poisoned = (fields & 0x4000u) != 0;
  r.address_type = static_cast<AddressType>(std::min(fields >> 10 & 3u, 2u));
  const unsigned high = (octets[1] >> 7 & 1u) << 9 | (octets[1] >> 3 & 1u) << 8;
  const auto tag_of = [high](std::uint8_t low) { return static_cast<std::uint16_t>(high | low); };
  if (type == completion) {
    r.kind = TlpKind::completion;
    const unsigned status = static_cast<unsigned>(get(octets, 6, 2));
    extra.completer = static_cast<RequesterId>(get(octets, 4, 2));
    extra.left = Bytes((status & 0xfffu) == 0 ? most : status & 0xfffu);
    r.status = status >> 13 == 0   ? CompletionStatus::successful
               : status >> 13 == 4 ? CompletionStatus::abort
                                   : CompletionStatus::unsupported;
    r.requester = static_cast<RequesterId>(get(octets, 8, 2));
    r.tag = tag_of(octets[10]);
    r.address = octets[11] & 0x7fu;
    r.length = data ? std::min(extra.left, Bytes(dwords * 4 - static_cast<std::int64_t>(r.address & 3))) : Bytes{};
    return read;
  }
  r.requester = static_cast<RequesterId>(get(octets, 4, 2));
  if (type >> 3 == 2 && wide) {
    r.kind = TlpKind::message;
    r.code = static_cast<MessageCode>(octets[7]);
    extra.completer = static_cast<RequesterId>(get(octets, 8, 2));
    r.length = Bytes(data ? dwords * 4 : 0);
    return read;
  }
  if (type == memory) {
    r.kind = data ? TlpKind::write : TlpKind::read;
  } else if (type >= fetch_add && type <= compare_swap && data) {
    r.kind = TlpKind::atomic;
    r.op = type == swap ? AtomicOp::swap : type == compare_swap ? AtomicOp::compare_swap : AtomicOp::fetch_add;
  } else {
    return fmt::format("neither memory, completion, atomic nor message (Fmt and Type 0x{:02x})", octets[0]);
  }
  if (flow_of(r.kind) != Flow::posted) r.tag = tag_of(octets[6]);
  read_memory(r, octets, wide, dwords);
  return read;
}

}  // namespace gicsim::tlp
