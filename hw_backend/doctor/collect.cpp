// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// What this machine tells, in files and in calls that are tried.
#include "hw_backend/doctor/live.h"
#include "hw_backend/doctor/topology.h"

namespace gicsim::hw::checkup {
namespace {

using Kind = PciFunction::Kind;
const std::filesystem::path devices = "/sys/bus/pci/devices";

/// Reads links again while data flows, and what AER counted meanwhile.
void look_under_load(Evidence& e, const std::string& gpu) {
  PciFunction* f = nullptr;
  for (PciFunction& one : e.functions)
    if (one.address == gpu) f = &one;
  if (f == nullptr) return;
  Evidence loaded;
  const Trial trial = with_load(gpu, [&] { read_pci("/", loaded); });
  if (!trial.worked) return;
  if (const PciFunction* now = loaded.at(gpu); now != nullptr && now->link) {
    f->link = now->link;
    Link link = *f->link;
    link.loaded = true;
    f->link = link;
  }
  const Known<Counts> after = aer_of(devices / gpu);
  if (!after || !f->errors) return;
  for (const auto& [name, n] : *after)
    if (const auto was = f->errors->find(name); n > (was == f->errors->end() ? 0 : was->second))
      f->grown[name] = n - (was == f->errors->end() ? 0 : was->second);
}

/// The pair that is tried: the first GPU and its nearest NIC that verbs knows.
std::pair<std::string, std::string> pair_of(const Evidence& e) {
  for (const PciFunction* gpu : e.of(Kind::gpu))
    if (const PciFunction* nic = nearest_nic(e, *gpu); nic != nullptr && !nic->name.empty())
      return {gpu->address, nic->name};
  return {};
}

/// Without a NIC: whether the first GPU gives its memory as a dma-buf at all.
void try_export(Evidence& e) {
  if (e.gpus.empty()) return;
  const std::string gpu = e.gpus.front().address;
  const Trial memory = with_gpu_memory(gpu, [&](const GpuMemory& m) {
    if (m.fd >= 0) e.dma_buf = Known<Trial>::unknown(gpu + " exports one; there is no NIC to register it with");
    else e.dma_buf = Trial{false, 0, gpu + ": " + m.fd_error};
  });
  if (!memory.worked) e.dma_buf = Known<Trial>::unknown(memory.text);
}

void try_calls(Evidence& e) {
  const auto [gpu, nic] = pair_of(e);
  const std::string device = !nic.empty() ? nic : e.nics.empty() ? "" : e.nics.front().name;
  if (!device.empty()) {
    Trial mapped;
    bool tried = false;
    e.devx = with_uar(device, [&, &gpu = gpu](void* page) {
      if (gpu.empty()) return;
      mapped = map_io_page(gpu, page);
      tried = true;
    });
    e.uar = tried ? Known<Trial>(mapped) : Known<Trial>::unknown("no doorbell page to try it with: " + e.devx->text);
  }
  if (gpu.empty()) return try_export(e);
  const Trial memory = with_gpu_memory(gpu, [&, &nic = nic](const GpuMemory& m) {
    e.peermem = register_plain(nic, m);
    if (m.fd >= 0) e.dma_buf = register_dma_buf(nic, m);
    else e.dma_buf = Trial{false, 0, m.fd_error};
  });
  if (!memory.worked) e.dma_buf = Known<Trial>::unknown(memory.text);
}

/// A call that couldn't even be tried is no verdict on the machine.
void forget_untried(Known<Trial>& trial) {
  if (trial && trial->error == untried) trial = Known<Trial>::unknown(trial->text);
}

}  // namespace

Evidence collect() {
  Evidence e;
  read_pci("/", e);
  read_nics("/", e);
  read_platform("/", e);
  read_process("/", e);
  ask_nvml(e);
  ask_cuda(e);
  ask_verbs(e);
  if (e.has_gpu())
    for (const PciFunction* gpu : e.of(Kind::gpu)) look_under_load(e, std::string(gpu->address));
  try_calls(e);
  for (Known<Trial>* trial : {&e.uar, &e.devx, &e.peermem, &e.dma_buf}) forget_untried(*trial);
  return e;
}

}  // namespace gicsim::hw::checkup
