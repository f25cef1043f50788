// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/endpoint.h"

#include <algorithm>
#include <string>

#include "models/base/errors.h"
#include "models/protocol/ending.h"

namespace gicsim::pcie {
namespace {

constexpr Bytes dword = 4_B;

/// What a request's completions hold: a flush is answered by one DWORD. Source: PCIe Base 5.0, 2.2.9
constexpr Bytes answer_of(Bytes piece) { return piece > 0_B ? piece : dword; }

/// The most that the two tag fields, and the device's own number, allow.
Count usable(const EndpointParams& params, Count bits) { return std::min(params.tags, tags_of(bits)); }

}  // namespace

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
      tags_(std::string(this->name()) + ".tags", usable(params, params.tag_bits)),
      buffer_(std::string(this->name()) + ".completion_buffer", params.completion_buffer.count()),
      requests_(static_cast<std::size_t>(tags_.size())) {
  memory.bind(*this);
  in.bind(*this);
}

void Endpoint::limit_tags(Count bits) {
  const Count size = usable(params_, bits);
  if (size < tags_.size()) tags_ = Tags(std::string(name()) + ".tags", size);
}

void Endpoint::end_of_elaboration() {
  out_ = out.operator->();
  device_ = device.operator->();
}

void Endpoint::submit(Transfer& transfer) {
  if (state_ == PortState::dead || state_ == PortState::unconfigured) [[unlikely]]
    return bounce(transfer);
  if (transfer.kind == Transfer::Kind::write) return write(transfer);
  waiting_.push_back(&transfer);
  pump_requests();
}

void Endpoint::write(Transfer& transfer) {
  const bool relaxed = transfer.relaxed || (params_.relaxed_ordering == Ability::on && !transfer.ordered);
  while (transfer.requested < transfer.length) {
    const Address at = transfer.address + static_cast<Address>(transfer.requested.count());
    const Bytes piece = first_piece(at, transfer.length - transfer.requested, params_.mps);
    transfer.requested += piece;
    ++stats_.writes;
    out_->send({.kind = TlpKind::write,
                .last = transfer.requested == transfer.length,
                .requester = id_,
                .relaxed = relaxed,
                .by_id = transfer.by_id,
                .poisoned = transfer.poisoned,
                .address_type = transfer.address_type,
                .length = piece,
                .address = at,
                .transfer = &transfer},
               kernel_.now());
  }
}

void Endpoint::pump_requests() {
  const Picoseconds now = kernel_.now();
  while (!waiting_.empty()) {
    Transfer& transfer = *waiting_.front();
    const Address at = transfer.address + static_cast<Address>(transfer.requested.count());
    const Bytes piece = first_piece(at, transfer.length - transfer.requested,
                                    std::min(params_.mrrs, params_.completion_buffer));
    if (tags_.available() == 0 || buffer_.available(now) < answer_of(piece).count()) {
      if (blocked_since_ < Picoseconds{}) blocked_since_ = now;
      return;
    }
    if (blocked_since_ >= Picoseconds{}) {
      stats_.tag_wait += now - blocked_since_;
      if (transfer.ledger) transfer.ledger->waited(now - blocked_since_);
      blocked_since_ = Picoseconds{-1};
    }
    const auto tag = static_cast<std::uint16_t>(*tags_.take(now));
    if (transfer.requested + piece == transfer.length) waiting_.pop_front();
    request(transfer, tag, piece, at);
  }
}

void Endpoint::request(Transfer& transfer, std::uint16_t tag, Bytes piece, Address at) {
  const Picoseconds now = kernel_.now();
  const bool atomic = transfer.kind == Transfer::Kind::atomic;
  buffer_.take(answer_of(piece).count(), now);
  stats_.tags_peak = std::max(stats_.tags_peak, tags_.in_use());
  requests_[tag] = {&transfer, answer_of(piece), answer_of(piece), now};
  start_timer();
  transfer.requested += piece;
  ++transfer.open;
  ++(atomic ? stats_.atomics : stats_.reads);
  const Bytes operands = transfer.op == AtomicOp::compare_swap ? piece * 2 : piece;
  out_->send({.kind = atomic ? TlpKind::atomic : TlpKind::read,
              .last = transfer.requested == transfer.length,
              .requester = id_,
              .tag = tag,
              .relaxed = params_.relaxed_ordering == Ability::on && !transfer.ordered && !atomic,
              .by_id = transfer.by_id,
              .address_type = transfer.address_type,
              .length = atomic ? operands : piece,
              .address = at,
              .transfer = &transfer},
             now);
}

void Endpoint::message(const Tlp& message) {
  Tlp tlp = message;
  tlp.kind = TlpKind::message;
  tlp.requester = id_;
  tlp.held = nullptr;
  tlp.via = nullptr;
  out_->send(tlp, kernel_.now());
}

void Endpoint::arrive(const Tlp& tlp) {
  if (tlp.kind == TlpKind::completion) {
    if (tlp.held) tlp.held->release(tlp, kernel_.now());
    return complete(tlp);
  }
  if (state_ != PortState::up) [[unlikely]] {
    if (state_ != PortState::silent || tlp.kind == TlpKind::write) return drop(tlp);
  }
  if (tlp.kind == TlpKind::write) return take_write(tlp);
  if (tlp.held) tlp.held->release(tlp, kernel_.now());
  switch (tlp.kind) {
    case TlpKind::read: return serve(tlp);
    case TlpKind::atomic: return serve_atomic(tlp);
    case TlpKind::message:
      if (messages_) return messages_->on_message(tlp);
      [[fallthrough]];
    default: throw ModelError(name(), kernel_.now(), std::string(name_of(tlp.kind)) + ": no device here takes one");
  }
}

void Endpoint::complete(const Tlp& tlp) {
  Request& request = requests_[tlp.tag];
  if (!request.transfer) [[unlikely]]
    return take_late(tlp);
  Transfer& transfer = *request.transfer;
  request.left -= tlp.length;
  transfer.poisoned |= tlp.poisoned;
  if (tlp.status != CompletionStatus::successful) [[unlikely]] {
    transfer.status = tlp.status;
    request.left = 0_B;
  }
  if (request.left > 0_B) return;
  request.transfer = nullptr;
  tags_.give(tlp.tag, kernel_.now());
  buffer_.give(request.length.count(), kernel_.now());
  if (tags_.in_use() == resting_ && params_.completion_timeout > Picoseconds{}) kernel_.release();
  --transfer.open;
  finish(transfer);
  pump_requests();
}

/// One of its requests has ended. What failed once asks for nothing more.
void Endpoint::finish(Transfer& transfer) {
  const bool bad = failed(transfer);
  if (bad && !waiting_.empty() && waiting_.front() == &transfer) waiting_.pop_front();
  if (transfer.open > 0 || (!bad && transfer.requested < transfer.length)) return;
  if (bad) {
    transfer.content = ~std::uint64_t{0};
    transfer.more.assign(transfer.lines - 1, ~std::uint64_t{0});
    transfer.next.assign(transfer.lines, Picoseconds{});
  }
  if (transfer.initiator) transfer.initiator->on_transferred(transfer);
  if (transfer.lost) pool_.abandon(transfer);
  else pool_.give(transfer);
}

EndpointStats Endpoint::stats() const {
  EndpointStats stats = stats_;
  stats.tag_time = tags_.stats().held;
  return stats;
}

void Endpoint::check_books() const {
  const Picoseconds now = kernel_.now();
  if (tags_.in_use() != resting_)
    throw ModelError(name(), now, std::to_string(tags_.in_use() - resting_) + " tags not returned");
  if (!waiting_.empty()) throw ModelError(name(), now, std::to_string(waiting_.size()) + " reads not sent");
  if (buffer_.outstanding() != 0)
    throw ModelError(name(), now, std::to_string(buffer_.outstanding()) + " B of completion buffer not returned");
}

}  // namespace gicsim::pcie
