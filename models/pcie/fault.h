// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gicsim::pcie {

/// What a device's port does with others' requests.
/// dead: swallows them, nothing leaves. unconfigured: after a reset, its BARs are disabled; it answers UR, drops
/// writes and sends no requests. silent: its mappings are stale; writes vanish, reads give ones, nobody is told.
enum class PortState : std::uint8_t { up, dead, unconfigured, silent };

/// A completion that never comes, one whose data are marked as bad, and a completer abort.
enum class Misanswer : std::uint8_t { lost, poisoned, aborted };

}  // namespace gicsim::pcie
