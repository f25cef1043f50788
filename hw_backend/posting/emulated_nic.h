// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "hw_backend/posting/queue.h"

namespace gicsim::hw::posting {

/// What a poster did wrong, in the order of the NIC's looking.
enum class Fault : std::uint8_t {
  none,
  doorbell_byte_order,    ///< its words are little-endian
  doorbell_qpn,           ///< of another queue
  index_skipped,          ///< further ahead than the queue is deep, or behind
  record_in_receive_slot, ///< written to word [0]
  record_byte_order,      ///< little-endian
  record_not_wrapped,     ///< not cut to 16 bits
  record_behind,          ///< not as far as the doorbells, and the poster is at rest
  wqe_byte_order,         ///< little-endian
  wqe_not_wrapped,        ///< an index over 16 bits runs into the opcode's modifier
  stale_wqe,              ///< what stood in the slot a turn ago, or nothing
  wqe_index,              ///< another slot's
  wqe_qpn,                ///< of another queue
  wqe_opcode,             ///< none that is known here
  wqe_size,               ///< `ds` isn't what the opcode takes
  inline_header,          ///< no inline flag, or longer than the WQE
  local_key,              ///< no such memory, or beyond its end
  remote_key,             ///< the same on the far side
  doorbell_value,         ///< not the last WQE's first 8 bytes
};
std::string_view to_name(Fault fault);

/// Memory that a key gives access to. Addresses are those that WQEs carry.
struct Region {
  using Copy = std::function<void(void* to, const void* from, std::size_t bytes)>;
  std::uint32_t key = 0;
  std::uint64_t address = 0, bytes = 0;
  Copy copy;  ///< to or from it, where the CPU can't touch it itself; empty: memcpy
};

/// The NIC's end of one queue, on real bytes: finds the doorbell, holds it against record and WQEs, moves the payload and
/// writes the CQE. A wrong one ends in an error CQE and an error state, as on a real device, but with the fault's name.
/// Stricter than a device, which reads the record for recovery only and of a doorbell QPN and index.
class EmulatedNic {
 public:
  /// Whether the CPU can read ring and record. Without it a doorbell is answered by one CQE, for its index, and payloads
  /// stay where they are; audit() looks at ring and record afterwards.
  enum class Ring { readable, out_of_reach };

  EmulatedNic(const Queue& queue, Ring ring, std::vector<Region> memory);

  /// One look at the doorbell. @return it rang
  bool poll() {
    const std::uint64_t value = __atomic_load_n(queue_.doorbell, __ATOMIC_ACQUIRE);
    if (value == last_doorbell_ || fault_ != Fault::none) return false;
    on_doorbell(value);
    return true;
  }
  /// Of a copy of ring and record, once the poster is at rest: all WQEs that are still there, and the record.
  void audit(const Segment* slots, const std::uint32_t* record);
  /// Doorbells that overtook their record. A device doesn't mind: it reads the record only to recover.
  std::uint32_t records_behind() const { return records_behind_; }

  std::uint32_t served() const { return next_; }  ///< WQEs
  std::uint32_t doorbells() const { return doorbells_; }
  Fault fault() const { return fault_; }
  std::string fault_text() const;  ///< with index and words. @pre there is one

 private:
  void on_doorbell(std::uint64_t value);
  Fault check_doorbell(std::uint64_t value) const;
  Fault check_record(const std::uint32_t* record, std::uint32_t next, std::uint32_t ahead_most) const;
  Fault check_wqe(const Segment* wqe, std::uint32_t index) const;
  Fault execute(const Segment* wqe);
  Fault write(const Segment* wqe, const Control& c);
  Fault read(const Segment* wqe);
  Fault atomic(const Segment* wqe, const Control& c);
  const Region* region(std::uint32_t key, std::uint64_t address, std::uint64_t bytes) const;
  void move(const Region* to, std::uint64_t to_address, const Region* from, std::uint64_t from_address, std::size_t bytes) const;
  void complete(const Control& c, std::uint32_t bytes);
  void refuse(Fault fault, std::uint32_t index, const Control& c, std::uint64_t found);

  Queue queue_;
  Ring ring_;
  std::vector<Region> memory_;
  std::uint64_t last_doorbell_;
  std::uint32_t next_ = 0, cqes_ = 0, doorbells_ = 0, records_behind_ = 0;
  Fault fault_ = Fault::none;
  std::uint32_t fault_index_ = 0;
  std::uint64_t fault_word_ = 0;
};

}  // namespace gicsim::hw::posting
