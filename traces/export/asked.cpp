// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/asked.h"

#include <iterator>

namespace gicsim::exports {
namespace {

/// What follows of a READ is asked for anew: from some response on, up to the same end. That isn't a WQE's whole READ.
bool rest_of(const Packet& packet, const Asked& read) {
  const Wqe* const wqe = packet.wqe;
  if (wqe && wqe->remote == packet.address && wqe->length == packet.length) return false;
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
    Sent sent;
    sent.known = rest || packet.wqe;
    if (rest) sent.asked = std::prev(behind)->second.asked;
    else if (packet.wqe) sent.asked = asked_by(*packet.wqe);
    sent.offset = Bytes(static_cast<std::int64_t>(packet.address - sent.asked.remote));
    found = history.sent.emplace(psn, sent).first;
    history.newest = std::max(history.newest, psn);
    while (history.sent.begin()->first < history.newest - kept) history.sent.erase(history.sent.begin());
  }
  if (packet.payload > 0_B && !packet.last) history.mtu = packet.payload;
  Sent& sent = found->second;
  sent.times += leaves;
  if (!sent.known) return {nullptr, {}, sent.times};
  const std::uint64_t value = packet.kind == PacketKind::write ? sent.asked.value : 0;  // of a SEND the CQE tells
  return {&sent.asked, {packet.address, sent.offset, sent.asked.length, value}, sent.times};
}

/// All packets of a message but the last one have the MTU. A READ may have been asked for anew from anywhere on, so a
/// response's place follows from how many PSNs it comes behind a request.
AskedFor::Found AskedFor::answer(const Packet& packet) {
  for (auto flow = flows_.lower_bound({packet.to, packet.qpn, packet.from, 0}); flow != flows_.end(); ++flow) {
    if (flow->first.from != packet.to || flow->first.qpn != packet.qpn || flow->first.to != packet.from) break;
    History& history = flow->second;
    const std::int64_t psn = history.at(packet.psn);
    const auto behind = history.sent.upper_bound(psn);
    if (behind == history.sent.begin() || !std::prev(behind)->second.known) continue;
    const auto& [first, sent] = *std::prev(behind);
    Found found{&sent.asked, {}, sent.times};
    if (packet.kind != PacketKind::read_response) return found;
    const Bytes whole = sent.asked.length;
    if (!packet.last) history.mtu = packet.payload;
    const bool known = history.mtu > 0_B || psn == first;
    const Bytes offset = known ? sent.offset + history.mtu * (psn - first) : whole - packet.payload;
    const Address address = sent.asked.remote + static_cast<Address>(offset.count());
    found.payload = {address, offset, whole, packet.last ? packet.value : 0};
    return found;
  }
  return {};
}

}  // namespace gicsim::exports
