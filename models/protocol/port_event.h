// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "models/units/time.h"

namespace gicsim {

/// A fact: the link at a port went down, or came up again. Each end of a cable has its own.
struct PortEvent {
  std::string_view port;  ///< "node0.nic0"; of a cable between switches its name, "fabric.link0"
  bool up = false;
  Picoseconds at{};
};

}  // namespace gicsim
