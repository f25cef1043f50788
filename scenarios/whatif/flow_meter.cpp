// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/flow_meter.h"

#include "scenarios/report/finished.h"

namespace gicsim::whatif {

void FlowMeter::start() {
  if (flows_.size() > 1) kernel_.tick<&FlowMeter::on_look>(kernel_.now() + period, this);
}

void FlowMeter::on_look() {
  std::vector<Bytes>& sent = sent_.emplace_back(flows_.size());
  for (std::size_t i = 0; i < flows_.size(); ++i)
    for (const system::Queue& queue : flows_[i]) sent[i] += queue.nic->met(queue.qpn).sent;
  kernel_.tick<&FlowMeter::on_look>(kernel_.now() + period, this);
}

std::vector<double> FlowMeter::jain(Picoseconds until) const {
  std::vector<double> indices;
  std::vector<Bytes> before(flows_.size());
  for (const std::vector<Bytes>& sent : sent_) {
    if (period * static_cast<std::int64_t>(indices.size() + 1) > until) break;
    std::vector<report::FlowShare> shares(flows_.size());
    for (std::size_t i = 0; i < shares.size(); ++i)
      shares[i].bandwidth = static_cast<double>((sent[i] - before[i]).count());
    indices.push_back(report::jain(shares));
    before = sent;
  }
  return indices;
}

}  // namespace gicsim::whatif
