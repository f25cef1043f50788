// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/ats.h"

#include <algorithm>
#include <string>

#include "models/base/errors.h"

namespace gicsim::pcie {
namespace {

/// A translation completion holds 8 B a page. Source: PCIe Base 5.0, 10.2.3
constexpr Bytes translation = 8_B;

}  // namespace

Ats::Ats(sc_core::sc_module_name name, Kernel& kernel, const AtsParams& params)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      cache_(std::string(this->name()) + ".cache", params.entries, std::min(params.ways, params.entries),
             Replacement::lru) {
  memory.bind(*this);
}

void Ats::submit(Transfer& transfer) {
  if (params_.ats == AtsMode::off) return port_->submit(transfer);
  std::vector<Address> missing;
  for (Address p = first(transfer); p <= last(transfer); ++p)
    if (!cache_.look_up(p) && !refused_.contains(p)) missing.push_back(p);
  ++(missing.empty() ? stats_.hits : stats_.misses);
  if (missing.empty() && waiting_.empty()) return forward(transfer);
  waiting_.push_back({&transfer, kernel_.now(), static_cast<Count>(missing.size())});
  for (const Address p : missing) want(p, waiting_.back());
  ask();
}

void Ats::want(Address page, Waiting& waiting) {
  std::vector<Waiting*>& all = wanted_[page];
  if (all.empty()) to_ask_.push_back(page);
  all.push_back(&waiting);
}

void Ats::ask() {
  while (!to_ask_.empty() && outstanding_ < params_.requests) {
    const Waiting& waiting = *wanted_[to_ask_.front()].front();
    Transfer& request = port_->make();
    request.kind = Transfer::Kind::read;
    request.stage = Stage::translate;
    request.address_type = AddressType::translation_request;
    request.address = to_ask_.front() * page();
    request.length = translation;
    request.initiator = this;
    if (waiting.missing == 1) request.ledger = waiting.transfer->ledger;
    to_ask_.pop_front();
    ++outstanding_;
    ++stats_.requests;
    port_->submit(request);
  }
}

void Ats::on_transferred(Transfer& transfer) {
  if (transfer.address_type == AddressType::translation_request) {
    --outstanding_;
    const Address p = transfer.address / page();
    if (transfer.status == CompletionStatus::successful) cache_.insert(p);
    else refused_.insert(p);
    const auto asked = wanted_.extract(p);
    for (Waiting* waiting : asked.mapped()) --waiting->missing;
    ask();
    return pump();
  }
  const Out out = out_.extract(&transfer).mapped();
  for (Invalidation& i : invalidations_)
    if (out.begin < i.end && i.begin < out.end) --i.outstanding;
  if (out.initiator) out.initiator->on_transferred(transfer);
  while (!invalidations_.empty() && invalidations_.front().outstanding == 0) {
    Invalidator& who = *invalidations_.front().who;
    invalidations_.pop_front();
    who.on_invalidated();
  }
}

void Ats::pump() {
  while (!waiting_.empty() && waiting_.front().missing == 0) {
    const auto [transfer, since, missing] = waiting_.front();
    waiting_.pop_front();
    stats_.waited += kernel_.now() - since;
    if (transfer->ledger) transfer->ledger->close(Stage::translate, name(), kernel_.now());
    forward(*transfer);
  }
}

void Ats::forward(Transfer& transfer) {
  bool refused = false;
  for (Address p = first(transfer); p <= last(transfer); ++p) refused |= refused_.contains(p);
  if (!refused) transfer.address_type = AddressType::translated;
  out_[&transfer] = {transfer.initiator, transfer.address, transfer.address + static_cast<Address>(transfer.length.count())};
  transfer.initiator = this;
  port_->submit(transfer);
}

void Ats::invalidate(Address base, Bytes length, Invalidator& who) {
  ++stats_.invalidations;
  const Address end = base + static_cast<Address>(length.count());
  for (Address p = base / page(); p * page() < end; ++p) cache_.erase(p), refused_.erase(p);
  Invalidation invalidation{base, end, &who, 0};
  for (const auto& [transfer, out] : out_)
    if (out.begin < end && base < out.end) ++invalidation.outstanding;
  if (invalidation.outstanding == 0 && invalidations_.empty()) return who.on_invalidated();
  invalidations_.push_back(invalidation);
}

void Ats::on_message(const Tlp& message) {
  asked_.push_back(message);
  invalidate(message.transfer->address, message.transfer->length, *this);
}

/// In the order of the requests. It is posted, so all writes that used the old translation are before it.
void Ats::on_invalidated() {
  Tlp answer = asked_.front();
  asked_.pop_front();
  answer.code = MessageCode::invalidate_completion;
  answer.completer = unknown_id;
  answer.length = 0_B;
  messages_->message(answer);
}

void Ats::check_books() const {
  if (!waiting_.empty() || !out_.empty() || outstanding_ != 0)
    throw ModelError(name(), kernel_.now(), std::to_string(waiting_.size() + out_.size()) + " transfers still inside");
}

}  // namespace gicsim::pcie
