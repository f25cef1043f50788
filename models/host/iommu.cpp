// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/iommu.h"

#include <algorithm>
#include <bit>

#include "models/base/errors.h"

namespace gicsim::host {
namespace {

/// A table holds 512 entries of 8 B: each level below the root covers 9 bits of the address.
constexpr int bits_a_level = 9;
/// Where tables lie in host memory, a level each; nobody else uses it.
constexpr Address tables = Address{1} << 41;

AddressType type_of(const Tlp& tlp) {
  return tlp.address_type != AddressType::untranslated ? tlp.address_type : tlp.transfer->address_type;
}

}  // namespace

Iommu::Iommu(sc_core::sc_module_name name, Kernel& kernel, const IommuParams& params, Host& host, TransferPool& pool,
             int ports)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      host_(host),
      pool_(pool),
      tlb_(std::string(this->name()) + ".tlb", params.entries, std::min(params.ways, params.entries), params.replacement),
      upper_(std::string(this->name()) + ".walk_cache", std::max<Count>(params.walk_cache, 1),
             std::max<Count>(params.walk_cache, 1), Replacement::lru),
      walkers_(static_cast<std::size_t>(params.walks)) {
  in.init(static_cast<std::size_t>(ports));
  out.init(static_cast<std::size_t>(ports));
  for (std::size_t i = 0; i < static_cast<std::size_t>(ports); ++i) {
    ports_.emplace_back().owner = this;
    in[i].bind(ports_.back());
  }
}

void Iommu::end_of_elaboration() {
  for (std::size_t i = 0; i < ports_.size(); ++i) ports_[i].root = out[i].operator->();
}

bool Iommu::mapped(Address at) const {
  return std::any_of(mapped_.begin(), mapped_.end(), [&](const Range& r) { return at - r.base < r.size; });
}

SetCache::Key Iommu::page_of(Address at, RequesterId who) const {
  return at / static_cast<Address>(params_.page.count()) | SetCache::Key{who} << 48;
}

void Iommu::arrive(Port& from, const Tlp& tlp) {
  const Picoseconds now = kernel_.now();
  if (params_.mode != IommuMode::translate) return from.root->arrive(tlp);
  if (tlp.code == MessageCode::invalidate_completion) return on_invalidated(tlp);
  if (tlp.kind == TlpKind::completion || tlp.kind == TlpKind::message) return pass(from, tlp, now);
  if (type_of(tlp) == AddressType::translated) {
    ++stats_.translated;
    return pass(from, tlp, now);
  }
  if (type_of(tlp) == AddressType::translation_request) {
    ++stats_.translations;
    holders_.insert(tlp.requester);
  } else {
    ++stats_.requests;
  }
  if (params_.remap_every > Picoseconds{} && !remapping_) remap_in_turn();
  pass(from, tlp, translate(tlp, now));
}

/// @return when the request has its translation
Picoseconds Iommu::translate(const Tlp& tlp, Picoseconds now) {
  const SetCache::Key page = page_of(tlp.address, tlp.requester);
  if (tlb_.look_up(page)) {
    ++stats_.hits;
    return now + params_.hit;
  }
  if (const auto found = under_way_.find(page); found != under_way_.end()) return found->second;
  return walk(tlp.address, tlp.requester, page, now);
}

int Iommu::page_bits() const { return std::bit_width(static_cast<std::uint64_t>(params_.page.count())) - 1; }

/// A large page ends the walk one or two levels sooner.
Count Iommu::levels(Count of) const { return of > 0 ? of - (page_bits() - 12) / bits_a_level : 0; }

/// Where a walk finds the entry for an address: 8 B of a table. Dimension 0 is the device's own table, 1 and up
/// that which translates the addresses of its levels.
Address Iommu::entry_of(Address at, Count level, Count dimension) const {
  const Address entry = at >> (page_bits() + bits_a_level * static_cast<int>(level)) << 3;
  return tables + (static_cast<Address>(dimension * 8 + level) << 35) + entry % (Address{1} << 35);
}

/// One access after the other: per level of the own table first the walk that finds that table, if there is a second
/// dimension, and last the one for the page itself.
Picoseconds Iommu::walk(Address at, RequesterId who, SetCache::Key page, Picoseconds now) {
  Picoseconds& walker = *std::min_element(walkers_.begin(), walkers_.end());
  const Picoseconds start = std::max(now, walker);
  const SetCache::Key table = (at >> (page_bits() + bits_a_level)) | SetCache::Key{who} << 48;
  const bool known = params_.walk_cache > 0 && upper_.look_up(table);
  const Count own = levels(params_.levels), nested = levels(params_.nested_levels);
  Picoseconds end = start;
  const auto access = [&](Count level, Count dimension) {
    end = host_.walk_read(entry_of(at, level, dimension), end);
    ++stats_.accesses;
  };
  for (Count level = known ? 1 : own; level-- > 0;) {
    for (Count n = nested; n-- > 0;) access(n, 2 + level);
    access(level, 0);
  }
  for (Count n = nested; n-- > 0;) access(n, 1);
  if (params_.walk_cache > 0) upper_.insert(table);
  stats_.walk_wait += start - now;
  stats_.walk_time += end - start;
  ++stats_.walks;
  walker = end;
  last_walked_ = at;
  under_way_[page] = end;
  walked_.push({page, end});
  kernel_.at<&Iommu::on_walked>(end, this);
  return end;
}

void Iommu::warm_tables(Address base, Bytes length) {
  const Count own = levels(params_.levels), nested = levels(params_.nested_levels);
  const auto page = static_cast<Address>(params_.page.count());
  for (Address at = base / page * page; at < base + static_cast<Address>(length.count()); at += page) {
    for (Count level = 0; level < own; ++level) host_.warm(entry_of(at, level, 0), 8_B);
    for (Count dimension = 1; dimension < 2 + own; ++dimension)
      for (Count n = 0; n < nested; ++n) host_.warm(entry_of(at, n, dimension), 8_B);
  }
}

void Iommu::on_walked() {
  const SetCache::Key page = walked_.top().page;
  walked_.pop();
  under_way_.erase(page);
  tlb_.insert(page);
}

/// Nothing passes a write of its device.
void Iommu::pass(Port& from, const Tlp& tlp, Picoseconds at) {
  if (writes_passed_.size() <= tlp.requester) writes_passed_.resize(tlp.requester + std::size_t{1});
  Picoseconds& writes = writes_passed_[tlp.requester];
  at = std::max(at, writes);
  if (flow_of(tlp.kind) == Flow::posted) writes = at;
  if (at == kernel_.now()) return go(from, tlp);
  waiting_.push({&from, tlp, at, order_++});
  kernel_.at<&Iommu::on_ready>(at, this);
}

void Iommu::on_ready() {
  const Tlp tlp = waiting_.top().tlp;
  Port& from = *waiting_.top().from;
  waiting_.pop();
  if (tlp.last && tlp.transfer->ledger) tlp.transfer->ledger->close(tlp.transfer->stage, name(), kernel_.now());
  go(from, tlp);
}

void Iommu::go(Port& from, const Tlp& tlp) {
  const bool request = tlp.kind != TlpKind::completion && tlp.kind != TlpKind::message;
  if (!request) return from.root->arrive(tlp);
  if (!mapped(tlp.address)) return fault(tlp);
  if (type_of(tlp) != AddressType::translation_request) return from.root->arrive(tlp);
  if (tlp.held) tlp.held->release(tlp, kernel_.now());
  answer({.kind = TlpKind::completion, .last = tlp.last, .requester = tlp.requester, .tag = tlp.tag,
                 .length = tlp.length, .address = tlp.address, .transfer = tlp.transfer});
}

void Iommu::fault(const Tlp& tlp) {
  ++stats_.faults;
  faults_.push_back({name(), tlp.kind, tlp.requester, tlp.address, kernel_.now()});
  if (tlp.held) tlp.held->release(tlp, kernel_.now());
  Transfer& transfer = *tlp.transfer;
  transfer.status = CompletionStatus::unsupported;
  transfer.ended_by = name();
  transfer.why = "not mapped";
  if (flow_of(tlp.kind) == Flow::non_posted)
    return answer({.kind = TlpKind::completion, .last = tlp.last, .requester = tlp.requester, .tag = tlp.tag,
                          .status = CompletionStatus::unsupported, .address = tlp.address, .transfer = &transfer});
  if (!tlp.last) return;
  if (transfer.initiator) transfer.initiator->on_transferred(transfer);
  pool_.give(transfer);
}

void Iommu::check_books() const {
  if (!waiting_.empty())
    throw ModelError(name(), kernel_.now(), std::to_string(waiting_.size()) + " requests still inside");
}

}  // namespace gicsim::host
