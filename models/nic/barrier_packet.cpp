// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/barrier_packet.h"

#include "models/units/bytes.h"

namespace gicsim::nic {

void BarrierUnit::begin(const Transfer& store, Picoseconds now) {
  const auto* round = std::get_if<std::uint64_t>(&store.content);
  if (!round || members_.empty()) return;
  Packet packet;
  packet.kind = PacketKind::barrier;
  packet.first = true;
  packet.from = number_;
  packet.to = members_.front();
  packet.value = *round;
  packet.wire = infiniband_overhead.on_wire(packet);
  const Picoseconds due = now + params_.doorbell + params_.tx;
  built_.push(packet, due);
  kernel_.at<&BarrierUnit::on_built>(due, this);
}

void BarrierUnit::send(bool release, PortNumber to, std::uint64_t round) {
  Packet packet;
  packet.kind = PacketKind::barrier;
  packet.first = !release;
  packet.last = release;
  packet.from = number_;
  packet.to = to;
  packet.value = round;
  packet.wire = infiniband_overhead.on_wire(packet);
  const Picoseconds due = kernel_.now() + params_.tx;
  built_.push(packet, due);
  kernel_.at<&BarrierUnit::on_built>(due, this);
}

/// What is for this NIC itself doesn't leave it.
void BarrierUnit::on_built() {
  const Packet packet = *built_.pop_due(kernel_.now());
  if (packet.to == number_) return take(packet);
  wire_->send(packet, kernel_.now());
}

void BarrierUnit::arrive(const Packet& packet) {
  const Picoseconds due = kernel_.now() + params_.rx;
  received_.push(packet, due);
  kernel_.at<&BarrierUnit::on_received>(due, this);
}

void BarrierUnit::on_received() { take(*received_.pop_due(kernel_.now())); }

void BarrierUnit::take(const Packet& packet) {
  if (packet.first) {
    if (++here_[packet.value] < members_.size()) return;
    here_.erase(packet.value);
    ++*counted_;
    for (const PortNumber member : members_) send(true, member, packet.value);
    return;
  }
  Transfer& write = memory_->make();
  write.kind = Transfer::Kind::write;
  write.stage = Stage::remote_write;
  write.ordered = true;
  write.address = flag_;
  write.length = 8_B;
  write.content = packet.value;
  memory_->submit(write);
}

void BarrierUnit::unfinished(const std::string& who, std::vector<std::string>& lines) const {
  for (const auto& [round, here] : here_)
    lines.push_back(who + ": barrier " + std::to_string(round) + " has " + std::to_string(here) + " of " +
                    std::to_string(members_.size()) + " members");
}

}  // namespace gicsim::nic
