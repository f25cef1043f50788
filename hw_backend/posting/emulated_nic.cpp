// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/emulated_nic.h"

#include <array>
#include <cstdio>
#include <cstring>

namespace gicsim::hw::posting {
namespace {

/// What a device reports: a local operation, a local and a remote access that weren't allowed.
constexpr std::uint8_t local_operation = 0x02, local_protection = 0x04, remote_access = 0x13;

bool known(unsigned opcode) {
  switch (static_cast<Opcode>(opcode)) {
    case Opcode::write:
    case Opcode::write_imm:
    case Opcode::read:
    case Opcode::cas:
    case Opcode::fadd: return true;
  }
  return false;
}

Segment swapped(const Segment& s) { return {{be32(s.word[0]), be32(s.word[1]), be32(s.word[2]), be32(s.word[3])}}; }

std::uint16_t low16(std::uint32_t v) { return static_cast<std::uint16_t>(v); }

/// The doorbell is seen first: what was ordered before it can be read as soon as the load of it has come back.
Segment load(const Segment* from) {
  Segment s;
  for (int i = 0; i < 4; ++i) s.word[i] = __atomic_load_n(&from->word[i], __ATOMIC_RELAXED);
  return s;
}

}  // namespace

std::string_view to_name(Fault fault) {
  static constexpr std::array<std::string_view, 19> names = {
      "none", "doorbell_byte_order", "doorbell_qpn", "index_skipped", "record_in_receive_slot", "record_byte_order",
      "record_not_wrapped", "record_behind", "wqe_byte_order", "wqe_not_wrapped", "stale_wqe", "wqe_index", "wqe_qpn", "wqe_opcode",
      "wqe_size", "inline_header", "local_key", "remote_key", "doorbell_value"};
  return names[static_cast<std::size_t>(fault)];
}

EmulatedNic::EmulatedNic(const Queue& queue, Ring ring, std::vector<Region> memory)
    : queue_(queue), ring_(ring), memory_(std::move(memory)), last_doorbell_(*queue.doorbell) {}

std::string EmulatedNic::fault_text() const {
  char words[96];
  std::snprintf(words, sizeof words, " at WQE %u (0x%016llx)", fault_index_, static_cast<unsigned long long>(fault_word_));
  return "queue " + std::to_string(queue_.qpn) + ": " + std::string(to_name(fault_)) + words;
}

void EmulatedNic::on_doorbell(std::uint64_t value) {
  last_doorbell_ = value;
  ++doorbells_;
  const Control rung = decode_doorbell(value);
  if (const Fault f = check_doorbell(value); f != Fault::none) return refuse(f, next_, rung, value);
  const std::uint32_t end = next_ + low16(rung.index + 1U - next_);
  if (ring_ == Ring::out_of_reach) {
    next_ = end;
    return complete(rung, 0);
  }
  const Fault f = check_record(queue_.record, end, queue_.depth);
  if (f == Fault::record_behind) ++records_behind_;
  else if (f != Fault::none)
    return refuse(f, next_, rung, static_cast<std::uint64_t>(queue_.record[0]) << 32U | queue_.record[1]);
  while (next_ != end) {
    Segment wqe[4];
    for (unsigned i = 0; i < 4; ++i) wqe[i] = load(queue_.slots + static_cast<std::size_t>(next_ & (queue_.depth - 1)) * 4 + i);
    const Control c = decode(wqe[0]);
    Fault wrong = check_wqe(wqe, next_);
    if (wrong == Fault::none && next_ + 1 == end && doorbell_of(wqe[0]) != value) wrong = Fault::doorbell_value;
    if (wrong == Fault::none) wrong = execute(wqe);
    if (wrong != Fault::none) return refuse(wrong, next_, c, doorbell_of(wqe[0]));
    ++next_;
  }
}

Fault EmulatedNic::check_doorbell(std::uint64_t value) const {
  const Control c = decode_doorbell(value);
  const auto ahead = low16(c.index + 1U - next_);
  if (c.qpn == queue_.qpn) return ahead == 0 || ahead > queue_.depth ? Fault::index_skipped : Fault::none;
  const Segment turned = swapped({{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32U), 0, 0}});
  return decode(turned).qpn == queue_.qpn ? Fault::doorbell_byte_order : Fault::doorbell_qpn;
}

/// @param next        that the doorbell, or the poster, has come to
/// @param ahead_most  how far the poster may have gone on meanwhile
Fault EmulatedNic::check_record(const std::uint32_t* record, std::uint32_t next, std::uint32_t ahead_most) const {
  const std::uint32_t raw = __atomic_load_n(record + 1, __ATOMIC_RELAXED);
  const auto near = [&](std::uint32_t v) { return low16(v - next) <= ahead_most; };
  const std::uint32_t value = be32(raw);
  if (value <= 0xffff && near(value)) return Fault::none;
  if (raw != 0 && raw <= 0xffff && near(raw)) return Fault::record_byte_order;
  if (value > 0xffff && near(value)) return Fault::record_not_wrapped;
  const std::uint32_t receive = be32(__atomic_load_n(record, __ATOMIC_RELAXED));
  if (receive != 0 && receive <= 0xffff && near(receive)) return Fault::record_in_receive_slot;
  return Fault::record_behind;
}

Fault EmulatedNic::check_wqe(const Segment* wqe, std::uint32_t index) const {
  const Control c = decode(wqe[0]);
  const Control turned = decode(swapped(wqe[0]));
  if (c.qpn != queue_.qpn && turned.qpn == queue_.qpn) return Fault::wqe_byte_order;
  if (c.qpn == 0 || (c.index == low16(index - queue_.depth) && c.qpn == queue_.qpn)) return Fault::stale_wqe;
  if (c.qpn != queue_.qpn) return Fault::wqe_qpn;
  if (c.index != low16(index)) return Fault::wqe_index;
  if (c.opmod != 0) return c.opmod == static_cast<std::uint8_t>(index >> 16U) ? Fault::wqe_not_wrapped : Fault::wqe_opcode;
  if (!known(c.opcode)) return Fault::wqe_opcode;
  const auto opcode = static_cast<Opcode>(c.opcode);
  if (is_atomic(opcode)) return c.size == 4 ? Fault::none : Fault::wqe_size;
  const std::uint32_t first = be32(wqe[2].word[0]);
  if ((first & 0x80000000U) == 0) return c.size == 3 ? Fault::none : c.size == 4 ? Fault::inline_header : Fault::wqe_size;
  if (opcode == Opcode::read) return Fault::inline_header;
  const std::uint32_t bytes = first & 0x3ffU;
  if (bytes > inline_most) return Fault::inline_header;
  return c.size == wqe_size(opcode, true, bytes) ? Fault::none : Fault::wqe_size;
}

Fault EmulatedNic::execute(const Segment* wqe) {
  const Control c = decode(wqe[0]);
  switch (static_cast<Opcode>(c.opcode)) {
    case Opcode::read: return read(wqe);
    case Opcode::cas:
    case Opcode::fadd: return atomic(wqe, c);
    default: return write(wqe, c);
  }
}

Fault EmulatedNic::write(const Segment* wqe, const Control& c) {
  const std::uint64_t to = joined(wqe[1].word[0], wqe[1].word[1]);
  const std::uint32_t first = be32(wqe[2].word[0]);
  const bool inlined = (first & 0x80000000U) != 0;
  const std::uint32_t bytes = inlined ? first & 0x3ffU : first;
  const std::uint64_t address = joined(wqe[2].word[2], wqe[2].word[3]);
  const Region* from = inlined ? nullptr : region(be32(wqe[2].word[1]), address, bytes);
  if (!inlined && from == nullptr) return Fault::local_key;
  const Region* target = region(be32(wqe[1].word[2]), to, bytes);
  if (target == nullptr) return Fault::remote_key;
  move(target, to, from, inlined ? reinterpret_cast<std::uint64_t>(&wqe[2].word[1]) : address, bytes);
  if ((c.flags & want_cqe) != 0) complete(c, bytes);
  return Fault::none;
}

Fault EmulatedNic::read(const Segment* wqe) {
  const std::uint64_t from = joined(wqe[1].word[0], wqe[1].word[1]), to = joined(wqe[2].word[2], wqe[2].word[3]);
  const std::uint32_t bytes = be32(wqe[2].word[0]);
  const Region* target = region(be32(wqe[2].word[1]), to, bytes);
  if (target == nullptr) return Fault::local_key;
  const Region* source = region(be32(wqe[1].word[2]), from, bytes);
  if (source == nullptr) return Fault::remote_key;
  move(target, to, source, from, bytes);
  const Control c = decode(wqe[0]);
  if ((c.flags & want_cqe) != 0) complete(c, bytes);
  return Fault::none;
}

Fault EmulatedNic::atomic(const Segment* wqe, const Control& c) {
  const std::uint64_t at = joined(wqe[1].word[0], wqe[1].word[1]), back = joined(wqe[3].word[2], wqe[3].word[3]);
  const Region* result = region(be32(wqe[3].word[1]), back, 8);
  if (result == nullptr || be32(wqe[3].word[0]) != 8) return Fault::local_key;
  const Region* target = region(be32(wqe[1].word[2]), at, 8);
  if (target == nullptr || at % 8 != 0) return Fault::remote_key;
  const std::uint64_t operand = joined(wqe[2].word[0], wqe[2].word[1]), compare = joined(wqe[2].word[2], wqe[2].word[3]);
  const auto cpu = [](const std::uint64_t& v) { return reinterpret_cast<std::uint64_t>(&v); };
  std::uint64_t found = 0;
  move(nullptr, cpu(found), target, at, 8);
  const std::uint64_t after =
      static_cast<Opcode>(c.opcode) == Opcode::fadd ? found + operand : found == compare ? operand : found;
  move(target, at, nullptr, cpu(after), 8);
  move(result, back, nullptr, cpu(found), 8);
  if ((c.flags & want_cqe) != 0) complete(c, 8);
  return Fault::none;
}

const Region* EmulatedNic::region(std::uint32_t key, std::uint64_t address, std::uint64_t bytes) const {
  for (const Region& r : memory_)
    if (r.key == key && address >= r.address && bytes <= r.bytes && address - r.address <= r.bytes - bytes) return &r;
  return nullptr;
}

/// @param to, from  null: memory of the NIC's own
void EmulatedNic::move(const Region* to, std::uint64_t to_address, const Region* from, std::uint64_t from_address,
                       std::size_t bytes) const {
  void* target = reinterpret_cast<void*>(to_address);
  const void* source = reinterpret_cast<const void*>(from_address);
  if (to != nullptr && to->copy) to->copy(target, source, bytes);
  else if (from != nullptr && from->copy) from->copy(target, source, bytes);
  else if (bytes == 8 && to_address % 8 == 0) {  // a poller must not see half of a word
    std::uint64_t word;
    std::memcpy(&word, source, 8);
    __atomic_store_n(static_cast<std::uint64_t*>(target), word, __ATOMIC_RELEASE);
  } else {
    std::memcpy(target, source, bytes);
  }
}

/// The last word goes last: it is what a poster looks at.
void EmulatedNic::complete(const Control& c, std::uint32_t bytes) {
  Cqe* at = queue_.completions + (queue_.collapsed ? 0 : cqes_ & (queue_.completion_depth - 1));
  const unsigned owner = cqe_owner(cqes_, queue_.completion_depth);
  const Cqe cqe = fault_ == Fault::none ? cqe_of(c, bytes, owner)
                                        : error_cqe_of(c,
                                                       fault_ == Fault::local_key    ? local_protection
                                                       : fault_ == Fault::remote_key ? remote_access
                                                                                     : local_operation,
                                                       static_cast<std::uint8_t>(fault_), owner);
  for (int i = 11; i < 15; ++i) __atomic_store_n(&at->word[i], cqe.word[i], __ATOMIC_RELAXED);
  __atomic_store_n(&at->word[15], cqe.word[15], __ATOMIC_RELEASE);
  ++cqes_;
}

void EmulatedNic::refuse(Fault fault, std::uint32_t index, const Control& c, std::uint64_t found) {
  fault_ = fault;
  fault_index_ = index;
  fault_word_ = found;
  Control at = c;
  at.index = low16(index);  // what the poster wrote may be anything; it waits for this one
  complete(at, 0);
}

void EmulatedNic::audit(const Segment* slots, const std::uint32_t* record) {
  if (fault_ != Fault::none) return;
  const auto found = [&](Fault f, std::uint32_t index, std::uint64_t word) {
    fault_ = f, fault_index_ = index, fault_word_ = word;
  };
  if (const Fault f = check_record(record, next_, 0); f != Fault::none)
    return found(f, next_, static_cast<std::uint64_t>(record[0]) << 32U | record[1]);
  const std::uint32_t there = next_ < queue_.depth ? next_ : queue_.depth;
  for (std::uint32_t i = next_ - there; i != next_; ++i) {
    const Segment* wqe = slots + static_cast<std::size_t>(i & (queue_.depth - 1)) * 4;
    if (const Fault f = check_wqe(wqe, i); f != Fault::none) return found(f, i, doorbell_of(wqe[0]));
  }
}

}  // namespace gicsim::hw::posting
