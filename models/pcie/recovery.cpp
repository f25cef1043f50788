// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// What ends without success: time-outs, and a port that is out of order.
#include <algorithm>

#include "models/pcie/endpoint.h"

namespace gicsim::pcie {

void Endpoint::set(PortState state) {
  state_ = state;
  if (state != PortState::dead && state != PortState::unconfigured) return;
  for (Transfer* transfer : std::exchange(waiting_, {}))
    if (transfer->open == 0) bounce(*transfer);
  for (std::size_t tag = 0; tag < requests_.size(); ++tag)
    if (requests_[tag].transfer) give_up(tag, CompletionStatus::unsupported);
}

const char* Endpoint::out_of_order() const { return state_ == PortState::dead ? "its link is down" : "it was reset"; }

/// A request or write that came to a port out of order.
void Endpoint::drop(const Tlp& tlp) {
  if (tlp.held) tlp.held->release(tlp, kernel_.now());
  Transfer& transfer = *tlp.transfer;
  if (flow_of(tlp.kind) == Flow::non_posted) {
    if (state_ == PortState::unconfigured) return refuse(tlp, CompletionStatus::unsupported, out_of_order());
    transfer.ended_by = name();
    ++stats_.dropped;
    return;
  }
  if (!tlp.last) return;
  ++stats_.dropped;
  if (transfer.initiator) transfer.initiator->on_transferred(transfer);
  pool_.give(transfer);
}

/// Its own port doesn't take it. Whoever asked is told after it has asked.
void Endpoint::bounce(Transfer& transfer) {
  transfer.status = CompletionStatus::unsupported;
  transfer.ended_by = name();
  transfer.why = out_of_order();
  ++stats_.dropped;
  bounced_.push(&transfer, kernel_.now());
  kernel_.at<&Endpoint::on_bounced>(kernel_.now(), this);
}

void Endpoint::on_bounced() {
  Transfer& transfer = **bounced_.pop_due(kernel_.now());
  if (transfer.kind != Transfer::Kind::write) return finish(transfer);
  if (transfer.initiator) transfer.initiator->on_transferred(transfer);
  pool_.give(transfer);
}

/// One timer for all: it looks after the oldest request, and again when the oldest of those that are left is due. Requests
/// keep the run alive, the timer's event alone does not, so a port with nothing outstanding leaves no trace.
void Endpoint::start_timer() {
  if (params_.completion_timeout == Picoseconds{}) return;
  if (tags_.in_use() == resting_ + 1) kernel_.hold();
  if (std::exchange(ticking_, true)) return;
  kernel_.tick<&Endpoint::on_tick>(kernel_.now() + params_.completion_timeout, this);
}

void Endpoint::on_tick() {
  const Picoseconds timeout = params_.completion_timeout;
  for (std::size_t tag = 0; tag < requests_.size(); ++tag) {
    if (!requests_[tag].transfer || requests_[tag].sent + timeout > kernel_.now()) continue;
    ++stats_.timeouts;
    give_up(tag, CompletionStatus::timed_out);
  }
  Picoseconds oldest = Picoseconds::max();
  for (const Request& request : requests_)
    if (request.transfer) oldest = std::min(oldest, request.sent);
  ticking_ = oldest != Picoseconds::max();
  if (ticking_) kernel_.tick<&Endpoint::on_tick>(oldest + timeout, this);
}

/// The tag rests: were it used again, a late completion would be taken for the new request's.
void Endpoint::give_up(std::size_t tag, CompletionStatus status) {
  Request& request = requests_[tag];
  Transfer& transfer = *std::exchange(request.transfer, nullptr);
  ++resting_;
  buffer_.give(request.length.count(), kernel_.now());
  if (tags_.in_use() == resting_ && params_.completion_timeout > Picoseconds{}) kernel_.release();
  transfer.status = status;
  transfer.lost = true;
  if (status != CompletionStatus::timed_out) transfer.ended_by = name(), transfer.why = out_of_order();
  --transfer.open;
  finish(transfer);
  pump_requests();
}

void Endpoint::take_late(const Tlp& tlp) {
  Request& request = requests_[tlp.tag];
  ++stats_.unexpected;
  request.left -= tlp.length;
  if (request.left > 0_B && tlp.status == CompletionStatus::successful) return;
  --resting_;
  tags_.give(tlp.tag, kernel_.now());
  pump_requests();
}

}  // namespace gicsim::pcie
