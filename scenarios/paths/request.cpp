// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/request.h"

#include <algorithm>

#include "scenarios/paths/places.h"

namespace gicsim::paths {
namespace {

Opcode opcode(const Operation& operation) {
  switch (operation.verb) {
    case Verb::put: break;
    case Verb::get: return Opcode::rdma_read;
    case Verb::fetch_add: return Opcode::fetch_add;
    case Verb::compare_swap: return Opcode::compare_swap;
    case Verb::send: return Opcode::send;
  }
  return operation.signal == Signal::immediate ? Opcode::rdma_write_imm : Opcode::rdma_write;
}

}  // namespace

std::uint32_t Request::units() const {
  std::uint32_t all = 0;
  for (const Wqe& wqe : *this) all += nic::wqe_units(wqe);
  return all;
}

void Request::place(std::uint32_t qpn, std::uint32_t index, bool signaled) {
  for (std::size_t i = 0; i < count; ++i) {
    wqes[i].qpn = qpn;
    wqes[i].index = index;
    wqes[i].signaled = signaled && i + 1 == count;
    index += nic::wqe_units(wqes[i]);
  }
}

/// A compare-swap expects what the one before has left, and so succeeds.
Request make_request(const Operation& operation, const Buffers& at, bool inlined, Message& message) {
  Request request;
  Wqe& data = request.wqes[0];
  data.opcode = opcode(operation);
  data.inlined = inlined && carries(operation.verb);
  data.segments = data.inlined || is_atomic(operation.verb) ? 1 : operation.segments;
  data.local = at.local;
  data.remote = operation.target ? operation.target : at.remote;
  data.length = operation.bytes;
  data.value = operation.verb == Verb::fetch_add ? 1 : operation.value;
  data.compare = operation.value - 1;
  data.immediate = static_cast<std::uint32_t>(operation.value);
  message.data = {};
  if (message.track_delivery && !is_atomic(operation.verb)) {
    data.data_of = &message;
    message.data.missing = operation.bytes;
  }
  if (operation.signal && *operation.signal != Signal::immediate) {
    Wqe& signal = request.wqes[request.count++];
    signal.flag = true;
    signal.opcode = *operation.signal == Signal::atomic ? Opcode::fetch_add : Opcode::rdma_write;
    signal.inlined = *operation.signal == Signal::flag;
    signal.local = places::signal(at.local, at.size);
    signal.remote = places::signal(at.remote, at.size);
    signal.length = 8_B;
    signal.value = *operation.signal == Signal::atomic ? 1 : operation.value;
  }
  request.wqes[request.count - 1].message = &message;
  return request;
}

void address(Request& request, const system::Queue& queue, const schema::Scenario& scenario) {
  constexpr std::uint32_t nobody = 0x100000;  // beyond the keys that were given out
  const auto a_visit = static_cast<std::uint64_t>(std::max<Count>(1, scenario.visit));
  for (std::size_t i = 0; i < request.count; ++i) {
    Wqe& wqe = request.wqes[i];
    wqe.lkey = queue.lkey + (scenario.wrong == Wrong::lkey ? nobody : 0);
    wqe.rkey = queue.rkey;
    if (is_atomic(wqe.opcode) && scenario.word != Word::own) {
      if (scenario.word == Word::device) wqe.rkey = queue.device_rkey;
      wqe.remote = scenario.word == Word::device ? queue.far_device : wqe.remote & ~((Address{1} << 40) - 1);
    }
    if (scenario.wrong == Wrong::rkey) wqe.rkey += nobody;
    if (scenario.mistake == Slip::key_order) wqe.lkey = __builtin_bswap32(wqe.lkey), wqe.rkey = __builtin_bswap32(wqe.rkey);
    if (scenario.wrong == Wrong::range)  // it ends beyond the region
      wqe.remote = system::AddressMap::nic(0) - static_cast<Address>(wqe.length.count() - 1) / 8 * 8;
    if (scenario.transport == Transport::rc) continue;
    wqe.service = static_cast<Service>(scenario.transport);
    wqe.to = queue.far;
    if (scenario.targets > 1)  // far queue pairs are numbered from 1
      wqe.to.qpn = 1 + (queue.far.qpn + static_cast<std::uint32_t>(request.wqes[0].compare / a_visit)) %
                           static_cast<std::uint32_t>(scenario.targets);
    if (scenario.transport == Transport::dc) continue;
    wqe.data_of = nullptr;  // it may never arrive
  }
  if (scenario.transport == Transport::ud && request.wqes[0].message) request.wqes[0].message->data = {};
}

std::uint32_t wqe_units(const schema::Scenario& scenario, bool inlined, Bytes bytes) {
  const Verb verb = schema::verb(scenario);
  const Opcode opcode = verb == Verb::send ? Opcode::send : is_atomic(verb) ? Opcode::fetch_add : Opcode::rdma_write;
  return nic::wqe_units(inlined, bytes, opcode, static_cast<Service>(scenario.transport), scenario.segments);
}

void Receives::post(std::uint32_t n, Picoseconds now) {
  if (scenario_.wrong == Wrong::receive) return;
  const Bytes header = scenario_.transport == Transport::ud ? datagram_header : 0_B;
  const Bytes length = header + scenario_.bytes - (scenario_.wrong == Wrong::length ? 1_B : 0_B);
  for (std::uint32_t i = 0; queue_.receive_ring != 0 && i < n; ++i, ++posted_)
    cells_.write(queue_.receive_ring + posted_ % queue_.receive_depth * Address{64},
                 ReceiveWqe{posted_, buffer_ - static_cast<Address>(header.count()), length, queue_.lkey}, now);
  queue_.nic->post_receives(queue_.qpn, n);
}

}  // namespace gicsim::paths
