// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "models/protocol/content.h"

namespace gicsim {

/// A fact: an atomic has changed a word. One by a PCIe read and a write isn't one to others: what they do to the word after
/// `since` and before `at` is lost.
struct AtomicDone {
  Address address = 0;
  std::string_view who;   ///< "node1.nic0"
  Picoseconds since{};    ///< when it saw the old value; the same as `at`, if nothing can come between
  Picoseconds at{};       ///< when the new one is visible
};

}  // namespace gicsim
