// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Who may touch what. Source: InfiniBand 1.5, 10.6 (memory management), 9.7.4.1 (what a responder validates), 9.9.3
// (NAK codes), 10.3.1 (states of a queue pair)
#include "models/nic/protection.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/errors.h"
#include "models/nic/nic.h"

namespace gicsim::nic {
namespace {

bool allows(const Access& access, Use use) {
  switch (use) {
    case Use::local_read: return true;
    case Use::local_write: return access.local_write;
    case Use::remote_write: return access.remote_write;
    case Use::remote_read: return access.remote_read;
    case Use::remote_atomic: return access.remote_atomic;
  }
  return false;
}

const char* what(Use use) {
  switch (use) {
    case Use::local_read: return "read";
    case Use::local_write: return "written";
    case Use::remote_write: return "written from afar";
    case Use::remote_read: return "read from afar";
    case Use::remote_atomic: return "the target of an atomic";
  }
  return "";
}

Use local_use(const Wqe& wqe) { return is_fetch(wqe.opcode) ? Use::local_write : Use::local_read; }

Use remote_use(const Packet& packet) {
  if (packet.kind == PacketKind::read_request) return Use::remote_read;
  return packet.kind == PacketKind::atomic_request ? Use::remote_atomic : Use::remote_write;
}

}  // namespace

std::string Protection::refusal(std::uint32_t key, std::uint32_t domain, Address address, Bytes length, Use use) const {
  if (!on() || length == 0_B || key == 0) return {};
  const bool remote = use > Use::local_write;
  const std::string who = fmt::format("{} {:#x}", remote ? "rkey" : "lkey", key);
  if (!names_one(key)) {
    const std::uint32_t turned = __builtin_bswap32(key);
    return who + " names no memory region" +
           (names_one(turned) ? fmt::format("; {:#x}, its bytes the other way round, does", turned) : "");
  }
  const Region& region = regions_[(key >> 8) - 1];
  if (region.domain != domain)
    return fmt::format("{} is of protection domain {}, the queue pair of {}", who, region.domain, domain);
  const Address end = address + static_cast<Address>(length.count());
  if (address < region.begin || end > region.end)
    return fmt::format("{} to {:#x} isn't inside the region of {}, which ends at {:#x}", fmt::format("{:#x}", address), end,
                       who, region.end);
  if (!allows(region.access, use)) return who + " doesn't allow its memory to be " + what(use);
  return {};
}

/// Before a WQE is executed: the memory that it names on this side. What is inline names none.
CqeStatus Nic::may_execute(const Job& job) {
  const Wqe& wqe = job.wqe;
  const auto refuse = [&](CqeStatus status, std::string why) {
    failures_.push_back(
        {name(), job.queue->config.qpn, wqe.index, 0, 0, status, kernel_.now(), false, std::move(why)});
    return status;
  };
  if (wqe.service == Service::ud && wqe.length > job.queue->mtu)
    return refuse(CqeStatus::local_length, "a datagram of " + std::to_string(wqe.length.count()) +
                                               " B, and a packet carries " + std::to_string(job.queue->mtu.count()));
  if (wqe.inlined || !protection_.on()) return CqeStatus::ok;
  std::string why =
      protection_.refusal(wqe.lkey, job.queue->config.domain, wqe.local, wqe.length, local_use(wqe));
  return why.empty() ? CqeStatus::ok : refuse(CqeStatus::local_protection, std::move(why));
}

/// A request that is next and begins a message. @return whether it may go on; else it was refused, and the queue pair with it
bool Nic::may_serve(QueuePair& queue, const Packet& packet) {
  if (packet.kind == PacketKind::atomic_request && packet.address % 8 != 0) {
    refuse_request(queue, packet.psn, fmt::format("an atomic at {:#x}, which isn't a multiple of 8", packet.address),
                   CqeStatus::remote_invalid_request);
    return false;
  }
  const bool fetch = packet.kind == PacketKind::read_request || packet.kind == PacketKind::atomic_request;
  const auto answering =
      fetch ? std::count_if(queue.replies.begin(), queue.replies.end(), [](const Reply* one) { return !one->again; }) : 0;
  if (fetch && answering >= params_.fetches_outstanding) {
    refuse_request(queue, packet.psn,
                   std::to_string(answering) + " READs and atomics are being answered already, as many as "
                   "nic.fetches_outstanding allows",
                   CqeStatus::remote_invalid_request);
    return false;
  }
  if (packet.kind == PacketKind::send || !protection_.on()) return true;
  const Bytes length = packet.kind == PacketKind::atomic_request ? 8_B : packet.wqe->length;
  std::string why =
      protection_.refusal(packet.wqe->rkey, queue.config.domain, packet.wqe->remote, length, remote_use(packet));
  if (why.empty()) return true;
  refuse_request(queue, packet.psn, std::move(why), CqeStatus::remote_access);
  return false;
}

/// By the rules of figure 124: any may end in reset or error, else only forwards, and to and fro between ready and drained.
void Nic::modify(std::uint32_t qpn, QueueState to) {
  QueuePair& queue = qp(qpn);
  const QueueState from = queue.state;
  const bool legal = to == QueueState::reset || to == QueueState::error || from == to ||
                     (from == QueueState::reset && to == QueueState::init) ||
                     (from == QueueState::init && to == QueueState::rtr) ||
                     (from == QueueState::rtr && to == QueueState::rts) ||
                     (from == QueueState::rts && to == QueueState::sqd) ||
                     ((from == QueueState::sqd || from == QueueState::sqe) && to == QueueState::rts);
  if (!legal)
    throw ModelError(name(), kernel_.now(),
                     fmt::format("qp {}: no way from {} to {}", qpn, name_of(from), name_of(to)));
  if (to == QueueState::error && !queue.failed) flush(queue);
  queue.state = to;
  if (to != QueueState::rts) return;
  want_fetch(queue);
  pump_fetch();
}

}  // namespace gicsim::nic
