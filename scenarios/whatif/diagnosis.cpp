// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "models/units/text.h"
#include "scenarios/whatif/results.h"

namespace gicsim::whatif {
namespace {

std::string hex(Address address) { return fmt::format("{:#x}", address); }

}  // namespace

report::Diagnosis diagnose(const nic::StaleFetch& stale) {
  const std::string which = stale.nic + ".qp" + std::to_string(stale.qpn) + ": WQE " + std::to_string(stale.index);
  if (stale.other)
    return {which + ", in slot " + std::to_string(stale.slot) + ", was to be fetched at " + text::write(stale.read) +
                ", but WQE " + std::to_string(*stale.other) + " had been written over it, visible since " +
                text::write(stale.since) + ": the send queue ran over",
            {},
            stale.read};
  const std::string when = stale.visible == Picoseconds{} ? "was not written before"
                                                          : "became visible only at " + text::write(stale.visible);
  return {which + " was fetched at " + text::write(stale.read) + " but " + when, {}, stale.read};
}

report::Diagnosis diagnose(const workloads::EarlySignal& early) {
  const Placed& data = *early.data;
  const std::string still = data.missing > 0_B ? std::to_string(data.missing.count()) + " B of its data never arrived"
                                               : "its data at " + hex(data.latest) + " became visible only at " +
                                                     text::write(data.visible);
  return {early.who + " was told of message " + std::to_string(early.number) +
              (early.told_at != 0 ? ", at address " + hex(early.told_at) : "") + ", at " + text::write(early.at) +
              ", but " + still,
          {},
          early.at};
}

report::Diagnosis diagnose(const system::LostAtomic& lost, Count times) {
  report::Diagnosis diagnosis{lost.by + "'s atomic on " + hex(lost.address) + " read the word at " + text::write(rounded(lost.read)) +
                                  " and wrote it at " + text::write(rounded(lost.written)) + ", and the atomic of " + lost.lost + " at " +
                                  text::write(rounded(lost.at)) +
                                  " came between and is lost: a NIC's read and write are atomic against this NIC alone "
                                  "(nic.atomics: nic); PCIe AtomicOps would be one to all (nic.atomics: pcie)",
                              {},
                              lost.at};
  if (times > 1) diagnosis.waits_for.push_back(text::write(times) + " of its atomics had others' between");
  return diagnosis;
}

/// The first one explains; the others are named.
report::Diagnosis diagnose(std::vector<nic::Failure> failures) {
  std::stable_sort(failures.begin(), failures.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  const auto what = [](const nic::Failure& f) {
    const std::string queue = f.nic + ".qp" + std::to_string(f.qpn);
    if (f.status == CqeStatus::flushed) return queue + " was flushed";
    return queue + (f.responder ? ": request of PSN " + std::to_string(f.psn) : ": WQE " + std::to_string(f.index)) +
           " failed: " + std::string(name_of(f.status));
  };
  const nic::Failure& first = failures.front();
  const std::string cause = !first.cause.empty() ? first.cause
                                                 : "PSN " + std::to_string(first.psn) + " unanswered after " +
                                                       std::to_string(first.retries) +
                                                       (first.retries == 1 ? " retry" : " retries");
  report::Diagnosis diagnosis{what(first) + ", " + cause, {}, first.at};
  for (std::size_t i = 1; i < failures.size(); ++i)
    diagnosis.waits_for.push_back("at " + text::write(rounded(failures[i].at)) + " " + what(failures[i]));
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
