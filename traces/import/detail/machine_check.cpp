// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "traces/import/detail/machine_models.h"
#include "traces/import/detail/machine_yaml.h"

namespace gicsim::imports::detail {
namespace {

std::string several(const std::vector<std::string>& names) {
  if (names.size() < 3) return names.size() == 1 ? names.front() : names.front() + ", " + names.back();
  return fmt::format("{} and {} more", names.front(), names.size() - 1);
}

void check_virtual(const MachineTree& tree, MachineFacts& facts) {
  for (const auto& [at, device] : facts.devices)
    if (is_emulated(device)) {
      facts.virtual_signs.push_back({device.name ? device.name->value : "an emulated device", device.seen});
      break;
    }
  if (facts.virtual_signs.empty()) return;
  const Fact<std::string>& sign = facts.virtual_signs.front();
  facts.warn(sign.at, fmt::format("a virtual machine ({}): links, switches and NUMA nodes are what its hypervisor shows. Where "
                                  "they are wrong, give the host's own files, or --set", sign.value));
  const auto gpus = tree.of(Role::gpu), nics = tree.of(Role::nic);
  if (gpus.size() + nics.size() > 2 && tree.of(Role::pcie_switch).empty() && tree.nodes.front().device != nullptr)
    facts.warn({}, fmt::format("{} GPUs and {} NICs, each at a root port and no switch between them: the machine below surely has some; "
                               "move its pairs under a 'switch0: root0' in 'tree', or give the host's files", gpus.size(), nics.size()));
}

void check_numa(const MachineTree& tree, MachineFacts& facts) {
  std::vector<std::string> unknown;
  bool known = false;
  for (const TreeNode& node : tree.nodes) {
    if (node.role == Role::pcie_switch) continue;
    known = known || node.numa >= 0;
    if (node.numa < 0) unknown.push_back(node.name);
  }
  if (!unknown.empty() && (known || !facts.virtual_signs.empty()))
    facts.warn({}, fmt::format("NUMA node of {}: not said, or -1; socket 0 is taken. Move it to 'root1' in 'tree' if it is on the other",
                               several(unknown)));
}

void check_bridges(const MachineTree& tree, MachineFacts& facts) {
  for (const TreeNode& node : tree.nodes) {
    if (node.device == nullptr || !node.device->port || node.device->port->value != Port::endpoint) continue;
    if (node.slot != nullptr || node.parent >= 0) continue;
    facts.warn(node.device->seen, fmt::format("{}: no bridge leads to its bus; taken as at a root port of its own. Give lspci of all "
                                              "devices, not of some", shown(node)));
  }
}

void check_windows(const MachineTree& tree, MachineFacts& facts) {
  for (const TreeNode* gpu : tree.of(Role::gpu)) {
    if (gpu->device == nullptr) continue;
    const PciDevice& device = *gpu->device;
    Maybe<std::int64_t> window = device.bar1;
    for (const auto& [number, bar] : device.bars)
      if (!device.bar1 && (!window || bar.value > window->value)) window = bar;
    const std::int64_t memory = device.memory ? device.memory->value : gpu_model(device).memory * 1024;
    if (!window || window->value >= memory - memory / 8) continue;  // lspci counts GiB, a product GB
    facts.warn(window->at, fmt::format("{}: a window (BAR1) of {} MiB for {} MiB of memory: a NIC reaches no more of it at once",
                                       shown(*gpu), window->value, memory));
  }
}

/// Windows that no address was left for, and windows that lie in one another: what is sent there ends elsewhere.
void check_mappings(const MachineTree& tree, MachineFacts& facts) {
  struct Mapped {
    const TreeNode* node;
    const Window* window;
  };
  std::vector<Mapped> mapped;
  for (const TreeNode& node : tree.nodes) {
    if (node.device == nullptr || node.role == Role::pcie_switch) continue;
    for (const Window& window : node.device->windows) {
      if (window.base) mapped.push_back({&node, &window});
      else
        facts.warn(window.at, fmt::format("{}: BAR {} has no address, so nothing reaches it: a GPU's memory is closed to the NIC, a NIC's "
                                          "doorbells to the GPU. The firmware found no room (above 4 GiB, Resizable BAR?)",
                                          shown(node), window.number));
    }
  }
  std::sort(mapped.begin(), mapped.end(),
            [](const Mapped& a, const Mapped& b) { return *a.window->base < *b.window->base; });
  for (std::size_t i = 1; i < mapped.size(); ++i) {
    const auto& [before, lower] = mapped[i - 1];
    const auto& [node, window] = mapped[i];
    if (*lower->base + lower->size <= *window->base) continue;
    facts.warn(window->at, fmt::format("{}: BAR {} overlaps BAR {} of {} ({}): what is sent there reaches one of both, or neither",
                                       shown(*node), window->number, lower->number, shown(*before), to_text(lower->at)));
  }
}

/// Settings without a parameter, for who compares machines.
void check_settings(const MachineTree& tree, MachineFacts& facts) {
  std::vector<std::string> strict, denied, coherent;
  Origin at;
  for (const TreeNode* nic : tree.of(Role::nic)) {
    if (nic->device == nullptr || !nic->device->relaxed || nic->device->relaxed->value) continue;
    if (strict.empty()) at = nic->device->relaxed->at;
    strict.push_back(nic->name);
  }
  if (!strict.empty()) facts.warn(at, "RlxdOrd-: relaxed ordering is off at " + several(strict) + "; writes stay in order");
  for (const TreeNode& node : tree.nodes)
    if (node.device != nullptr && node.device->denied) denied.push_back(node.name);
  for (const TreeNode* gpu : tree.of(Role::gpu))
    if (gpu->device != nullptr && gpu->device->coherent && gpu->device->coherent->value) coherent.push_back(gpu->name);
  if (!coherent.empty())
    facts.warn({}, fmt::format("C2C between {} and the CPU has no place in a tree: PCIe alone is shown; 'attach: coherent' models it",
                               several(coherent)));
  if (!denied.empty())
    facts.warn({}, fmt::format("lspci was denied the capabilities of {}: no links, sizes or ACS; run it as root", several(denied)));
}

/// ACS redirects what two devices below one switch tell each other.
void check_redirect(const MachineTree& tree, MachineFacts& facts) {
  std::vector<std::string> names;
  Origin at;
  for (const TreeNode& node : tree.nodes) {
    if (node.parent < 0 || node.slot == nullptr || !node.slot->acs || !node.slot->acs->value.request_redirect) continue;
    if (names.empty()) at = node.slot->acs->at;
    names.push_back(node.name);
  }
  if (!names.empty())
    facts.warn(at, "ACS redirects requests (ReqRedir+) above " + several(names) +
                       ": peers below one switch talk through the root complex. It is modelled; 'slot.acs_request_redirect: false' undoes it");
}

}  // namespace

void check_machine(const MachineTree& tree, MachineFacts& facts) {
  check_virtual(tree, facts);
  check_numa(tree, facts);
  check_bridges(tree, facts);
  check_windows(tree, facts);
  check_mappings(tree, facts);
  check_settings(tree, facts);
  check_redirect(tree, facts);
  if (facts.matrix) check_matrix(tree, facts);
}

}  // namespace gicsim::imports::detail
