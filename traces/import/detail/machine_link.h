// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/import/detail/machine_facts.h"

namespace gicsim::imports::detail {

/// Of a node's link upwards, what is to be believed.
struct LinkReading {
  Maybe<int> generation, lanes;       ///< nothing: no file says it, or none that can be right
  bool idle = false;                  ///< the generation is the ability of a GPU that sleeps
  std::string impossible;             ///< "2.5 GT/s x255", where something can't be right
  std::string degraded;               ///< "x8 of x16"
  Origin at;                          ///< of either
};

int generation_of(double speed);  ///< 0: no speed of PCIe
/// @param least  generation below which what a VM's bridges report isn't believed; 0: any
/// @param child  the fastest below, GT/s times lanes; a bridge of an eighth is an emulated one
LinkReading read_link(const PciDevice& device, const PciDevice* slot, bool is_gpu, int least, double child);

}  // namespace gicsim::imports::detail
