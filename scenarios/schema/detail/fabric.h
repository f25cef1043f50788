// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/schema/keys.h"

namespace gicsim::schema::detail {

/// As many switches, links and buffers as the system's keys say.
void size_fabric(SystemSpec& spec, const SystemKeys& keys);
/// The same keys again.
void write_fabric(SystemKeys& keys, const SystemSpec& spec);
/// Which nodes send to which, over which of their pairs, at which priority.
std::vector<Lane> lanes(const Scenario& scenario, const std::vector<std::uint8_t>& service_levels);
/// '3, 0'; empty: it can't be read.
std::vector<std::uint8_t> service_levels(const std::string& text);

}  // namespace gicsim::schema::detail
