// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/protocol/ledger.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace gicsim {

void Ledger::close(Stage stage, const char* at, Picoseconds now) {
  const Picoseconds time = now - last_;
  if (time < Picoseconds{})
    throw std::logic_error("ledger: " + std::string(name_of(stage)) + " at " + at + " ends " +
                           std::to_string(-time.count()) + " ps before it begins");
  if (time == Picoseconds{}) return;
  const Picoseconds waiting = std::min(waited_, time);
  waited_ = Picoseconds{};
  last_ = now;
  if (!entries_.empty() && entries_.back().stage == stage && entries_.back().at == at) {
    entries_.back().time += time;
    entries_.back().waiting += waiting;
    return;
  }
  entries_.push_back({at, time, waiting, stage});
}

void Ledger::take_back(Picoseconds now) {
  ++turn_;
  waited_ = Picoseconds{};
  while (last_ > now && !entries_.empty()) {
    Entry& entry = entries_.back();
    const Picoseconds kept = std::max(Picoseconds{}, entry.time - (last_ - now));
    last_ -= entry.time - kept;
    entry.time = kept;
    entry.waiting = std::min(entry.waiting, kept);
    if (kept == Picoseconds{}) entries_.pop_back();
  }
}

void Ledger::append(const Ledger& after) {
  Picoseconds at = after.start_;
  for (const Entry& entry : after.entries_) {
    waited(entry.waiting);
    close(entry.stage, entry.at, at += entry.time);
  }
}

}  // namespace gicsim
