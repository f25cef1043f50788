// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/doctor/topology.h"

#include <algorithm>
#include <array>

namespace gicsim::hw::checkup {

const PciFunction* Evidence::at(const std::string& address) const {
  for (const PciFunction& f : functions)
    if (f.address == address) return &f;
  return nullptr;
}

std::vector<const PciFunction*> Evidence::of(PciFunction::Kind kind) const {
  std::vector<const PciFunction*> found;
  for (const PciFunction& f : functions)
    if (f.kind == kind) found.push_back(&f);
  return found;
}

Gpu& Evidence::gpu(const std::string& address) {
  for (Gpu& g : gpus)
    if (g.address == address) return g;
  gpus.emplace_back();
  gpus.back().address = address;
  return gpus.back();
}

std::vector<const PciFunction*> bridges_above(const Evidence& e, const PciFunction& f) {
  std::vector<const PciFunction*> above;
  // A saved text may name bridges in a circle; no real path has this many.
  for (const PciFunction* b = e.at(f.parent); b != nullptr && above.size() < 64; b = e.at(b->parent))
    above.push_back(b);
  return above;
}

Distance distance(const Evidence& e, const PciFunction& a, const PciFunction& b) {
  const std::vector<const PciFunction*> ups = bridges_above(e, a), others = bridges_above(e, b);
  const auto common = std::find_first_of(ups.begin(), ups.end(), others.begin(), others.end());
  Distance d;
  d.between.assign(ups.begin(), common);
  if (common != ups.end()) {
    const auto end = std::find(others.begin(), others.end(), *common);
    d.between.insert(d.between.end(), others.begin(), end);
    d.kind = common - ups.begin() <= 1 && end - others.begin() <= 1 ? "PIX" : "PXB";
    return d;
  }
  d.between.insert(d.between.end(), others.begin(), others.end());
  if (a.root_bus.empty() || b.root_bus.empty()) return d;
  if (a.root_bus == b.root_bus) d.kind = "PHB";
  else if (a.numa_node && b.numa_node) d.kind = *a.numa_node == *b.numa_node ? "NODE" : "SYS";
  return d;
}

int rank_of(const std::string& kind) {
  constexpr std::array<const char*, 5> kinds{"PIX", "PXB", "PHB", "NODE", "SYS"};
  return static_cast<int>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
}

const PciFunction* nearest_nic(const Evidence& e, const PciFunction& gpu) {
  const std::vector<const PciFunction*> nics = e.of(PciFunction::Kind::nic);
  const auto nearer = [&](const PciFunction* a, const PciFunction* b) {
    return rank_of(distance(e, gpu, *a).kind) < rank_of(distance(e, gpu, *b).kind);
  };
  const auto best = std::min_element(nics.begin(), nics.end(), nearer);
  return best == nics.end() ? nullptr : *best;
}

std::vector<Hop> hops_above(const Evidence& e, const PciFunction& f) {
  std::vector<Hop> hops;
  const std::vector<const PciFunction*> above = bridges_above(e, f);
  hops.push_back({&f, above.empty() ? nullptr : above[0]});
  // Above a device: a downstream port, its switch's upstream port, the next downstream or root port, …
  for (std::size_t i = 1; i + 1 < above.size(); i += 2) hops.push_back({above[i], above[i + 1]});
  return hops;
}

}  // namespace gicsim::hw::checkup
