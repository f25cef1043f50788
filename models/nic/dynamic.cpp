// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// DC: an initiator is connected to one target at a time. A packet ahead of its first request makes a context at the target;
// before it goes on to another one, everything has to be acknowledged. The protocol isn't published: the address vector in
// the WQE is (rdma-core, providers/mlx5/mlx5dv.h), and that an initiator serves one target at a time (Crupnicoff et al.,
// "Dynamically connected transport service", US 8,761,189).
#include "models/nic/nic.h"

namespace gicsim::nic {

void ReadyTimer::on_connected() { nic->drain(*queue); }

/// @return whether its packets may go out; else all before them is waited for
bool Nic::connected(QueuePair& queue, const Job& job) {
  const AddressVector& to = job.wqe.to;
  if (queue.connections > 0 && queue.target.port == to.port && queue.target.qpn == to.qpn) return true;
  if (!queue.unacknowledged.empty()) return false;
  queue.target = to;
  queue.config.remote_port = to.port;
  queue.config.remote_qpn = to.qpn;
  ++queue.connections;
  send_connect(queue, job.numbered ? job.first_psn : queue.next_psn);
  return true;
}

void Nic::send_connect(QueuePair& queue, std::uint32_t psn) {
  Packet packet;
  packet.kind = PacketKind::connect;
  packet.psn = psn;
  packet.value = static_cast<std::uint64_t>(queue.connections);
  build(queue, packet, false, nullptr);
}

/// A request finds the context of its initiator. One that comes before the connect packet, or whose key is wrong, is dropped.
void Nic::take_dynamic(const Packet& packet) {
  QueuePair& target = qp(packet.qpn);
  QueuePair*& context = dynamic_[{packet.qpn, packet.from, packet.source_qpn}];
  const bool fresh = packet.kind == PacketKind::connect &&
                     (!context || context->connections != static_cast<Count>(packet.value));
  if (packet.key != target.config.key || (!context && !fresh)) {
    ++target.dropped;
    stats_.payload_discarded += packet.payload;
    return;
  }
  if (!context) {
    context = &qp(make_queue_pair(target.config));
    context->config.receive_queue = 0;  // a shared receive queue isn't modelled
    context->config.remote_port = packet.from;
    context->config.remote_qpn = packet.source_qpn;
    context->config.key = target.config.key;
    context->mtu = target.mtu;
    context->fetches = target.fetches;
    context->state = QueueState::rts;
    contexts_->accepted(context->config.qpn);
  }
  QueuePair& queue = *context;
  if (fresh) {
    ++stats_.dc_connects;
    queue.connections = static_cast<Count>(packet.value);
    queue.expected_psn = packet.psn;
    queue.saved.clear();
    queue.reads.clear();
    queue.gap = false;
    queue.connected_at = kernel_.now() + transport_.dc_connect;
    kernel_.at<&ReadyTimer::on_connected>(queue.connected_at, &queue.ready);
  }
  if (packet.kind == PacketKind::connect) return;
  if (kernel_.now() >= queue.connected_at && !waits_for_receive(queue)) return take(queue, packet);
  if (queue.early.empty() && packet.psn == queue.expected_psn) return keep(queue, packet, true);
  if (waits_for_receive(queue)) return wait_behind(queue, packet);
  stats_.payload_discarded += packet.payload;
}

}  // namespace gicsim::nic
