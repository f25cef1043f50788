// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/tlp/requests.h"

#include <algorithm>

namespace gicsim::tlp {
namespace {

constexpr std::size_t most_seen = 1 << 16;

/// "node0" of "node0.gpu0_pcie"; links without such a name share one.
std::string domain_name(const std::string& link) {
  return link.starts_with("node") ? link.substr(0, link.find('.')) : std::string();
}

}  // namespace

std::size_t Requests::link(const std::string& name) {
  const auto [at, is_new] = link_of_.emplace(name, links_.size());
  if (is_new) {
    links_.push_back(name);
    domains_.push_back(domain_of_.emplace(domain_name(name), domain_of_.size()).first->second);
  }
  return at->second;
}

std::size_t Requests::entry(std::size_t link, const Record& record) {
  const auto [at, is_new] = entry_of_.emplace(std::tuple{link, record.direction, record.requester}, entries_.size());
  if (is_new) entries_.push_back({link, record.direction, record.requester});
  return at->second;
}

/// To the device below a link, or to the host.
void Requests::came(Direction direction, std::size_t link, Cause cause) {
  if (direction == Direction::up)
    above_[domain(link)] = cause;
  else
    below_[link] = cause;
}

bool Requests::next(Request& request) {
  for (Record record; source_.next(record);) {
    const std::size_t at = link(record.link);
    Carried& carried = carried_[{at, record.direction}];
    ++carried.tlps;
    if (record.kind != TlpKind::read) carried.payload += record.length;
    if (record.kind == TlpKind::completion) {
      completed(record, at);
      continue;
    }
    const bool asks_translation = record.address_type == AddressType::translation_request;
    if (record.kind == TlpKind::message || asks_translation) {
      ++unused_[asks_translation ? "translation requests, which a device makes by itself"
                                 : "messages, which a device makes by itself"];
      if (asks_translation) open_[{at, record.requester, *record.tag}] = {.used = false};
      continue;
    }
    if (record.kind == TlpKind::write && record.length == Bytes{}) {
      ++unused_["writes of no bytes"];
      continue;
    }
    const Key key{domain(at),     record.requester,      record.kind,
                  record.address, record.length.count(), record.tag ? *record.tag : -1};
    if (seen_again(record, at, key)) continue;
    const bool up = record.direction == Direction::up;
    const auto& causes = up ? below_ : above_;
    const auto cause = causes.find(up ? at : domain(at));
    request = {.number = number_++,
               .entry = entry(at, record),
               .record = record,
               .after = cause == causes.end() ? std::nullopt : std::optional(cause->second)};
    if (request.number == 0) first_ = record.begin;
    last_ = std::max(last_, record.begin);
    Entry::Sum& sum = entries_[request.entry].sums[record.kind];
    ++sum.n;
    sum.bytes += record.length;
    Same& same = same_[key];
    same.on[at] = ++same.entered;
    same.sights.push_back({request.number, request.entry, record.begin, record.begin});
    in_order_.push_back(key);
    if (in_order_.size() > most_seen) forget();
    if (flow_of(record.kind) != Flow::posted)
      open_[{at, record.requester, *record.tag}] = {request.number, request.entry, record.begin,
                                                    record.length,  record.kind,   true};
    came(record.direction, at, {request.number, Cause::What::entered, at, record.begin});
    return true;
  }
  while (!in_order_.empty()) forget();
  return false;
}

bool Requests::seen_again(const Record& record, std::size_t at, const Key& key) {
  const auto found = same_.find(key);
  if (found == same_.end()) return false;
  Same& same = found->second;
  std::uint64_t& here = same.on[at];
  if (here == same.entered) return false;
  const std::uint64_t n = here++;
  last_ = std::max(last_, record.begin);
  if (n < same.gone) return true;
  Sight& sight = same.sights[n - same.gone];
  sight.last = record.begin;
  ++sight.links;
  if (record.direction == Direction::down)
    came(record.direction, at, {sight.number, Cause::What::passed, at, record.begin});
  return true;
}

void Requests::forget() {
  const auto found = same_.find(in_order_.front());
  in_order_.pop_front();
  Same& same = found->second;
  const Sight& sight = same.sights.front();
  if (sight.links > 1)
    entries_[sight.entry].sums[std::get<TlpKind>(found->first)].passed.add((sight.last - sight.begin).count());
  same.sights.pop_front();
  ++same.gone;
  if (same.sights.empty()) same_.erase(found);
}

/// Only where its request was seen first.
void Requests::completed(const Record& record, std::size_t at) {
  const auto found = open_.find({at, record.requester, *record.tag});
  if (found == open_.end()) return;
  Open& open = found->second;
  if (open.used && entries_[open.entry].direction == record.direction) return;
  last_ = std::max(last_, record.begin);
  const bool failed = record.status != CompletionStatus::successful;
  open.left = open.left - record.length;
  if (open.used && open.kind == TlpKind::read && open.left > Bytes{} && !failed) return;
  if (open.used) {
    Entry::Sum& sum = entries_[open.entry].sums[open.kind];
    if (failed)
      ++sum.failed;
    else
      sum.answered.add((record.begin - open.begin).count());
    came(record.direction, at, {open.number, Cause::What::answered, at, record.begin});
  }
  open_.erase(found);
}

}  // namespace gicsim::tlp
