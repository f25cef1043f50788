// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/units/text.h"
#include "scenarios/whatif/results.h"

namespace gicsim::whatif {

report::Diagnosis diagnose(const nic::StaleFetch& stale) {
  const std::string which = stale.nic + ".qp" + std::to_string(stale.qpn) + ": WQE " + std::to_string(stale.index);
  const std::string when = stale.visible == Picoseconds{} ? "was not written before"
                                                          : "became visible only at " + text::write(stale.visible);
  return {which + " was fetched at " + text::write(stale.read) + " but " + when, {}, stale.read};
}

report::Diagnosis diagnose(const workloads::EarlySignal& early) {
  return {early.who + " saw signal " + std::to_string(early.number) + " at " + text::write(early.at) +
              ", when its data weren't visible yet",
          {},
          early.at};
}

/// The first one explains; the others are named.
report::Diagnosis diagnose(const std::vector<nic::Failure>& failures) {
  const auto who = [](const nic::Failure& f) {
    return f.nic + ".qp" + std::to_string(f.qpn) + ": WQE " + std::to_string(f.index);
  };
  const nic::Failure& first = failures.front();
  report::Diagnosis diagnosis{who(first) + " failed: " + std::string(name_of(first.status)) + ", PSN " +
                                  std::to_string(first.psn) + " unanswered after " + std::to_string(first.retries) +
                                  (first.retries == 1 ? " retry" : " retries"),
                              {},
                              first.at};
  for (std::size_t i = 1; i < failures.size(); ++i)
    diagnosis.waits_for.push_back(who(failures[i]) + " failed, too, at " + text::write(failures[i].at));
  return diagnosis;
}

/// An IOMMU's word explains; without one, how the device's first access ended.
report::Diagnosis diagnose(const std::vector<dma::Engine::Failure>& failures, const std::vector<host::Iommu::Fault>& faults) {
  const auto at = [](Address a) { return fmt::format("{:#x}", a); };
  report::Diagnosis diagnosis;
  if (!faults.empty()) {
    const host::Iommu::Fault& first = faults.front();
    diagnosis.what = first.who + ": " + std::string(name_of(first.kind)) + " of requester " +
                     std::to_string(first.requester) + " to " + at(first.address) +
                     ", which isn't mapped for devices (iommu.aperture)";
    diagnosis.at = first.at;
  } else {
    diagnosis.what = "a DMA failed";
    diagnosis.at = failures.front().at;
  }
  for (const dma::Engine::Failure& f : failures)
    diagnosis.waits_for.push_back(f.who + ": " + (f.kind == dma::Kind::write ? "write to " : "read of ") + at(f.address) +
                                  " ended with " + std::string(name_of(f.status)));
  return diagnosis;
}

}  // namespace gicsim::whatif
