// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/nic/nic.h"
#include "models/protocol/ending.h"

namespace gicsim::nic {

void Nic::want_payload(QueuePair& queue, bool reply) {
  bool& waits = reply ? queue.reply_reading : queue.reading;
  if (std::exchange(waits, true)) return;
  to_read_.push_back({&queue, reply, params_.turn});
}

/// What a queue pair reads next. Nothing behind a READ or atomic that still has to go out: that one
/// may wait for others' answers, which may need the room that its successors would hold.
Stream* Nic::next_stream(QueuePair& queue, bool reply) const {
  if (reply) {
    for (Reply* one : queue.replies)
      if (one->ready && one->asked < one->packets) return one;
    return nullptr;
  }
  for (Repair* repair : queue.repairs)
    if (repair->asked < 1) return repair;
  for (; !queue.paused && queue.read_at < queue.decoded.size(); ++queue.read_at) {
    Job* job = queue.decoded[queue.read_at];
    if (is_fetch(job->wqe.opcode) || (selective() && !worth_reading(queue, *job))) return nullptr;
    if (job->asked < job->packets) return job;
  }
  return nullptr;
}

/// Reads payload a packet at a time, each into room that it has reserved. Queue pairs take turns of
/// some packets, so that a long message doesn't keep others waiting and a batch stays together.
void Nic::pump_payload() {
  while (!to_read_.empty()) {
    Reader& reader = to_read_.front();
    Stream* const stream = next_stream(*reader.queue, reader.reply);
    if (!stream) {
      (reader.reply ? reader.queue->reply_reading : reader.queue->reading) = false;
      to_read_.pop_front();
      continue;
    }
    if (held_back(*reader.queue)) {
      (reader.reply ? reader.queue->reply_reading : reader.queue->reading) = false;
      to_read_.pop_front();
      continue;
    }
    if (!translated(*stream, reader.reply)) {
      to_read_.pop_front();
      continue;
    }
    const Bytes length = std::min(reader.queue->mtu, stream->length - reader.queue->mtu * stream->asked);
    if (!transmit_buffer_.take(length.count(), kernel_.now())) return await_room(length);
    stats_.transmit_time -= buffer_share(length, kernel_.now());
    charge(*reader.queue, length);
    read_payload(*stream, length, reader.reply);
    reader.left -= length;
    if (reader.left > 0_B) continue;
    to_read_.push_back({reader.queue, reader.reply, params_.turn});
    to_read_.pop_front();
  }
}

void Nic::read_payload(Stream& stream, Bytes length, bool reply) {
  const Bytes whole = length;
  if (!reply) length = gather(static_cast<Job&>(stream), stream.queue->mtu * stream.asked, length);
  Transfer& read = port_->make();
  read.kind = Transfer::Kind::read;
  read.stage = reply ? Stage::remote_read : Stage::payload_read;
  read.address = stream.address + static_cast<Address>((stream.queue->mtu * stream.asked + whole - length).count());
  read.length = length;
  read.initiator = this;
  read.cookie = &stream;
  ++stats_.payload_reads;
  if (++stream.asked == stream.packets) {
    if (reply) {
      read.ledger = static_cast<Reply&>(stream).ledger;
    } else if (Job& job = static_cast<Job&>(stream); !stream.repair && job.wqe.message && !job.again) {
      read.ledger = &job.wqe.message->completion;
    }
    if (read.ledger) {
      read.ledger->waited(kernel_.now() - read.ledger->last());
      read.ledger->close(Stage::nic_wait, name(), kernel_.now());
    }
  }
  port_->submit(read);
}

/// `t` times the part of the buffer that `length` takes: sums up to the time that it was full.
Picoseconds Nic::buffer_share(Bytes length, Picoseconds t) const {
  return Picoseconds{detail::multiply_divide_up(t.count(), length.count(), params_.transmit_buffer.count())};
}

void Nic::leave_buffer(Bytes length, Picoseconds at) {
  transmit_buffer_.give(length.count(), at);
  stats_.transmit_time += buffer_share(length, at);
}

/// The transmit buffer is full: tries again when enough has left, if that is known by now.
void Nic::await_room(Bytes reserved) {
  const Picoseconds room = transmit_buffer_.available_at(reserved.count());
  if (room == Picoseconds::max() || room_at_ >= kernel_.now()) return;
  room_at_ = std::max(room, kernel_.now());
  kernel_.at<&Nic::on_room>(room_at_, this);
}

void Nic::on_room() {
  room_at_ = Picoseconds{-1};
  pump_payload();
}

/// Payload that was asked for and isn't in packets yet is let go: it will be read again.
void Nic::drop_payload(Stream& stream) {
  if (!stream.buffered) return;
  const auto bytes = [&](std::int64_t packets) { return std::min(stream.length, stream.queue->mtu * packets); };
  const Bytes held = bytes(stream.here) - bytes(stream.sent);
  if (held > 0_B) leave_buffer(held, kernel_.now());
  stream.void_reads += stream.asked - stream.here;
  stream.asked = stream.here = stream.sent;
}

void Nic::on_payload(Transfer& transfer) {
  Stream& stream = *static_cast<Stream*>(transfer.cookie);
  const bool reply = transfer.stage == Stage::remote_read;
  if (transfer.owner) return take_piece(stream, transfer);
  transfer.length += std::exchange(stream.pieces, Bytes{});
  if (stream.void_reads > 0) {
    --stream.void_reads;
    leave_buffer(transfer.length, kernel_.now());
    if (stream.ended && stream.repair) recycle(static_cast<Repair&>(stream));
    else if (stream.ended) reply ? recycle(static_cast<Reply&>(stream)) : recycle(static_cast<Job&>(stream));
    return pump_payload();
  }
  if (failed(transfer)) [[unlikely]]
    return reply           ? fail_reply(static_cast<Reply&>(stream), transfer)
           : stream.repair ? fail_payload(*static_cast<Repair&>(stream).job, stream, transfer)
                           : fail_payload(static_cast<Job&>(stream), stream, transfer);
  ++stream.here;
  if (!reply) return pump_packets(*stream.queue);
  const auto* number = std::get_if<std::uint64_t>(&transfer.content);
  static_cast<Reply&>(stream).value = number ? *number : 0;
  pump_replies(*stream.queue);
}

}  // namespace gicsim::nic
