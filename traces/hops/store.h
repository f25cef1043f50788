// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/protocol/ledger.h"
#include "models/units/bytes.h"

/// What a run did, as one SQLite file that SQL asks questions of.
namespace gicsim::hops {

/// A message and its ways: entries as its ledgers have them, from `begun` on.
struct Message {
  std::int64_t number = 0;  ///< its poster's own
  std::string verb, poster, peer, queue_pair;
  Bytes bytes{};
  bool measured = true;     ///< not of the warm-up
  Picoseconds begun{};
  const Ledger* completion = nullptr;
  const Ledger* delivery = nullptr;
};

/// A TLP on a link or a packet on a cable.
struct Hop {
  std::string kind;  ///< "tlp", "packet"
  std::string link, type, stage;
  Bytes bytes{};     ///< payload; of a read: what it asks for
  Picoseconds begin{}, end{};
  std::optional<std::int64_t> address{}, requester{}, tag{}, psn{}, queue_pair{};
  bool lost = false;
};

/// Tables run, messages, stages, hops; docs/hops.md has their columns. Bounded: what there is no room for is refused.
class Store {
 public:
  explicit Store(Bytes limit);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  void tell(std::string_view key, std::string_view value);
  /// With its hops, as a whole. @return false: there is no room, for this and for whatever comes later
  bool add(const Message& message, const std::vector<Hop>& hops);
  /// One that is no message's.
  bool add(const Hop& hop);
  /// The file. Nothing is added after that.
  std::string file();

 private:
  struct Database;
  bool room(std::size_t rows);
  void insert(const Hop& hop, std::optional<std::int64_t> message);
  void insert(std::int64_t message, const char* branch, const Ledger& ledger, Picoseconds begun);

  Bytes limit_;
  std::int64_t messages_ = 0;
  bool full_ = false;
  std::unique_ptr<Database> database_;
};

}  // namespace gicsim::hops
