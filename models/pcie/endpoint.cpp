// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/endpoint.h"

#include <algorithm>
#include <string>

#include "models/base/errors.h"

namespace gicsim::pcie {

Bytes first_piece(Address address, Bytes length, Bytes limit) {
  const Bytes to_line(4096 - static_cast<std::int64_t>(address % 4096));
  return std::min({length, limit, to_line});
}

Bytes first_completion(Address address, Bytes length, Bytes mps, Bytes rcb) {
  const auto end = (static_cast<std::int64_t>(address) + mps.count()) / rcb.count() * rcb.count();
  return std::min(length, Bytes(end - static_cast<std::int64_t>(address)));
}

Endpoint::Endpoint(sc_core::sc_module_name name, Kernel& kernel, const EndpointParams& params,
                   RequesterId id, TransferPool& pool)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      id_(id),
      pool_(pool),
      tags_(std::string(this->name()) + ".tags", params.tags),
      buffer_(std::string(this->name()) + ".completion_buffer", params.completion_buffer.count()),
      requests_(static_cast<std::size_t>(params.tags)) {
  memory.bind(*this);
  in.bind(*this);
}

void Endpoint::end_of_elaboration() {
  out_ = out.operator->();
  device_ = device.operator->();
}

void Endpoint::submit(Transfer& transfer) {
  if (transfer.kind == Transfer::Kind::write) return write(transfer);
  reads_.push_back(&transfer);
  pump_reads();
}

void Endpoint::write(Transfer& transfer) {
  while (transfer.requested < transfer.length) {
    const Address at = transfer.address + static_cast<Address>(transfer.requested.count());
    const Bytes piece = first_piece(at, transfer.length - transfer.requested, params_.mps);
    transfer.requested += piece;
    ++stats_.writes;
    out_->send({.kind = TlpKind::write,
                .last = transfer.requested == transfer.length,
                .requester = id_,
                .length = piece,
                .address = at,
                .transfer = &transfer},
               kernel_.now());
  }
}

void Endpoint::pump_reads() {
  const Picoseconds now = kernel_.now();
  while (!reads_.empty()) {
    Transfer& transfer = *reads_.front();
    const Address at = transfer.address + static_cast<Address>(transfer.requested.count());
    const Bytes piece = first_piece(at, transfer.length - transfer.requested,
                                    std::min(params_.mrrs, params_.completion_buffer));
    if (tags_.available() == 0 || buffer_.available(now) < piece.count()) {
      if (blocked_since_ < Picoseconds{}) blocked_since_ = now;
      return;
    }
    if (blocked_since_ >= Picoseconds{}) {
      stats_.tag_wait += now - blocked_since_;
      if (transfer.ledger) transfer.ledger->waited(now - blocked_since_);
      blocked_since_ = Picoseconds{-1};
    }
    buffer_.take(piece.count(), now);
    const auto tag = static_cast<std::uint16_t>(*tags_.take(now));
    stats_.tags_peak = std::max(stats_.tags_peak, tags_.in_use());
    requests_[tag] = {&transfer, piece, piece};
    transfer.requested += piece;
    const bool last = transfer.requested == transfer.length;
    ++stats_.reads;
    out_->send({.kind = TlpKind::read,
                .last = last,
                .requester = id_,
                .tag = tag,
                .length = piece,
                .address = at,
                .transfer = &transfer},
               now);
    if (last) reads_.pop_front();
  }
}

void Endpoint::arrive(const Tlp& tlp) {
  const Picoseconds now = kernel_.now();
  if (tlp.held)
    tlp.held->release(tlp, tlp.kind == TlpKind::write ? device_->accept(*tlp.transfer, tlp.length, now) : now);
  switch (tlp.kind) {
    case TlpKind::atomic:
    case TlpKind::message: throw ModelError(name(), now, std::string(name_of(tlp.kind)) + ": no device here takes one");
    case TlpKind::read: return serve(tlp);
    case TlpKind::completion: return complete(tlp);
    case TlpKind::write:
      if (!tlp.last) return;
      device_->on_write(*tlp.transfer, now);
      if (tlp.transfer->initiator) tlp.transfer->initiator->on_transferred(*tlp.transfer);
      pool_.give(*tlp.transfer);
  }
}

void Endpoint::serve(const Tlp& tlp) {
  ++stats_.served;
  const Picoseconds ready = device_->on_read(*tlp.transfer, tlp.length, kernel_.now());
  serving_.push(tlp, ready);
  kernel_.at<&Endpoint::on_data>(ready, this);
}

void Endpoint::on_data() {
  const Tlp request = *serving_.pop_due(kernel_.now());
  Transfer& transfer = *request.transfer;
  if (request.last) {
    device_->sample(transfer, kernel_.now());
    if (transfer.ledger) transfer.ledger->close(transfer.stage, name(), kernel_.now());
  }
  for (Bytes sent; sent < request.length;) {
    const Address at = request.address + static_cast<Address>(sent.count());
    const Bytes piece = first_completion(at, request.length - sent, params_.mps, params_.rcb);
    sent += piece;
    out_->send({.kind = TlpKind::completion,
                .last = request.last && sent == request.length,
                .requester = request.requester,
                .tag = request.tag,
                .length = piece,
                .address = at,
                .transfer = &transfer},
               kernel_.now());
  }
}

void Endpoint::complete(const Tlp& tlp) {
  Request& request = requests_[tlp.tag];
  Transfer& transfer = *request.transfer;
  request.left -= tlp.length;
  transfer.returned += tlp.length;
  if (request.left > 0_B) return;
  tags_.give(tlp.tag, kernel_.now());
  buffer_.give(request.length.count(), kernel_.now());
  if (transfer.returned == transfer.length) {
    transfer.initiator->on_transferred(transfer);
    pool_.give(transfer);
  }
  pump_reads();
}

EndpointStats Endpoint::stats() const {
  EndpointStats stats = stats_;
  stats.tag_time = tags_.stats().held;
  return stats;
}

void Endpoint::check_books() const {
  const Picoseconds now = kernel_.now();
  if (tags_.in_use() != 0)
    throw ModelError(name(), now, std::to_string(tags_.in_use()) + " tags not returned");
  if (!reads_.empty()) throw ModelError(name(), now, std::to_string(reads_.size()) + " reads not sent");
  if (buffer_.outstanding() != 0)
    throw ModelError(name(), now, std::to_string(buffer_.outstanding()) + " B of completion buffer not returned");
}

}  // namespace gicsim::pcie
