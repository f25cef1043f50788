// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Scatter lists: a packet's payload lies in several pieces of local memory, each an access of its own. Pieces of a WQE are
// equally long, but for the last.
#include <algorithm>

#include "models/nic/nic.h"
#include "models/protocol/ending.h"

namespace gicsim::nic {
namespace {

/// How much of [from, from + length) lies in the piece that `from` is in.
Bytes in_piece(const Wqe& wqe, Bytes from, Bytes length) {
  const Bytes piece{std::max<std::int64_t>(1, (wqe.length.count() + wqe.segments - 1) / wqe.segments)};
  return std::min(length, piece * (from / piece + 1) - from);
}

}  // namespace

/// Asks for all pieces of a packet but the last, whose length it returns: that one tells that the packet is here.
Bytes Nic::gather(const Job& job, Bytes from, Bytes length) {
  while (job.wqe.segments > 1) {
    const Bytes piece = in_piece(job.wqe, from, length);
    if (piece == length) break;
    ++cq_stats_.gathered;
    Transfer& read = port_->make();
    read.kind = Transfer::Kind::read;
    read.stage = Stage::payload_read;
    read.address = job.address + static_cast<Address>(from.count());
    read.length = piece;
    read.initiator = this;
    read.cookie = const_cast<Stream*>(static_cast<const Stream*>(&job));
    read.owner = this;
    port_->submit(read);
    from += piece, length -= piece;
  }
  return length;
}

/// What failed shows with the last piece, too: they are of one memory.
void Nic::take_piece(Stream& stream, const Transfer& read) { stream.pieces += read.length; }

/// Writes all pieces of a response but the last, whose length it returns.
Bytes Nic::scatter(QueuePair& queue, const Packet& packet, const Wqe& wqe, Bytes from, Bytes length) {
  while (wqe.segments > 1) {
    const Bytes piece = in_piece(wqe, from, length);
    if (piece == length) break;
    ++cq_stats_.segments;
    Transfer& write = inbound(queue, packet, Stage::response_write, wqe.local + static_cast<Address>(from.count()), piece);
    write.cookie = wqe.data_of;
    place(queue, write);
    from += piece, length -= piece;
  }
  return length;
}

}  // namespace gicsim::nic
