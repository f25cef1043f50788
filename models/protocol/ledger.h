// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/protocol/stage.h"
#include "models/units/time.h"

namespace gicsim {

/// Where a message's time went: a gapless sequence of stages from start() to the last close().
/// Whoever ends a stage closes it; so the entries add up by construction. A fork copies the
/// ledger, at a join the branch that arrives last goes on with its own. Messages are recycled with
/// their ledgers, so that in the long run nothing is allocated.
class Ledger {
 public:
  struct Entry {
    const char* at = nullptr;  ///< hierarchical name of the module that closed it
    Picoseconds time{}, waiting{};
    Stage stage = Stage::compute;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  using Entries = std::vector<Entry>;

  void start(Picoseconds now) {
    entries_.clear();
    start_ = last_ = now;
    waited_ = Picoseconds{};
    ++turn_;
  }
  /// Whoever carried this ledger (a packet, a transfer) carries it no more, as the transport sends
  /// again; what it closed beyond `now` didn't happen.
  void take_back(Picoseconds now);
  /// Ends the running stage at `now`. Nothing is kept of a stage that took no time.
  /// @throws std::logic_error when `now` lies before the last close.
  void close(Stage stage, const char* at, Picoseconds now);
  /// Goes on with what `after` recorded; it began where the last close of this one was.
  void append(const Ledger& after);
  /// Part of the running stage was spent in a queue or for a credit.
  void waited(Picoseconds time) { waited_ += time; }

  Picoseconds begun() const { return start_; }
  Picoseconds last() const { return last_; }
  Picoseconds total() const { return last_ - start_; }
  const Entries& entries() const { return entries_; }
  std::uint32_t turn() const { return turn_; }

 private:
  Entries entries_;
  Picoseconds start_{}, last_{}, waited_{};
  std::uint32_t turn_ = 0;
};

/// A ledger as a packet or a transfer carries it; null once it was taken back, or started anew for
/// another message. So of all copies of a packet only one writes.
class LedgerRef {
 public:
  LedgerRef(Ledger* ledger = nullptr) : ledger_(ledger), turn_(ledger ? ledger->turn() : 0) {}
  operator Ledger*() const { return ledger_ && ledger_->turn() == turn_ ? ledger_ : nullptr; }
  Ledger* operator->() const { return ledger_; }

 private:
  Ledger* ledger_;
  std::uint32_t turn_;
};

}  // namespace gicsim
