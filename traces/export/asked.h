// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>

#include "traces/export/frame.h"

namespace gicsim::exports {

/// What was asked for, by queue pairs and PSN. A packet refers to its WQE, which is gone once it was answered: so that of a
/// packet's first sight is kept, for those that come later.
class AskedFor {
 public:
  struct Found {
    const Asked* asked = nullptr;  ///< null: not known
    Payload payload{};
    Count sent = 0;                ///< so often did this PSN leave its sender
  };
  /// A request. @param leaves  it is at its sender's port, else on its way
  Found request(const Packet& packet, bool leaves);
  /// A response or an acknowledgement: what it answers.
  Found answer(const Packet& packet);

 private:
  /// A queue pair's requests to another. PSNs are counted on beyond 24 bits.
  struct Flow {
    std::uint32_t from, qpn, to, at;
    auto operator<=>(const Flow&) const = default;
  };
  struct Sent {
    Asked asked;
    bool known = false;
    Bytes offset{};  ///< in the message
    Count times = 0;
  };
  struct History {
    std::map<std::int64_t, Sent> sent;
    std::int64_t newest = 0;
    Bytes mtu{};  ///< as packets show it
    std::int64_t at(std::uint32_t psn) const;
  };
  static constexpr std::int64_t kept = 1 << 20;  ///< PSNs; no window is that large

  std::map<Flow, History> flows_;
};

}  // namespace gicsim::exports
