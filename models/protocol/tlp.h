// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "models/protocol/transfer.h"

namespace gicsim {

enum class TlpKind : std::uint8_t { write, read, completion };
constexpr std::string_view name_of(TlpKind k) {
  return k == TlpKind::write ? "MWr" : k == TlpKind::read ? "MRd" : "CplD";
}

using RequesterId = std::uint16_t;

class TlpSource;

/// A transaction layer packet: a length and a handle, no bytes.
struct Tlp {
  TlpKind kind = TlpKind::write;
  bool last = false;       ///< of its transfer
  RequesterId requester = 0;
  std::uint16_t tag = 0;
  Bytes length{};          ///< payload; of a read: what it asks for
  Address address = 0;
  Transfer* transfer = nullptr;
  const char* via = nullptr;  ///< the switch that it came through to this link
  TlpSource* held = nullptr;  ///< link whose receiver buffer it occupies
};

/// The sending end of the link that a TLP came by: gets its credits back.
class TlpSource {
 public:
  virtual void release(const Tlp& tlp, Picoseconds now) = 0;

 protected:
  ~TlpSource() = default;
};

/// The receiving end of a link.
class TlpSink : virtual public sc_core::sc_interface {
 public:
  virtual void arrive(const Tlp& tlp) = 0;
};

/// The sending end of a link: takes any number, sends them as credits and the wire allow.
class TlpPort : virtual public sc_core::sc_interface {
 public:
  /// `ready`: when the TLP has come through the sender; never earlier than the one before.
  virtual void send(const Tlp& tlp, Picoseconds ready) = 0;
};

/// A fact: a TLP has left a link's sender.
struct TlpSent {
  const Tlp& tlp;
  std::string_view link;
  Picoseconds begin, end;
};

}  // namespace gicsim
