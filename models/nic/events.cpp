// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Event queues. A poller that is about to sleep arms its completion queue; the CQE that follows, or that it hadn't seen,
// makes one event: an entry in host memory, then an MSI-X write. Source: rdma-core, providers/mlx5/cq.c (arming)
#include "models/nic/nic.h"
#include "models/protocol/interrupt.h"

namespace gicsim::nic {

void Nic::on_arm() {
  const std::uint64_t value = *arming_.pop_due(kernel_.now());
  QueuePair& queue = qp(static_cast<std::uint32_t>(value >> 32));
  queue.cq.armed = true;
  queue.cq.unreported = 0;
  if (static_cast<std::int32_t>(queue.cq.newest - static_cast<std::uint32_t>(value)) > 0) make_event(queue);
}

/// A CQE was written. Moderated, it may have to wait for others.
void Nic::tell(QueuePair& queue) {
  CompletionQueue& cq = queue.cq;
  if (!cq.armed) return;
  if (++cq.unreported >= queue_params_->moderation_count) return make_event(queue);
  if (cq.unreported > 1 || queue_params_->moderation_period == Picoseconds{}) return;
  cq.first = kernel_.now();
  const Picoseconds due = kernel_.now() + queue_params_->moderation_period;
  moderating_.push(&queue, due);
  kernel_.at<&Nic::on_period>(due, this);
}

void Nic::on_period() {
  QueuePair& queue = **moderating_.pop_due(kernel_.now());
  const bool same = queue.cq.first + queue_params_->moderation_period == kernel_.now();
  if (queue.cq.armed && queue.cq.unreported > 0 && same) make_event(queue);
}

void Nic::make_event(QueuePair& queue) {
  queue.cq.armed = false;
  queue.cq.unreported = 0;
  const Picoseconds due = kernel_.now() + queue_params_->event;
  eventing_.push(&queue, due);
  kernel_.at<&Nic::on_event>(due, this);
}

void Nic::on_event() {
  QueuePair& queue = **eventing_.pop_due(kernel_.now());
  const CqConfig& config = queue.config.cq;
  ++cq_stats_.events;
  const std::uint64_t number = ++queue.cq.events;
  Transfer& entry = port_->make();
  entry.kind = Transfer::Kind::write;
  entry.stage = Stage::cqe_write;
  entry.ordered = true;
  entry.address = config.events;
  entry.length = event_size;
  entry.content = number;
  port_->submit(entry);
  interrupt(*port_, config.vector, number);
}

void Nic::raise(AsyncKind kind, std::string what) {
  async_.push_back({kind, std::move(what), kernel_.now()});
  interrupt(*port_);
}

void Nic::port_changed(bool up) {
  raise(up ? AsyncKind::port_active : AsyncKind::port_error, std::string(name()) + ": its port is " + (up ? "up" : "down"));
}

}  // namespace gicsim::nic
