// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/asked.h"

#include <iterator>

namespace gicsim::exports {
namespace {

/// What follows of a READ is asked for anew: from some response on, up to the same end.
bool rest_of(const Packet& packet, const Asked& read) {
  return packet.kind == PacketKind::read_request && read.opcode == Opcode::rdma_read && packet.address > read.remote &&
         packet.address + static_cast<Address>(packet.length.count()) ==
             read.remote + static_cast<Address>(read.length.count());
}

}  // namespace

std::int64_t AskedFor::History::at(std::uint32_t psn) const {
  const std::uint32_t beyond = (psn - static_cast<std::uint32_t>(newest)) & 0xff'ffff;
  return newest + (beyond < 0x80'0000 ? beyond : std::int64_t{beyond} - 0x100'0000);
}

AskedFor::Found AskedFor::request(const Packet& packet, bool leaves) {
  History& history = flows_[{packet.from, packet.source_qpn, packet.to, packet.qpn}];
  if (history.sent.empty()) history.newest = packet.psn;
  const std::int64_t psn = history.at(packet.psn);
  auto found = history.sent.find(psn);
  if (found == history.sent.end()) {
    const auto behind = history.sent.upper_bound(psn);
    const bool rest = behind != history.sent.begin() && rest_of(packet, std::prev(behind)->second.asked);
    const Sent sent = rest         ? Sent{std::prev(behind)->second.asked, true}
                      : packet.wqe ? Sent{asked_by(*packet.wqe), true}
                                   : Sent{};
    found = history.sent.emplace(psn, sent).first;
    history.newest = std::max(history.newest, psn);
    while (history.sent.begin()->first < history.newest - kept) history.sent.erase(history.sent.begin());
  }
  Sent& sent = found->second;
  sent.times += leaves;
  if (!sent.known) return {nullptr, {}, sent.times};
  const Bytes offset(static_cast<std::int64_t>(packet.address - sent.asked.remote));
  return {&sent.asked, {packet.address, offset, sent.asked.length, sent.asked.value}, sent.times};
}

/// Of a READ's responses all but the last one have the MTU.
AskedFor::Found AskedFor::answer(const Packet& packet) const {
  for (auto flow = flows_.lower_bound({packet.to, packet.qpn, packet.from, 0}); flow != flows_.end(); ++flow) {
    if (flow->first.from != packet.to || flow->first.qpn != packet.qpn || flow->first.to != packet.from) break;
    const History& history = flow->second;
    const std::int64_t psn = history.at(packet.psn);
    const auto behind = history.sent.upper_bound(psn);
    if (behind == history.sent.begin() || !std::prev(behind)->second.known) continue;
    const auto& [first, sent] = *std::prev(behind);
    Found found{&sent.asked, {}, sent.times};
    if (packet.kind != PacketKind::read_response) return found;
    const Bytes whole = sent.asked.length;
    const Bytes offset = packet.last ? whole - packet.payload : packet.payload * (psn - first);
    found.payload = {sent.asked.remote + static_cast<Address>(offset.count()), offset, whole, packet.last ? packet.value : 0};
    return found;
  }
  return {};
}

}  // namespace gicsim::exports
