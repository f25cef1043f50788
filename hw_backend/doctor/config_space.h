// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw_backend/doctor/evidence.h"

namespace gicsim::hw::checkup {

/// Fills ACS, ATS, device control and link of a function from the bytes of its configuration space (PCIe
/// Base 5.0, 7.5.3, 7.7.8, 10.5.1). Linux hands only the first 64 B to those who aren't root: `why` is what is then
/// said.
void read_config_space(const std::string& bytes, const std::string& why, PciFunction& function);

/// GT/s of a generation as the link registers number it; 0: reserved.
double speed_of(unsigned generation);

}  // namespace gicsim::hw::checkup
