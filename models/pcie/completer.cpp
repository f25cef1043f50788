// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// A port's other half: what it does with requests of others.
#include <algorithm>

#include "models/pcie/endpoint.h"

namespace gicsim::pcie {

/// A poisoned write is dropped as a whole; nobody tells its sender. Source: PCIe Base 5.0, 2.7.2.2
void Endpoint::take_write(const Tlp& tlp) {
  const Picoseconds now = kernel_.now();
  Transfer& transfer = *tlp.transfer;
  if (tlp.held) tlp.held->release(tlp, tlp.poisoned ? now : device_->accept(transfer, tlp.length, now));
  if (!tlp.last) return;
  if (tlp.poisoned) ++stats_.poisoned;
  else device_->on_write(transfer, now);
  if (transfer.initiator) transfer.initiator->on_transferred(transfer);
  pool_.give(transfer);
}

void Endpoint::serve(const Tlp& tlp) {
  ++stats_.served;
  const Picoseconds ready = device_->on_read(*tlp.transfer, tlp.length, kernel_.now());
  serving_.push(tlp, ready);
  kernel_.at<&Endpoint::on_data>(ready, this);
}

void Endpoint::serve_atomic(const Tlp& tlp) {
  ++stats_.served;
  const auto ready = params_.atomic_completer == Ability::on ? device_->on_atomic(*tlp.transfer, kernel_.now())
                                                             : std::nullopt;
  if (!ready) return refuse(tlp, CompletionStatus::unsupported, "it completes no AtomicOps");
  executing_.push(tlp, *ready);
  kernel_.at<&Endpoint::on_executed>(*ready, this);
}

/// @return it has misanswered, or is about to with poisoned data
bool Endpoint::misanswers(const Tlp& request, bool& poisoned) {
  ++answered_;
  if (state_ == PortState::dead || state_ == PortState::unconfigured) {
    request.transfer->ended_by = name();
    ++stats_.dropped;
    return true;
  }
  for (const Scripted& one : script_) {
    if (one.nth != answered_) continue;
    request.transfer->ended_by = name();
    if (one.what == Misanswer::aborted) refuse(request, CompletionStatus::abort, "");
    if (one.what != Misanswer::poisoned) return true;
    poisoned = true;
  }
  return false;
}

void Endpoint::on_data() {
  const Tlp request = *serving_.pop_due(kernel_.now());
  bool poisoned = false;
  if (misanswers(request, poisoned)) return;
  answer(request, poisoned);
}

void Endpoint::answer(const Tlp& request, bool poisoned) {
  Transfer& transfer = *request.transfer;
  if (request.last) {
    if (state_ == PortState::silent) {
      transfer.content = ~std::uint64_t{0};
      transfer.more.assign(transfer.lines - 1, ~std::uint64_t{0});
      transfer.next.assign(transfer.lines, Picoseconds{});
    } else {
      device_->sample(transfer, kernel_.now());
    }
    if (transfer.ledger) transfer.ledger->close(transfer.stage, name(), kernel_.now());
  }
  const Bytes length = request.length > 0_B ? request.length : 4_B;
  for (Bytes sent; sent < length;) {
    const Address at = request.address + static_cast<Address>(sent.count());
    const Bytes piece = first_completion(at, length - sent, params_.mps, params_.rcb);
    sent += piece;
    out_->send({.kind = TlpKind::completion,
                .last = request.last && sent == length,
                .requester = request.requester,
                .tag = request.tag,
                .completer = id_,
                .relaxed = request.relaxed,
                .by_id = request.by_id,
                .poisoned = poisoned,
                .length = piece,
                .address = at,
                .transfer = &transfer},
               kernel_.now());
  }
}

void Endpoint::on_executed() {
  const Tlp request = *executing_.pop_due(kernel_.now());
  bool poisoned = false;
  if (misanswers(request, poisoned)) return;
  answer_atomic(request, poisoned);
}

void Endpoint::answer_atomic(const Tlp& request, bool poisoned) {
  Transfer& transfer = *request.transfer;
  if (state_ == PortState::silent) transfer.content = ~std::uint64_t{0};
  else device_->execute(transfer, kernel_.now());
  if (transfer.ledger) transfer.ledger->close(transfer.stage, name(), kernel_.now());
  if (transfer.executed) transfer.executed->close(Stage::remote_write, name(), kernel_.now());
  out_->send({.kind = TlpKind::completion,
              .last = true,
              .requester = request.requester,
              .tag = request.tag,
              .completer = id_,
              .by_id = request.by_id,
              .poisoned = poisoned,
              .length = transfer.length,
              .address = request.address,
              .transfer = &transfer},
             kernel_.now());
}

void Endpoint::refuse(const Tlp& request, CompletionStatus status, const char* why) {
  ++stats_.refused;
  request.transfer->ended_by = name();
  request.transfer->why = why;
  out_->send(refusal(request, status), kernel_.now());
}

}  // namespace gicsim::pcie
