// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "traces/roce/datagram.h"

namespace gicsim::roce {

/// The upper three bits of an opcode. Source: InfiniBand 1.5, 9.2.1 and Annex A14 (XRC)
enum class Service : std::uint8_t { rc, uc, rd, ud, cnp, xrc, own, own_too };
constexpr std::string_view name_of(Service s) {
  constexpr std::string_view names[] = {"RC", "UC", "RD", "UD", "CNP", "XRC", "manufacturer's", "manufacturer's"};
  return names[static_cast<std::size_t>(s)];
}

/// The lower five, of all services. Source: InfiniBand 1.5, table 38
enum class Operation : std::uint8_t {
  send_first, send_middle, send_last, send_last_imm, send_only, send_only_imm,
  write_first, write_middle, write_last, write_last_imm, write_only, write_only_imm,
  read_request, response_first, response_middle, response_last, response_only,
  acknowledge, atomic_acknowledge, compare_swap, fetch_add, reserved, send_last_inv = 22, send_only_inv
};
/// "RC WRITE first"; "0xc4" for what nobody has named.
std::string name_of_opcode(std::uint8_t opcode);
constexpr bool is_answer(Operation o) { return o >= Operation::response_first && o <= Operation::atomic_acknowledge; }
constexpr bool is_response(Operation o) { return o >= Operation::response_first && o <= Operation::response_only; }
constexpr bool is_atomic(Operation o) { return o == Operation::compare_swap || o == Operation::fetch_add; }
constexpr bool is_send(Operation o) { return o <= Operation::send_only_imm || o >= Operation::send_last_inv; }
constexpr bool is_write(Operation o) { return o >= Operation::write_first && o <= Operation::write_only_imm; }
bool begins(Operation operation);  ///< a message
bool ends(Operation operation);

/// What a packet's headers say. Source: InfiniBand 1.5, 9.2 to 9.4; Annex A17
struct Header {
  std::uint8_t opcode = 0;
  Service service = Service::rc;
  Operation operation = Operation::send_first;
  bool solicited = false, migrated = false, fecn = false, becn = false, ack_request = false;
  std::uint8_t pad = 0;
  std::uint16_t partition = 0;
  std::uint32_t qp = 0;   ///< destination
  std::uint32_t psn = 0;
  struct Reth { std::uint64_t address; std::uint32_t key, length; };
  struct Aeth { std::uint8_t syndrome; std::uint32_t msn; };
  struct Deth { std::uint32_t key, source; };
  struct Atomic { std::uint64_t address; std::uint32_t key; std::uint64_t swap, compare; };
  std::optional<Reth> reth;
  std::optional<Aeth> aeth;
  std::optional<Deth> deth;
  std::optional<Atomic> atomic;
  std::optional<std::uint64_t> old_value;  ///< AtomicAckETH
  std::optional<std::uint32_t> immediate, invalidated, shared_receive;
  std::uint32_t payload = 0;  ///< octets on the wire, without padding
  Octets data;                ///< what was captured of it
};

/// Classes of an AETH's syndrome. Source: InfiniBand 1.5, 9.7.5.2.1
enum class Answer : std::uint8_t { ack, rnr_nak, reserved, nak };
constexpr Answer answer_of(std::uint8_t syndrome) { return static_cast<Answer>(syndrome >> 5 & 3); }
/// Of a NAK's lower five bits.
inline constexpr std::array<std::string_view, 5> nak_names = {"sequence", "invalid_request", "remote_access",
                                                              "remote_operation", "invalid_rd_request"};

/// @return the headers, or why they can't be read: cut off by a short snaplen, shorter than they must be, of a kind that
/// is counted only
std::variant<Header, Unused> decode(const Datagram& datagram);

}  // namespace gicsim::roce
