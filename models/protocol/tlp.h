// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "models/protocol/transfer.h"

namespace gicsim {

enum class TlpKind : std::uint8_t { write, read, completion, atomic, message };
constexpr std::string_view name_of(TlpKind k) {
  constexpr std::string_view names[] = {"MWr", "MRd", "CplD", "AtomicOp", "Msg"};
  return names[static_cast<std::size_t>(k)];
}

/// The three kinds of flow control. Source: PCIe Base 5.0, 2.1.1
enum class Flow : std::uint8_t { posted, non_posted, completion };
constexpr Flow flow_of(TlpKind k) {
  switch (k) {
    case TlpKind::write:
    case TlpKind::message: return Flow::posted;
    case TlpKind::read:
    case TlpKind::atomic: return Flow::non_posted;
    case TlpKind::completion: break;
  }
  return Flow::completion;
}

/// Those messages that are modelled: the two of an ATS invalidation. Source: PCIe Base 5.0, 10.3
enum class MessageCode : std::uint8_t { none = 0x00, invalidate_request = 0x01, invalidate_completion = 0x02 };

using RequesterId = std::uint16_t;
inline constexpr RequesterId unknown_id = 0xffff;

class TlpSource;

/// A transaction layer packet: a length and a handle, no bytes.
struct Tlp {
  TlpKind kind = TlpKind::write;
  bool last = false;       ///< of its transfer
  RequesterId requester = 0;
  std::uint16_t tag = 0;
  RequesterId completer = unknown_id;  ///< of a completion: who made it; of a message: whom it is for, unknown: the root
  bool relaxed = false;    ///< attribute RO: relaxed ordering
  bool by_id = false;      ///< attribute IDO: ordered only among one requester's
  bool poisoned = false;   ///< bit EP: the data are known to be bad
  AddressType address_type = AddressType::untranslated;
  CompletionStatus status = CompletionStatus::successful;  ///< of a completion
  MessageCode code = MessageCode::none;
  Bytes length{};          ///< payload; of a read: what it asks for, 0 of a flush; of a Cpl without data: 0
  Address address = 0;
  Transfer* transfer = nullptr;
  const char* via = nullptr;  ///< the switch that it came through to this link
  TlpSource* held = nullptr;  ///< link whose receiver buffer it occupies
};

/// The completion without data that ends a request. Source: PCIe Base 5.0, 2.2.9
inline Tlp refusal(const Tlp& request, CompletionStatus status) {
  return {.kind = TlpKind::completion, .last = request.last, .requester = request.requester, .tag = request.tag,
          .status = status, .address = request.address, .transfer = request.transfer};
}

/// The sending end of the link that a TLP came by: gets its credits back.
class TlpSource {
 public:
  virtual void release(const Tlp& tlp, Picoseconds now) = 0;

 protected:
  ~TlpSource() = default;
};

/// Takes messages that are for its device.
class MessageSink {
 public:
  virtual void on_message(const Tlp& message) = 0;

 protected:
  ~MessageSink() = default;
};

/// Sends a device's messages.
class MessagePort {
 public:
  virtual void message(const Tlp& message) = 0;

 protected:
  ~MessagePort() = default;
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
