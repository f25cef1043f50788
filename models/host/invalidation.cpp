// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Pages that are unmapped while devices use them. Source: PCIe Base 5.0, 10.3 (ATS invalidation)
#include "models/host/iommu.h"

namespace gicsim::host {

void Iommu::invalidate(Address base, Bytes length) {
  const auto page = static_cast<Address>(params_.page.count());
  for (std::size_t who = 0; who < writes_passed_.size(); ++who)
    for (Address at = base / page * page; at < base + static_cast<Address>(length.count()); at += page)
      tlb_.erase(page_of(at, static_cast<RequesterId>(who)));
  for (const RequesterId device : holders_) {
    Transfer& range = pool_.take();
    range.address = base;
    range.length = length;
    range.begun = kernel_.now();
    ++invalidating_;
    ++stats_.invalidations;
    ports_.front().root->arrive({.kind = TlpKind::message, .completer = device,
                                 .code = MessageCode::invalidate_request, .length = 8_B, .address = base,
                                 .transfer = &range});
  }
}

void Iommu::on_invalidated(const Tlp& answer) {
  if (answer.held) answer.held->release(answer, kernel_.now());
  stats_.invalidation_time += kernel_.now() - answer.transfer->begun;
  pool_.give(*answer.transfer);
  --invalidating_;
}

/// It keeps no run alive.
void Iommu::remap_in_turn() {
  remapping_ = true;
  kernel_.tick<&Iommu::on_remap>(kernel_.now() + params_.remap_every, this);
}

/// The system waits until all devices have answered before it unmaps another page.
void Iommu::on_remap() {
  const auto page = static_cast<Address>(params_.page.count());
  if (invalidating_ == 0) invalidate(last_walked_ / page * page, params_.page);
  remap_in_turn();
}

}  // namespace gicsim::host
