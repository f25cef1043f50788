// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <systemc>
#include <vector>

#include "models/link/fabric_params.h"
#include "models/protocol/packet.h"

namespace gicsim::link {

/// A switch's packet memory, shared by its ports. Who came in where counts for lossless priorities:
/// the packet that takes them beyond `xoff` pauses their port, and what still comes has the
/// headroom, which empties first. Lossy priorities are held to what may wait for one port. Closed
/// form: with inflow I and outflow O from one port to another, xoff is reached after xoff / (I -
/// O).
class SharedBuffer {
 public:
  /// @param lossless  bit mask of priorities
  SharedBuffer(const BufferParams& params, Count lossless, std::size_t ports)
      : params_(params), lossless_(lossless), in_(ports), out_(ports) {}

  enum class Outcome {
    stored,
    pause,
    dropped
  };  ///< pause: stored, and its port has to be paused now
  Outcome enter(const Packet& packet);
  /// @return whether the port that it came in through may go on
  bool leave(const Packet& packet);

  bool lossless(int priority) const { return is_in(lossless_, priority); }
  /// What waits for a port, of one priority or of all.
  Bytes waiting(std::size_t port, int priority) const {
    return out_[port].bytes[static_cast<std::size_t>(priority)];
  }
  Bytes waiting(std::size_t port) const { return out_[port].all; }
  Bytes held() const { return held_; }
  Bytes peak() const { return peak_; }

 private:
  struct Side {
    std::array<Bytes, priorities> bytes{}, headroom{};
    std::array<bool, priorities> paused{};
    Bytes all{};
  };
  const BufferParams& params_;
  Count lossless_;
  std::vector<Side> in_, out_;
  Bytes held_{}, peak_{};
};

}  // namespace gicsim::link
