// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace gicsim::exports {

/// "node0.gpu0_pcie_up" is the upward direction of "node0.gpu0_pcie"; "-": of a link between sockets, whose name says
/// it.
constexpr std::array<std::string_view, 2> link_and_direction(std::string_view sender) {
  for (const std::string_view direction : {"up", "down"})
    if (sender.size() > direction.size() && sender.ends_with(direction) &&
        sender[sender.size() - direction.size() - 1] == '_')
      return {sender.substr(0, sender.size() - direction.size() - 1), direction};
  return {sender, "-"};
}

}  // namespace gicsim::exports
