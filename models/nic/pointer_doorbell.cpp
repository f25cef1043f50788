// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// A claim (descriptor_pointer_doorbell), off by default: a doorbell holds the address of a 64 B descriptor, which has to be
// read before the NIC knows which WQEs to fetch. One more read a doorbell, from where the send queue lies.
#include "models/nic/nic.h"

namespace gicsim::nic {

void Nic::read_descriptor(QueuePair& queue, Ledger* ledger) {
  ++fetch_stats_.pointers;
  Transfer& read = port_->make();
  read.kind = Transfer::Kind::read;
  read.stage = Stage::wqe_read;
  read.address = queue.config.completion + 1024;  // a line of the queue's own page
  read.length = wqe_unit;
  read.initiator = this;
  read.cookie = this;
  read.owner = &queue;
  read.ledger = ledger;
  port_->submit(read);
}

void Nic::on_descriptor(Transfer& transfer) {
  if (transfer.ledger) transfer.ledger->close(Stage::wqe_read, name(), kernel_.now());
  go_fetch(*static_cast<QueuePair*>(transfer.owner));
}

}  // namespace gicsim::nic
