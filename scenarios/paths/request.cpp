// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/request.h"

#include "scenarios/paths/places.h"

namespace gicsim::paths {
namespace {

Opcode opcode(const Operation& operation) {
  switch (operation.verb) {
    case Verb::put: break;
    case Verb::get: return Opcode::rdma_read;
    case Verb::fetch_add: return Opcode::fetch_add;
    case Verb::compare_swap: return Opcode::compare_swap;
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
  data.inlined = inlined && operation.verb == Verb::put;
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

}  // namespace gicsim::paths
