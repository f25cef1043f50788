// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// Checks of each PCIe link: speed, width, errors, ordering, sizes.
#include <algorithm>
#include <cstdio>
#include <set>

#include "hw_backend/doctor/check.h"
#include "hw_backend/doctor/topology.h"

namespace gicsim::hw::checkup {
namespace {

using Kind = PciFunction::Kind;

std::string link_text(double speed, int lanes) {
  char text[48];
  std::snprintf(text, sizeof text, "%g GT/s x%d", speed, lanes);
  return text;
}

/// Devices and everything above them, each once, in the order of functions.
std::vector<const PciFunction*> involved(const Evidence& e) {
  std::set<std::string> wanted;
  for (const PciFunction& f : e.functions) {
    if (f.kind == Kind::bridge) continue;
    wanted.insert(f.address);
    for (const PciFunction* b : bridges_above(e, f)) wanted.insert(b->address);
  }
  std::vector<const PciFunction*> found;
  for (const PciFunction& f : e.functions)
    if (wanted.count(f.address) != 0) found.push_back(&f);
  return found;
}

void judge_hop(const Evidence& e, const Hop& hop, Tally& tally) {
  const PciFunction& f = *hop.lower;
  if (!f.link) return tally.unknown(f.address + ": " + f.link.why());
  const Link& l = *f.link;
  if (l.speed == 0 || l.lanes == 0) return tally.unknown(f.address + ": the link isn't told (a virtual function?)");
  if (e.in_vm() && (l.speed < 8 || (hop.upper != nullptr && hop.upper->link && hop.upper->link->most_speed < 8)))
    return tally.unknown(f.address + ": " + link_text(l.speed, l.lanes) + ", which a hypervisor made up");
  double most_speed = l.most_speed;
  int most_lanes = l.most_lanes;
  const bool port = hop.upper != nullptr && hop.upper->link && hop.upper->link->most_speed > 0 && !e.in_vm();
  if (port) {
    most_speed = std::min(most_speed, hop.upper->link->most_speed);
    if (hop.upper->link->most_lanes > 0) most_lanes = std::min(most_lanes, hop.upper->link->most_lanes);
  }
  const std::string seen = f.address + ": " + link_text(l.speed, l.lanes) + " of " + link_text(most_speed, most_lanes);
  if (l.lanes < most_lanes)
    tally.add(Verdict::fail, seen, "lanes are missing: a bad contact, a riser, or a slot with fewer lanes wired",
              "reseat the card, try another slot; the width must be that of card and port");
  else if (l.speed < most_speed && f.kind == Kind::gpu && !l.loaded)
    tally.unknown(seen + "; idle GPUs slow down: look again under load");
  else if (l.speed < most_speed)
    tally.add(Verdict::fail, seen, "the link trained at a lower speed: signal quality, a riser, or a limit in the BIOS",
              "reseat the card, look for AER errors, set the slot's speed in the BIOS to Auto");
  else if (port && (most_speed < l.most_speed || most_lanes < l.most_lanes))
    tally.add(Verdict::warn, seen + ", where the device could do " + link_text(l.most_speed, l.most_lanes),
              "the port above is slower than the device", "another slot");
  else tally.pass(seen);
}

std::string counted(const Counts& counts) {
  std::vector<std::string> some;
  for (const auto& [name, n] : counts)
    if (n != 0) some.push_back(name + " " + std::to_string(n));
  return some_of(some, 4);
}

}  // namespace

Finding judge_link(const Evidence& e) {
  if (!e.has_gpu() && !e.has_nic()) return skipped("no GPU and no RDMA NIC");
  Tally tally;
  std::set<std::string> judged;
  for (const PciFunction& f : e.functions) {
    if (f.kind == Kind::bridge) continue;
    for (const Hop& hop : hops_above(e, f))
      if (judged.insert(hop.lower->address).second) judge_hop(e, hop, tally);
  }
  return tally.empty() ? unknown("the PCIe functions aren't known") : tally.finding();
}

Finding judge_aer(const Evidence& e) {
  if (!e.has_gpu() && !e.has_nic()) return skipped("no GPU and no RDMA NIC");
  Tally tally;
  const std::string
      cause = "the link corrupts packets and repeats them",
      fix = "reseat card and cables of risers; a link that keeps counting needs another slot or another card";
  for (const PciFunction* f : involved(e)) {
    if (!f->errors) {
      tally.unknown(f->address + ": " + f->errors.why());
      continue;
    }
    long few = 0;
    for (const auto& [name, n] : *f->errors) few += n;
    const bool serious = std::any_of(f->errors->begin(), f->errors->end(), [](const auto& c) {
      return c.second != 0 && c.first.rfind("correctable", 0) != 0;
    });
    if (const std::string grown = counted(f->grown); !grown.empty())
      tally.add(Verdict::fail, f->address + ": grew under load: " + grown, cause, fix);
    else if (serious)
      tally.add(Verdict::warn, f->address + ": " + counted(*f->errors), "uncorrectable errors since boot",
                "dmesg says when, and of what");
    else if (few > 10)
      tally.add(Verdict::warn, f->address + ": " + counted(*f->errors) + " since boot", cause,
                fix + "; run again and see whether it grows");
    else if (few > 0 && f->flags_only)
      tally.pass(f->address + ": " + counted(*f->errors) + " flagged once or more; sysfs (aer_dev_*) counts");
    else
      tally.pass(few == 0 ? "no errors"
                          : f->address + ": " + counted(*f->errors) + " since boot (a few come with link training)");
  }
  return tally.empty() ? unknown("the PCIe functions aren't known") : tally.finding();
}

Finding judge_ordering(const Evidence& e) {
  if (!e.has_nic()) return skipped(e.no_nic);
  Tally tally;
  for (const PciFunction* f : e.of(Kind::nic)) {
    if (!f->control) tally.unknown(f->address + ": " + f->control.why());
    else if (f->control->relaxed_ordering) tally.pass(f->address + ": RlxdOrd+ (each memory region asks for it)");
    else
      tally.add(Verdict::warn, f->address + ": RlxdOrd-",
                "every write waits for the one before it: low write bandwidth to GPUs and far memory",
                "mlxconfig PCI_WR_ORDERING=1, IBV_ACCESS_RELAXED_ORDERING per region. On CPUs that handle it badly it "
                "costs: measure");
  }
  return tally.empty() ? unknown("the NICs' configuration space isn't known") : tally.finding();
}

Finding judge_sizes(const Evidence& e) {
  if (!e.has_gpu() && !e.has_nic()) return skipped("no GPU and no RDMA NIC");
  Tally tally;
  for (const PciFunction& f : e.functions) {
    if (f.kind == Kind::bridge) continue;
    if (!f.control) {
      tally.unknown(f.address + ": " + f.control.why());
      continue;
    }
    const DeviceControl& c = *f.control;
    const std::string seen =
        f.address + ": MPS " + std::to_string(c.payload) + " B, MRRS " + std::to_string(c.read_request) + " B";
    int path = c.most_payload;  // what every port up to the root could do
    for (const PciFunction* b : bridges_above(e, f))
      if (b->control) path = std::min(path, b->control->most_payload);
    if (f.kind == Kind::nic && c.read_request <= 512)
      tally.add(Verdict::warn, seen,
                "small read requests: the NIC can't keep enough bytes in flight to read at line rate",
                "MaxReadReq 4096: the BIOS, or setpci -s " + f.address + " CAP_EXP+8.w (bits 14:12 to 5)");
    else if (path > c.payload)
      tally.add(Verdict::warn, seen + ", where the path could do " + std::to_string(path) + " B",
                "more headers for the same bytes", "pci=pcie_bus_perf on the kernel's command line, or the BIOS");
    else tally.pass(seen);
  }
  return tally.empty() ? unknown("the PCIe functions aren't known") : tally.finding();
}

}  // namespace gicsim::hw::checkup
