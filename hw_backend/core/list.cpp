// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "hw_backend/core/catalog.h"
#include "hw_backend/core/commands.h"

namespace gicsim::hw {
namespace {

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

void describe(const Machine& m, std::ostream& out) {
  for (std::size_t i = 0; i < m.gpus.size(); ++i)
    out << "GPU " << i << ": " << m.gpus[i].name << ", PCIe " << m.gpus[i].pcie.address << ", driver " << m.gpus[i].driver << '\n';
  if (m.gpus.empty()) out << "GPU: none; " << m.no_gpu << '\n';
  for (const NicInfo& nic : m.nics)
    out << "NIC " << nic.name << ": " << nic.driver << ", " << nic.link_layer << ' ' << nic.rate
        << (nic.port_up ? ", port up" : ", port down") << '\n';
  if (m.nics.empty()) out << "NIC: none; " << m.no_nic << '\n';
  out << "CPU: " << m.cpu << ", " << m.cores << " cores; " << m.kernel << "; hypervisor: " << m.hypervisor << '\n';
}

}  // namespace

int list(std::ostream& out) {
  const Machine machine = find_machine();
  describe(machine, out);
  std::string_view group;
  const std::vector<Entry> entries = catalog();
  std::size_t width = 0;
  for (const Entry& e : entries) width = std::max(width, e.key.size());
  for (const Entry& e : entries) {
    if (e.group != group) out << '\n' << (group = e.group) << '\n';
    const std::string why = unavailable(e, machine, Options{});
    out << "  " << padded(e.key, width) << "  " << e.sentence << '\n';
    if (!why.empty()) out << "  " << padded("", width) << "  skipped: " << why << '\n';
  }
  return 0;
}

}  // namespace gicsim::hw
