// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/protocol/tlp.h"

/// PCIe traffic as captures have it: a TLP a record.
namespace gicsim::tlp {

/// Towards the root complex, away from it, or between two of them.
enum class Direction : std::uint8_t { up, down, across };
constexpr std::string_view name_of(Direction d) {
  constexpr std::string_view names[] = {"up", "down", "-"};
  return names[static_cast<std::size_t>(d)];
}

/// One TLP on one link. What a format doesn't have is left out.
struct Record {
  Picoseconds begin{};                 ///< its first symbol leaves the sender
  std::optional<Picoseconds> end{};    ///< its last one has left
  std::string link;                    ///< "node0.gpu0_pcie"
  Direction direction = Direction::across;
  TlpKind kind = TlpKind::write;
  RequesterId requester = 0;
  std::optional<std::uint16_t> tag{};  ///< of what isn't posted
  Address address = 0;  ///< of a completion: of its data; of one whose request wasn't seen its low 7 bits
  Bytes length{};                      ///< payload; of a read: what it asks for
  std::optional<bool> last{};          ///< of its transfer
  std::optional<std::string> stage{};  ///< what it is for
  bool relaxed = false, by_id = false, poisoned = false;
  AddressType address_type = AddressType::untranslated;
  CompletionStatus status = CompletionStatus::successful;
  std::optional<AtomicOp> op{};
  std::optional<MessageCode> code{};
  friend bool operator==(const Record&, const Record&) = default;
};

/// "MWr", "MRd", "CplD", "Cpl", ..
constexpr std::string_view type_of(const Record& record) {
  return record.kind == TlpKind::completion && record.length == Bytes{} ? "Cpl" : name_of(record.kind);
}

/// TLPs one by one, in memory that doesn't grow with their number.
class Source {
 public:
  virtual ~Source() = default;
  /// @return false at the end
  /// @throws ConfigError, with the line or byte, for what is cut off or can't be
  virtual bool next(Record& record) = 0;
  /// At the end: what the file lacks, or had that isn't used; "": nothing.
  virtual std::string note() const = 0;
  virtual std::string format() const = 0;
  /// How far it is, 0 .. 1.
  virtual double progress() const { return 0; }
};

}  // namespace gicsim::tlp
