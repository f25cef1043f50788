// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "models/protocol/content.h"

namespace gicsim {

struct Transfer;

/// Whoever began a transfer. A read calls back when its last byte is here, a write when it is
/// visible at the target: a bookkeeping fact, as posted writes have no completion.
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

/// One memory access of any length, as a device asks for it.
struct Transfer {
  enum class Kind : std::uint8_t { write, read, atomic };
  Kind kind = Kind::write;
  Stage stage = Stage::remote_write;
  bool ordered = false;       ///< a DMA write that must stay in order (relaxed ordering clear)
  bool by_id = false;         ///< ID-based ordering
  bool poisoned = false;      ///< of a write, or what a read got
  CompletionStatus status = CompletionStatus::successful;  ///< how a read or an atomic ended
  AddressType address_type = AddressType::untranslated;
  Address address = 0;
  Bytes length{};
  Content content{};          ///< a write's, or what a read saw
  std::uint32_t lines = 1;    ///< cells that a read covers, 64 B apart (a batch of WQEs)
  std::vector<Content> more{};  ///< what it saw in the lines after the first
  Picoseconds sampled{};      ///< when a read saw it
  std::vector<Picoseconds> next{};  ///< of each line: when newer content becomes visible; 0: none
  LedgerRef ledger{};
  Initiator* initiator = nullptr;
  Picoseconds begun{};        ///< the initiator's own, like the cookie
  void* cookie = nullptr;     ///< the initiator's own
  Bytes requested{}, returned{};  ///< the endpoint's: how far it has come
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
    std::vector<Picoseconds> next = std::move(transfer.next);
    more.clear(), next.clear();
    transfer = Transfer{};
    transfer.more = std::move(more), transfer.next = std::move(next);
    free_.push_back(&transfer);
  }
  std::size_t out() const { return all_.size() - free_.size(); }

 private:
  std::deque<Transfer> all_;
  std::vector<Transfer*> free_;
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
};

}  // namespace gicsim
