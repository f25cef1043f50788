// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// Checks of the PCIe paths between GPUs and NICs.
#include <algorithm>
#include <set>

#include "hw_backend/doctor/check.h"
#include "hw_backend/doctor/topology.h"

namespace gicsim::hw::checkup {
namespace {

using Kind = PciFunction::Kind;

std::string name_of(const PciFunction& f) {
  return f.name.empty() || f.kind == Kind::bridge ? f.address : f.name + " " + f.address;
}

std::string lacks(const Evidence& e) { return e.has_gpu() ? e.has_nic() ? "" : e.no_nic : e.no_gpu; }

std::string redirects(unsigned control) {
  std::string text;
  if (control & request_redirect) text += " ReqRedir";
  if (control & completion_redirect) text += " CmpltRedir";
  if (control & upstream_forwarding) text += " UpstreamFwd";
  return text;
}

/// ACS of the ports between one GPU and its NIC.
void judge_path(const Evidence& e, const PciFunction& gpu, const PciFunction& nic, Tally& tally) {
  const Distance way = distance(e, gpu, nic);
  const std::string pair = gpu.address + " to " + name_of(nic);
  if (way.between.empty())
    return tally.unknown(pair + ": no bridge is shown between them" + (e.in_vm() ? " (a virtual machine)" : ""));
  for (const PciFunction* port : way.between) {
    if (!port->acs) {
      tally.unknown(port->acs.why());
      continue;
    }
    const std::string on = redirects(*port->acs);
    if (on.empty()) continue;
    const std::string seen = port->address + on;
    const bool translated = (*port->acs & direct_translated) != 0 && gpu.ats && *gpu.ats && nic.ats && *nic.ats;
    if (translated) {
      tally.pass(seen + ", but ATS is on and translated requests go straight");
    } else if (!way.shares_switch()) {
      tally.add(Verdict::warn, seen + " (a root port)",
                "peer requests are sent through the IOMMU; this path crosses the root complex anyway",
                "turn it off unless virtual machines need it: setpci -s " + port->address + " ECAP_ACS+6.w=0");
    } else {
      tally.add(Verdict::fail, seen,
                "what should turn round in the switch goes up to the root complex and back: low bandwidth, or a hang",
                "turn ACS off in the BIOS, or each boot: setpci -s " + port->address +
                    " ECAP_ACS+6.w=0 (each port named). Hosts of virtual machines keep ACS and turn ATS on");
    }
  }
  tally.pass(pair + ": no port redirects");
}

}  // namespace

Finding judge_acs(const Evidence& e) {
  if (const std::string why = lacks(e); !why.empty()) return skipped(why);
  Tally tally;
  for (const PciFunction* gpu : e.of(Kind::gpu))
    if (const PciFunction* nic = nearest_nic(e, *gpu)) judge_path(e, *gpu, *nic, tally);
  return tally.empty() ? unknown("the PCIe functions aren't known") : tally.finding();
}

Finding judge_iommu(const Evidence& e) {
  if (!e.has_gpu() && !e.has_nic()) return skipped("no GPU and no RDMA NIC that it could stand in the way of");
  if (e.platform.iommu && !*e.platform.iommu)
    return pass(e.in_vm() ? "none in this virtual machine; the host's can't be seen from here" : "off");
  Tally tally;
  const bool pt = e.platform.command_line && e.platform.command_line->find("iommu=pt") != std::string::npos;
  for (const PciFunction& f : e.functions) {
    if (f.kind == Kind::bridge) continue;
    if (!f.iommu && pt) tally.pass(f.address + ": iommu=pt on the kernel's command line");
    else if (!f.iommu) tally.unknown(f.address + ": " + f.iommu.why());
    else if (*f.iommu == "identity" || *f.iommu == "none") tally.pass(f.address + ": " + *f.iommu);
    else
      tally.add(
          e.dma_buf && e.dma_buf->worked ? Verdict::warn : Verdict::fail, f.address + ": " + *f.iommu,
          "the IOMMU translates this device's addresses: peer traffic takes the long way, and nvidia_peermem expects "
          "addresses 1:1",
          "iommu=pt (and intel_iommu=on or amd_iommu=on) on the kernel's command line, or the IOMMU off in the BIOS");
  }
  return tally.empty() ? unknown(e.platform.iommu.why()) : tally.finding();
}

Finding judge_bar1(const Evidence& e) {
  if (!e.has_gpu()) return skipped(e.no_gpu);
  const std::string cause = "NICs reach GPU memory only through this window",
                    fix =
                        "BIOS: Above 4G Decoding and Re-Size BAR on; then 'nvidia-smi -q -d MEMORY' shows BAR1 as "
                        "large as the memory";
  Tally tally;
  for (const Gpu& g : e.gpus) {
    if (!g.bar1) tally.unknown(g.address + ": " + g.bar1.why());
    else if (*g.bar1 <= 256ULL << 20U) tally.add(Verdict::fail, g.address + ": " + in_bytes(*g.bar1), cause, fix);
    else if (!g.memory) tally.pass(g.address + ": " + in_bytes(*g.bar1) + " (GPU memory not known)");
    else if (*g.bar1 < *g.memory)
      tally.add(Verdict::warn, g.address + ": " + in_bytes(*g.bar1) + " of " + in_bytes(*g.memory) + " memory", cause,
                fix);
    else tally.pass(g.address + ": " + in_bytes(*g.bar1) + " for " + in_bytes(*g.memory));
  }
  return tally.empty() ? unknown("the GPUs aren't known one by one") : tally.finding();
}

Finding judge_distance(const Evidence& e) {
  if (const std::string why = lacks(e); !why.empty()) return skipped(why);
  std::vector<Evidence::Told> best = e.distances;  // what nvidia-smi tells; else worked out
  if (best.empty())
    for (const PciFunction* gpu : e.of(Kind::gpu))
      if (const PciFunction* nic = nearest_nic(e, *gpu))
        best.push_back({gpu->address, name_of(*nic), distance(e, *gpu, *nic).kind});
  std::stable_sort(best.begin(), best.end(),
                   [](const auto& a, const auto& b) { return rank_of(a.kind) < rank_of(b.kind); });
  Tally tally;
  std::set<std::string> seen;
  for (const auto& [gpu, nic, kind] : best) {
    if (!seen.insert(gpu).second) continue;  // a nearer NIC came first
    const std::string text = gpu + " to " + nic + ": " + kind;
    const std::string cause = "no NIC hangs under the GPU's own switch: traffic passes the CPU's root complex";
    const std::string fix =
        "another slot, or bind each process to the NIC that stands nearest (NVSHMEM_HCA_PE_MAPPING, NCCL_IB_HCA)";
    if (e.in_vm() && rank_of(kind) > 1) tally.unknown(text + ", as the virtual machine shows it; the host may differ");
    else if (rank_of(kind) <= 1) tally.pass(text);
    else if (rank_of(kind) <= 3) tally.add(Verdict::warn, text, cause, fix);
    else if (kind == "SYS") tally.add(Verdict::fail, text, "the GPU's nearest NIC is on another socket", fix);
    else tally.unknown(gpu + " to " + nic + ": NUMA nodes not shown");
  }
  return tally.empty() ? unknown("neither PCIe functions nor a topology matrix") : tally.finding();
}

}  // namespace gicsim::hw::checkup
