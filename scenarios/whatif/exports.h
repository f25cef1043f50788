// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace gicsim::exports {
class Exporter;
}

namespace gicsim::whatif {

using Exporters = std::vector<exports::Exporter*>;

/// A run broke off: what was heard until then is all.
void broke_off(const Exporters& exporters);

}  // namespace gicsim::whatif
