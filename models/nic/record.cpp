// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// A NIC that takes a doorbell as the word that there is something new, and how much from the doorbell record in memory.
#include "models/nic/nic.h"

namespace gicsim::nic {

void Nic::read_record(QueuePair& queue, Picoseconds arrived, Ledger* ledger) {
  ++cq_stats_.record_reads;
  Transfer& read = port_->make();
  read.kind = Transfer::Kind::read;
  read.stage = Stage::nic_doorbell;
  read.address = queue.config.record;
  read.length = 8_B;
  read.initiator = this;
  read.cookie = &queue;
  read.ledger = ledger;
  read.owner = ledger;
  read.begun = arrived;
  port_->submit(read);
}

void Nic::on_record(Transfer& record) {
  QueuePair& queue = *static_cast<QueuePair*>(record.cookie);
  const auto* value = std::get_if<std::uint64_t>(&record.content);
  const std::uint32_t producer = value ? static_cast<std::uint32_t>(*value) : 0;
  if (static_cast<std::int32_t>(producer - queue.producer) <= 0) return;  // nothing new there
  queue.producer = producer;
  queue.rings.push_back({producer, record.begun, kernel_.now(), static_cast<Ledger*>(record.owner)});
  want_fetch(queue);
  pump_fetch();
}

}  // namespace gicsim::nic
