// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The receive queue: WQEs read ahead of the SENDs and immediates that consume them, and what waits for one.
// Source: InfiniBand 1.5, 9.7.5.2.8 (receiver not ready), 10.8.2 (receive work requests)
#include <algorithm>

#include "models/nic/nic.h"
#include "models/protocol/ending.h"

namespace gicsim::nic {

void ReadyTimer::on_tick() { nic->on_receiver_ready(*queue); }

void ReadyTimer::on_built() { nic->ask_receives(*queue); }

/// What posts them costs nothing here; that they are read does. What was RNR NAKed for want of them will come again.
void Nic::post_receives(std::uint32_t qpn, Count n) {
  QueuePair& queue = qp(qpn);
  queue.receives += n;
  if (queue.failed) return flush_receives(queue);
  if (port_) ask_receives(queue);
  else if (queue.config.receive_queue != 0 && !std::exchange(queue.receives_early, true))
    kernel_.at<&ReadyTimer::on_built>(kernel_.now(), &queue.ready);  // while the machine is being built
  if (queue.starved && !std::exchange(queue.awaited, true)) kernel_.hold();
}

void Nic::no_longer_starved(QueuePair& queue) {
  queue.starved = false;
  if (std::exchange(queue.awaited, false)) kernel_.release();
}

void Nic::ask_receives(QueuePair& queue) {
  const QueuePairConfig& config = queue.config;
  if (config.receive_queue == 0 || queue.failed) return;
  const std::uint32_t posted = queue.received + static_cast<std::uint32_t>(queue.receives);
  const std::uint32_t held = queue.receives_asked - queue.received;
  if (2 * held > static_cast<std::uint32_t>(transport_.receive_prefetch)) return;  // half of them at once
  const std::uint32_t slot = queue.receives_asked % config.receive_depth;
  const std::uint32_t units = std::min({posted - queue.receives_asked, config.receive_depth - slot,
                                        static_cast<std::uint32_t>(transport_.receive_prefetch) - held});
  if (units == 0) return;
  ++stats_.receive_fetches;
  Transfer& read = port_->make();
  read.kind = Transfer::Kind::read;
  read.stage = Stage::wqe_read;
  read.address = config.receive_queue + slot * Address{64};
  read.length = wqe_unit * units;
  read.lines = units;
  read.initiator = this;
  read.owner = &queue;
  queue.receives_asked += units;
  port_->submit(read);
}

void Nic::on_receives(Transfer& read) {
  QueuePair& queue = *static_cast<QueuePair*>(read.owner);
  if (queue.failed) return;  // they were flushed
  if (failed(read)) return refuse_request(queue, queue.expected_psn, "a receive's WQE, a " + how_ended(read));
  for (std::uint32_t line = 0; line < read.lines; ++line) {
    const Content& unit = line == 0 ? read.content : read.more[line - 1];
    const auto index = queue.received + static_cast<std::uint32_t>(queue.ready_receives.size());
    const auto* wqe = std::get_if<ReceiveWqe>(&unit);
    if (!wqe || wqe->index != index) {
      ++stats_.stale;
      stale_.push_back({name(), queue.config.qpn, index, read.sampled, read.next[line]});
    }
    queue.ready_receives.push_back(wqe ? *wqe : ReceiveWqe{});
  }
  ask_receives(queue);
  if (!queue.datagrams.empty()) drain_datagrams(queue);
  drain(queue);
}

bool Nic::begins_receive(const Packet& packet) {
  return packet.kind == PacketKind::send ? packet.first : packet.kind == PacketKind::write && packet.immediate;
}

/// Posted, but its WQE is still being read.
bool Nic::receive_under_way(const QueuePair& queue) {
  return queue.config.receive_queue != 0 && queue.ready_receives.empty();
}

/// The WQE of the receive that is consumed now; without a ring, one that takes what the sender says.
ReceiveWqe Nic::consume_receive(QueuePair& queue, const Packet& packet) {
  ReceiveWqe wqe{queue.received, packet.address, Bytes(1) * (std::int64_t{1} << 40), 0};
  --queue.receives;
  ++queue.received;
  if (queue.config.receive_queue == 0) return wqe;
  wqe = queue.ready_receives.front();
  queue.ready_receives.pop_front();
  ask_receives(queue);
  return wqe;
}

/// A packet that is next, but can't be taken before something else is here; those behind it wait, too.
void Nic::keep(QueuePair& queue, const Packet& packet, bool roomed) {
  if (roomed) unplaced_ = 0_B;
  if (packet.ledger) packet.ledger->close(Stage::nic_rx, name(), kernel_.now());
  stats_.kept_peak = std::max(stats_.kept_peak, ++kept_);
  queue.early.emplace(packet.psn, QueuePair::Early{packet, roomed, false});
}

/// What has been kept and is next now.
void Nic::drain(QueuePair& queue) {
  while (!queue.early.empty() && !queue.failed) {
    const auto first = queue.early.begin();
    if (first->first != queue.expected_psn) return;
    const QueuePair::Early early = first->second;
    if (begins_receive(early.packet) && queue.receives > 0 && receive_under_way(queue)) return;
    queue.early.erase(first);
    --kept_;
    const Bytes before = std::exchange(unplaced_, early.placed ? 0_B : early.packet.payload);
    if (!early.roomed && !early.placed) receiving_ += unplaced_;
    if (Ledger* ledger = early.packet.ledger) {
      ledger->waited(kernel_.now() - ledger->last());
      ledger->close(early.roomed || queue.config.reorders ? Stage::nic_wait : Stage::retransmit, name(), kernel_.now());
    }
    take_next(queue, early.packet, early.placed);
    if (unplaced_ > 0_B) leave_room(unplaced_);
    unplaced_ = before;
  }
}

/// Of a queue pair in error.
void Nic::forget_early(QueuePair& queue) {
  for (const auto& [psn, early] : queue.early) {
    --kept_;
    if (early.placed) continue;
    stats_.payload_discarded += early.packet.payload;
    if (early.roomed) leave_room(early.packet.payload);
  }
  queue.early.clear();
}

/// Of a queue pair in error: the receive under way, then all that were posted, in order. Source: InfiniBand 1.5, 10.3.1.5
void Nic::flush_receives(QueuePair& queue) {
  const auto end = [&](std::uint32_t index) {
    ++queue.stats.resp_cqe_flush_error;
    fail_receive(queue, index, CqeStatus::flushed);
  };
  if (queue.receiving) end(queue.receiving->index);
  queue.receiving.reset();
  queue.ready_receives.clear();
  for (; queue.receives > 0; --queue.receives) end(queue.received++);
}

void Nic::fail_receive(QueuePair& queue, std::uint32_t index, CqeStatus status) {
  ++queue.stats.resp_cqe_error;
  post_cqe(queue, queue.config.receive_completion,
           Cqe{.qpn = queue.config.qpn, .index = index, .opcode = CqeOpcode::responder_error, .status = status}, {},
           Stage::nic_execute);
}

/// A SEND's packet, into the receive that its first one took.
void Nic::accept_send(QueuePair& queue, const Packet& packet) {
  if (packet.first) {
    queue.receiving = consume_receive(queue, packet);
    queue.filled = 0_B;
  }
  const ReceiveWqe to = *queue.receiving;
  const bool datagram = packet.service == Service::ud;
  const Bytes header = datagram ? datagram_header : 0_B;
  const Bytes end = queue.filled + header + packet.payload;
  const auto refuse = [&](CqeStatus here, CqeStatus there, std::string why) {
    stats_.payload_discarded += packet.payload;
    fail_receive(queue, to.index, here);
    queue.receiving.reset();
    if (datagram) ++stats_.datagrams_dropped;
    else refuse_request(queue, packet.psn, std::move(why), there);
  };
  if (end > to.length)
    return refuse(CqeStatus::local_length, CqeStatus::remote_invalid_request,
                  "a SEND of " + std::to_string(end.count()) + " B or more into a receive of " +
                      std::to_string(to.length.count()) + " B");
  if (std::string why = protection_.refusal(to.lkey, queue.config.domain, to.address, end, Use::local_write);
      queue.config.receive_queue != 0 && !why.empty())
    return refuse(CqeStatus::local_protection, CqeStatus::remote_operation, "its receive's " + why);
  if (!datagram) queue.expected_psn = psn_plus(queue.expected_psn, 1);
  queue.msn = psn_plus(queue.msn, packet.last);
  stats_.payload_received += packet.payload;
  queue.stats.payload_received += packet.payload;
  if (datagram && packet.ledger) packet.ledger->close(Stage::nic_rx, name(), kernel_.now());
  const LedgerRef delivery = datagram ? packet.ledger : fork_delivery(packet);
  if (datagram) put_header(queue, to.address);
  if (packet.payload > 0_B) {
    Transfer& write = inbound(queue, packet, Stage::remote_write,
                              to.address + static_cast<Address>((queue.filled + header).count()), packet.payload);
    write.cookie = packet.wqe->data_of;
    if (packet.last) write.content = packet.wqe->value;
    place(queue, write);
  }
  queue.filled = end;
  if (packet.last) {
    const bool immediate = packet.wqe->opcode == Opcode::send_imm;
    post_cqe(queue, queue.config.receive_completion,
             Cqe{.qpn = queue.config.qpn,
                 .index = to.index,
                 .immediate = packet.wqe->immediate,
                 .opcode = immediate ? CqeOpcode::send_imm_received : CqeOpcode::send_received,
                 .message = packet.wqe->message,
                 .length = end},
             delivery, Stage::nic_execute);
    queue.receiving.reset();
  }
  if (packet.ack_request) owe_ack(queue, packet);
}

}  // namespace gicsim::nic
