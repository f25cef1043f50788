// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/machine.h"
#include "hw_backend/doctor/live.h"

namespace gicsim::hw {

static const char* const absent = "this program was built without verbs (libibverbs-dev was not found)";

void find_nics(Machine& machine) { machine.no_nic = absent; }

namespace checkup {

Trial with_uar(const std::string&, const std::function<void(void*)>&) { return {false, untried, absent}; }
Trial register_plain(const std::string&, const GpuMemory&) { return {false, untried, absent}; }
Trial register_dma_buf(const std::string&, const GpuMemory&) { return {false, untried, absent}; }
void ask_verbs(Evidence& e) {
  for (Nic& nic : e.nics)
    for (Port& port : nic.ports) port.active_mtu = Known<int>::unknown(absent);
}

}  // namespace checkup
}  // namespace gicsim::hw
