// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/base/describe.h"
#include "models/protocol/atomic_done.h"

namespace gicsim::system {

/// An atomic that another one's write undid, as it came between that one's read and its write.
struct LostAtomic {
  Address address = 0;
  std::string lost, by;
  Picoseconds at{}, read{}, written{};
};

/// The ordering checker of a node's atomics: a NIC that reads and writes is atomic against itself alone.
/// Source: InfiniBand 1.5, 11.2.1.2 (atomicity of an HCA: IBV_ATOMIC_HCA); PCIe Base 5.0, 6.15 (AtomicOps)
class Atomics {
 public:
  void on(const AtomicDone& done);
  /// The first one, and how many reads and writes had others' atomics between.
  const std::optional<LostAtomic>& lost() const { return first_; }
  Count undid() const { return undid_; }

 private:
  struct One {
    std::string who;
    Picoseconds since{}, at{};
  };
  struct Word {
    std::optional<One> latest;
    std::vector<One> visible_later;  ///< writes that have arrived
  };
  void undo(Address address, const One& by, const One& lost);

  std::map<Address, Word> words_;
  std::optional<LostAtomic> first_;
  Count undid_ = 0;
};

}  // namespace gicsim::system
