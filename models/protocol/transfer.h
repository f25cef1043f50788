// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "models/protocol/content.h"

namespace gicsim {

struct Transfer;

/// Whoever began a transfer. A read calls back when its last byte is here, a write when it has arrived at
/// the target: a bookkeeping fact, as posted writes have no completion.
class Initiator {
 public:
  virtual void on_transferred(Transfer& transfer) = 0;

 protected:
  ~Initiator() = default;
};

/// How a completion ends its request. Source: PCIe Base 5.0, 2.2.9
enum class CompletionStatus : std::uint8_t { successful, unsupported, abort, timed_out };
constexpr std::string_view name_of(CompletionStatus s) {
  constexpr std::string_view names[] = {"SC", "UR", "CA", "completion time-out"};
  return names[static_cast<std::size_t>(s)];
}

/// The AT field of a memory request. Source: PCIe Base 5.0, 10.2
enum class AddressType : std::uint8_t { untranslated, translation_request, translated };

/// Source: PCIe Base 5.0, 6.15
enum class AtomicOp : std::uint8_t { fetch_add, swap, compare_swap };

/// One memory access as a device asks for it: of any length; a read of none is a flush; an atomic of 8 B.
struct Transfer {
  enum class Kind : std::uint8_t { write, read, atomic };
  Kind kind = Kind::write;
  Stage stage = Stage::remote_write;
  bool ordered = false;       ///< a NIC's write that must stay in order (relaxed ordering clear)
  bool relaxed = false;       ///< attribute RO of a write: of a NIC's, the opposite; a processor's stores have neither
  bool by_id = false;         ///< ID-based ordering
  bool rewrites = false;      ///< a write back of what an atomic has read at `sampled`
  bool poisoned = false;      ///< of a write, or what a read got
  CompletionStatus status = CompletionStatus::successful;  ///< how a read or an atomic ended; of a write, whether
                                                           ///< its own port took it: what is lost later, nobody tells
  AtomicOp op = AtomicOp::fetch_add;
  AddressType address_type = AddressType::untranslated;
  Address address = 0;
  Bytes length{};
  std::uint64_t operand = 0, compare = 0;  ///< an atomic's; the old value becomes its content
  const char* ended_by = "";  ///< who ended it without success, or was to answer
  const char* why = "";       ///< and why, if there is more to say than the status does
  Content content{};          ///< a write's, or what a read saw
  std::uint32_t lines = 1;    ///< cells that a read covers, 64 B apart (a batch of WQEs)
  std::vector<Content> more{};  ///< what it saw in the lines after the first
  Picoseconds sampled{};      ///< when a read saw it
  std::vector<Picoseconds> next{};  ///< of each line: when newer content becomes visible; 0: none
  std::vector<Picoseconds> since{}; ///< likewise: since when what it saw was visible
  LedgerRef ledger{};
  LedgerRef executed{};       ///< of an atomic: closed when its target has executed it
  Initiator* initiator = nullptr;
  Picoseconds begun{};        ///< the initiator's own, like the cookie
  void* cookie = nullptr;     ///< the initiator's own
  void* owner = nullptr;      ///< likewise
  Bytes requested{};          ///< the endpoint's: how far it has come
  std::int32_t open = 0;      ///< likewise: requests without their answer
  bool lost = false;          ///< likewise: one of them may still be under way somewhere
  struct Arrival {
    Bytes length{};          ///< that has arrived
    Picoseconds visible{};   ///< when all of that is in memory
  };
  mutable Arrival arrived{};  ///< a write's target's
  mutable Bytes served{};     ///< the completer's: how far its read requests have come
};

class TransferPool {
 public:
  Transfer& take() {
    if (free_.empty()) return all_.emplace_back();
    Transfer& transfer = *free_.back();
    free_.pop_back();
    return transfer;
  }
  void give(Transfer& transfer) {
    std::vector<Content> more = std::move(transfer.more);
    std::vector<Picoseconds> next = std::move(transfer.next), since = std::move(transfer.since);
    more.clear(), next.clear(), since.clear();
    transfer = Transfer{};
    transfer.more = std::move(more), transfer.next = std::move(next), transfer.since = std::move(since);
    free_.push_back(&transfer);
  }
  /// It has ended, but TLPs may be under way that refer to it: never given out again.
  void abandon(Transfer& transfer) {
    transfer.initiator = nullptr;
    transfer.ledger = transfer.executed = {};
    ++abandoned_;
  }
  std::size_t out() const { return all_.size() - free_.size() - abandoned_; }

 private:
  std::deque<Transfer> all_;
  std::vector<Transfer*> free_;
  std::size_t abandoned_ = 0;
};

/// What a device asks of the memory system; an endpoint or a coherent port stands behind.
class MemoryPort : virtual public sc_core::sc_interface {
 public:
  virtual Transfer& make() = 0;                 ///< from the port's pool, given back by itself
  virtual void submit(Transfer& transfer) = 0;  ///< in order within its kind
};

/// A device as a target of others' transfers.
class Target : virtual public sc_core::sc_interface {
 public:
  /// A write's last byte is here at `now`.
  virtual void on_write(Transfer& transfer, Picoseconds now) = 0;
  /// `length` bytes of a write arrived at `now`. @return when the receiver's buffer has them no more: until then
  /// the sender lacks their credits
  virtual Picoseconds accept(const Transfer& transfer, Bytes length, Picoseconds now) {
    (void)transfer, (void)length;
    return now;
  }
  /// When `length` bytes of a read that arrived at `now` can leave.
  virtual Picoseconds on_read(const Transfer& transfer, Bytes length, Picoseconds now) = 0;
  /// Fills in what the read saw.
  virtual void sample(Transfer& transfer, Picoseconds now) = 0;
  /// When the old value of an atomic that arrived at `now` can leave; nothing: it doesn't execute any.
  virtual std::optional<Picoseconds> on_atomic(const Transfer& transfer, Picoseconds now) {
    (void)transfer, (void)now;
    return std::nullopt;
  }
  /// Executes it: the line gets its new value, the transfer's content is the old one.
  virtual void execute(Transfer& transfer, Picoseconds now) { (void)transfer, (void)now; }
};

}  // namespace gicsim
