// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/captures/detail/arrivals.h"

#include <algorithm>

#include "validate/captures/detail/equal.h"

namespace gicsim::captures::detail {

using O = roce::Operation;

Wqe& Arrivals::begin(const roce::Header& h) {
  constexpr std::size_t most = 1024;  // longer ago, nothing refers to one
  Wqe& wqe = wqes_.emplace_back();
  if (wqes_.size() > most) wqes_.pop_front();
  wqe.opcode = opcode_of(h.operation);
  wqe.length = Bytes(h.reth ? h.reth->length : h.payload);
  if (h.reth) wqe.remote = h.reth->address, wqe.rkey = key(h.reth->key);
  if (h.atomic) {
    wqe.remote = h.atomic->address, wqe.rkey = key(h.atomic->key);
    wqe.length = 8_B;
    wqe.value = h.atomic->swap, wqe.compare = h.atomic->compare;
  }
  placed_ = 0;
  return wqe;
}

Packet Arrivals::packet(const roce::Header& h, bool next) {
  Wqe& wqe = roce::begins(h.operation) || wqes_.empty() ? begin(h) : wqes_.back();
  Packet packet;
  packet.kind = h.operation == O::read_request ? PacketKind::read_request
                : h.atomic                     ? PacketKind::atomic_request
                : is_send(h.operation)         ? PacketKind::send
                                               : PacketKind::write;
  packet.first = roce::begins(h.operation);
  packet.last = roce::ends(h.operation);
  packet.immediate = h.immediate.has_value();
  if (packet.immediate) wqe.opcode = opcode_of(h.operation);
  packet.ack_request = h.ack_request;
  packet.psn = h.psn;
  packet.payload = Bytes(h.payload);
  packet.length = h.operation == O::read_request ? wqe.length : 0_B;
  packet.address = wqe.remote + placed_;
  if (next) placed_ += h.payload;
  packet.wqe = &wqe;
  return packet;
}

void Arrivals::register_memory(const std::vector<Event>& requests, const std::vector<Event>& answers) {
  std::map<std::uint32_t, nic::Region> regions;
  std::vector<std::uint32_t> refused;
  for (const Event& e : answers)
    if (e.header.aeth && e.header.aeth->syndrome == 0x62) refused.push_back(e.header.psn);
  if (refused.empty()) return;
  for (const Event& e : requests) {
    const roce::Header& h = e.header;
    if (roce::psn_beyond(refused.front(), h.psn) >= 0) continue;  // after that nothing is let in
    if ((!h.reth && !h.atomic) || std::find(refused.begin(), refused.end(), h.psn) != refused.end()) continue;
    const Address begin = h.reth ? h.reth->address : h.atomic->address;
    const Address end = begin + (h.reth ? h.reth->length : 8);
    const auto [at, fresh] = regions.try_emplace(h.reth ? h.reth->key : h.atomic->key, nic::Region{begin, end});
    at->second.begin = std::min(at->second.begin, begin);
    at->second.end = std::max(at->second.end, end);
  }
  if (regions.empty()) nic_.register_memory({0, 1});  // something, so that keys are looked at
  for (const auto& [key, region] : regions) keys_[key] = nic_.register_memory(region);
}

std::uint32_t Arrivals::key(std::uint32_t captured) const {
  const auto found = keys_.find(captured);
  return found == keys_.end() ? 1 : found->second;  // 1 names no region
}

}  // namespace gicsim::captures::detail
