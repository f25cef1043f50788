// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "scenarios/system/system.h"

/// What lies in queues' memory before a run, and what still does after one that got stuck.
namespace gicsim::system {
namespace {

std::string hex(Address address) {
  std::ostringstream text;
  text << "0x" << std::hex << address;
  return text.str();
}

}  // namespace

Cells<Content>& System::cells_at(std::size_t node, Address address) {
  Node& at = *nodes_[node];
  if (at.host().owns(address)) return at.host().cells();
  return at.gpu(static_cast<std::size_t>(address / AddressMap::window - 1)).cells();
}

/// Ones are no opcode, and of the owner that no CQE of the first round has; zeros look like a CQE of the first WQE.
void System::prepare_cq(std::size_t node, const Queue& queue) {
  Cqe cqe{.qpn = queue.qpn, .index = ~0u, .opcode = CqeOpcode::invalid};
  cqe.owner = 1;
  if (*spec_.cq_memory == CqInitial::zeros) cqe = {.qpn = queue.qpn};
  cqe.initial = true;
  for (std::uint32_t i = 0; i < queue.cq_entries; ++i)
    cells_at(node, queue.completion).write(queue.completion + i * Address{64}, cqe, kernel_.now());
}

/// WQEs that nobody rang for, or rang in vain.
void System::unannounced(std::vector<std::string>& lines) const {
  auto& self = const_cast<System&>(*this);
  const Picoseconds now = kernel_.now();
  for (const Made& made : made_) {
    const Queue& queue = made.queue;
    const std::uint32_t rung = queue.nic->rung(queue.qpn);
    const std::string who = std::string(queue.nic->name()) + ".qp" + std::to_string(queue.qpn);
    Count posted = 0;
    for (std::uint32_t at = rung; at - rung < queue.depth; ++posted) {
      const auto seen = self.cells_at(made.node, queue.ring).read(queue.ring + at % queue.depth * Address{64}, now);
      const auto* wqe = seen.content ? std::get_if<Wqe>(seen.content) : nullptr;
      if (!wqe || wqe->index != at || wqe->qpn != queue.qpn) break;
      at += nic::wqe_units(*wqe);
    }
    if (posted == 0) continue;
    lines.push_back(who + ": " + std::to_string(posted) + " posted, 0 of them fetched: it was rung up to index " +
                    std::to_string(rung) + " alone");
    if (queue.nic->cq_stats().record_reads == 0) continue;
    const auto record = self.cells_at(made.node, queue.record).read(queue.record, now);
    const auto* value = record.content ? std::get_if<std::uint64_t>(record.content) : nullptr;
    lines.push_back(who + ": its doorbell record at " + hex(queue.record) + ", which the NIC reads when it is rung, " +
                    (value ? "says " + std::to_string(*value) : "was never written"));
  }
  for (const auto& node : nodes_)
    for (std::size_t n = 0; n < node->nics(); ++n) {
      const auto& all = node->nic(n).unclaimed();
      if (all.empty()) continue;
      const nic::Unclaimed& first = all.front();
      std::string line = std::string(node->nic(n).name()) + ": doorbell at address " + hex(first.address);
      line += first.names ? " with value " + hex(first.value) + " names no queue pair"
                          : " is claimed by no queue pair: its register is at " + hex(node->nic(n).doorbell_address());
      if (all.size() > 1) line += "; so do " + std::to_string(all.size() - 1) + " more";
      lines.push_back(std::move(line));
    }
}

namespace {

std::optional<Picoseconds> earlier(std::optional<Picoseconds> a, std::optional<Picoseconds> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

}  // namespace

std::optional<Picoseconds> System::first_mark() const {
  std::optional<Picoseconds> first;
  for (const auto& at : switches_) first = earlier(first, at->first_mark());
  return first;
}

std::optional<Picoseconds> System::first_pause() const {
  std::optional<Picoseconds> first;
  for (const auto& end : ends_) first = earlier(first, end->first_pause());
  return first;
}

std::vector<nic::AsyncEvent> System::async_events() {
  std::vector<nic::AsyncEvent> all;
  for (const auto& node : nodes_)
    for (std::size_t n = 0; n < node->nics(); ++n)
      all.insert(all.end(), node->nic(n).async_events().begin(), node->nic(n).async_events().end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  return all;
}

}  // namespace gicsim::system
