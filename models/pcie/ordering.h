// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/protocol/tlp.h"

namespace gicsim::pcie {

/// Rows and columns of the ordering table. Messages are posted; an AtomicOp is a non-posted request with data.
enum class OrderClass : std::uint8_t { posted, read, non_posted_with_data, completion };
constexpr OrderClass order_class(TlpKind kind) {
  switch (kind) {
    case TlpKind::write:
    case TlpKind::message: return OrderClass::posted;
    case TlpKind::read: return OrderClass::read;
    case TlpKind::atomic: return OrderClass::non_posted_with_data;
    case TlpKind::completion: break;
  }
  return OrderClass::completion;
}

enum class Passing : std::uint8_t {
  no,    ///< must not pass
  may,   ///< permitted: Y/N
  must,  ///< has to be able to, or requests and completions of both directions block one another for ever
};

/// What turns a cell's entry a) into its entry b); any one does.
enum Exception : std::uint8_t {
  none = 0,
  relaxed = 1,           ///< the later one has RO
  other_requester = 2,   ///< the later one has IDO, and the requesters differ
  other_completer = 4,   ///< the later one has IDO, and its completer isn't the earlier one's requester
  same_transaction = 8,  ///< both answer one request
};

struct OrderCell {
  std::string_view name;
  Passing a;
  std::uint8_t unless = none;  ///< of Exception
  Passing b = Passing::no;
};

/// [later][earlier]. Entry A5b, of bridges to conventional PCI, has no place here; nor D2b's configuration writes.
/// Source: PCIe Base 5.0, 2.4.1, Table 2-40
inline constexpr std::array<std::array<OrderCell, 4>, 4> order_table{{
    {{{"A2", Passing::no, relaxed | other_requester, Passing::may},
      {"A3", Passing::must},
      {"A4", Passing::must},
      {"A5", Passing::may}}},
    {{{"B2", Passing::no, other_requester, Passing::may},
      {"B3", Passing::may},
      {"B4", Passing::may},
      {"B5", Passing::may}}},
    {{{"C2", Passing::no, relaxed | other_requester, Passing::may},
      {"C3", Passing::may},
      {"C4", Passing::may},
      {"C5", Passing::may}}},
    {{{"D2", Passing::no, relaxed | other_completer, Passing::may},
      {"D3", Passing::must},
      {"D4", Passing::must},
      {"D5", Passing::may, same_transaction, Passing::no}}},
}};

inline const OrderCell& cell_of(const Tlp& later, const Tlp& earlier) {
  return order_table[static_cast<std::size_t>(order_class(later.kind))]
                    [static_cast<std::size_t>(order_class(earlier.kind))];
}

Passing passing(const Tlp& later, const Tlp& earlier);

/// Whether a TLP may leave before another that came first.
inline bool may_pass(const Tlp& later, const Tlp& earlier) { return passing(later, earlier) != Passing::no; }
/// Whether it has to be able to while the other is blocked.
inline bool must_pass(const Tlp& later, const Tlp& earlier) { return passing(later, earlier) == Passing::must; }

/// Whether a TLP of its kind may pass any of the other's kind, so of its flow, whatever their attributes.
inline bool always_passes(const Tlp& later, const Tlp& earlier) {
  const OrderCell& cell = cell_of(later, earlier);
  return cell.a != Passing::no && cell.unless == none;
}

/// Whether an attribute of a TLP can let it pass what its kind alone can't.
inline bool has_leave(const Tlp& tlp) { return tlp.by_id || (tlp.relaxed && tlp.kind != TlpKind::read); }

}  // namespace gicsim::pcie
