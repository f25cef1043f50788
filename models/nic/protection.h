// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/protocol/content.h"

namespace gicsim::nic {

/// What a registration allows. Source: InfiniBand 1.5, 10.6.3
struct Access {
  bool local_write = true, remote_write = true, remote_read = true, remote_atomic = true;
};

/// Memory that was registered with a NIC. Bounds are addresses of its node; its keys, local and remote, are one number.
struct Region {
  Address begin = 0, end = 0;
  std::uint32_t domain = 0;  ///< protection domain
  Access access{};
};

/// What somebody wants to do with memory.
enum class Use : std::uint8_t { local_read, local_write, remote_write, remote_read, remote_atomic };

/// A NIC's memory regions. Without any, nothing is checked: whoever builds a bare NIC needn't register. Key 0 is that of
/// privileged users and means all memory.
/// Not modelled: memory windows, zero-based addresses, the time of a look-up (every one hits).
class Protection {
 public:
  std::uint32_t add(const Region& region) {
    regions_.push_back(region);
    return static_cast<std::uint32_t>(regions_.size()) << 8;
  }
  bool on() const { return !regions_.empty(); }
  /// @return why it isn't allowed; empty: it is
  std::string refusal(std::uint32_t key, std::uint32_t domain, Address address, Bytes length, Use use) const;

 private:
  bool names_one(std::uint32_t key) const { return key % 256 == 0 && key != 0 && key >> 8 <= regions_.size(); }

  std::vector<Region> regions_;
};

}  // namespace gicsim::nic
