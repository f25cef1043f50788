// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/contexts.h"

#include <algorithm>

namespace gicsim::nic {
namespace {

using Key = SetCache::Key;

constexpr Bytes line(64);
constexpr Count pages_a_line = 8;
/// The upper bits of a key say which table; the lower ones the line in it.
enum Table : Key { contexts = 0, memory_keys = 1, translations = 2 };
constexpr int table_shift = 56;
constexpr Key lines_a_queue_pair = 32;  ///< of the contexts' table: 16 a role

constexpr Key key(Table table, Key number) { return table << table_shift | number; }
constexpr Key table_of(Key k) { return k >> table_shift; }
constexpr Key number_of(Key k) { return k & ((Key{1} << table_shift) - 1); }

/// Spreads lines over sets: queue pairs are numbered in a row, and each role uses some lines of its place only.
/// A bijection. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014
constexpr Key mixed(Key k) {
  k = (k ^ k >> 30) * 0xBF58476D1CE4E5B9;
  k = (k ^ k >> 27) * 0x94D049BB133111EB;
  return k ^ k >> 31;
}

/// Whole sets, as many as there is room for.
SetCache cache(const std::string& name, Count entries, Count ways) {
  ways = std::min(ways, entries);
  return SetCache(name, entries / ways * ways, ways, Replacement::random);
}

}  // namespace

Contexts::Contexts(const std::string& name, Kernel& kernel, const ContextParams& params, Address tables)
    : kernel_(kernel),
      params_(params),
      tables_(tables),
      contexts_(cache(name + ".lines", params.lines, params.ways)),
      keys_(cache(name + ".keys", params.keys, params.ways)),
      translations_(cache(name + ".translations", params.translations, params.ways)) {}

SetCache& Contexts::cache_of(Key key) {
  switch (table_of(key)) {
    case contexts: return contexts_;
    case memory_keys: return keys_;
    default: return translations_;
  }
}

void Contexts::insert(Key key) { cache_of(key).insert(mixed(key)); }

/// The tables lie one behind the other, 2 GiB each; what would be beyond begins anew.
Address Contexts::address_of(Key key) const {
  constexpr Address size = Address{1} << 31;
  return tables_ + table_of(key) * size + number_of(key) * static_cast<Address>(line.count()) % size;
}

void Contexts::visited(std::uint32_t qpn, Role role) {
  Keys lines;
  add(lines, qpn, role);
  for (const Key k : lines) insert(k);
}

void Contexts::connected(std::uint32_t qpn) {
  contexts_held_ += params_.requester + params_.responder;
  visited(qpn, Role::requester);
  visited(qpn, Role::responder);
}

void Contexts::accepted(std::uint32_t qpn) {
  contexts_held_ += params_.responder;
  visited(qpn, Role::responder);
}

/// The cache has what was registered last.
void Contexts::registered(Address base, Bytes length) {
  if (length <= Bytes{} || !regions_.emplace(base, length).second) return;
  const auto covered = static_cast<Address>((params_.page * pages_a_line).count());
  const Address last = base + static_cast<Address>(length.count()) - 1;
  ++keys_held_;
  translations_held_ += static_cast<Count>(last / covered - base / covered) + 1;
  const Address most = covered * static_cast<Address>(params_.translations);
  Keys entries;
  add(entries, last - std::min(last - base, most), Bytes(static_cast<std::int64_t>(std::min(last - base, most)) + 1));
  for (const Key k : entries) insert(k);
}

void Contexts::add(Keys& keys, std::uint32_t qpn, Role role) const {
  const bool sends = role == Role::requester;
  const Key first = qpn * lines_a_queue_pair + (sends ? 0 : 16);
  for (Count i = 0; i < (sends ? params_.requester : params_.responder); ++i)
    keys.push_back(key(contexts, first + static_cast<Key>(i)));
}

/// The region's key, then its pages. What isn't registered has neither: rings and doorbell records.
void Contexts::add(Keys& keys, Address address, Bytes length) const {
  auto region = regions_.upper_bound(address);
  if (region == regions_.begin()) return;
  --region;
  if (address - region->first >= static_cast<Address>(region->second.count())) return;
  keys.push_back(key(memory_keys, static_cast<Key>(std::distance(regions_.begin(), region))));
  const auto covered = static_cast<Address>((params_.page * pages_a_line).count());
  const Address last = address + static_cast<Address>(std::max<std::int64_t>(1, length.count())) - 1;
  for (Address at = address / covered; at <= last / covered; ++at) keys.push_back(key(translations, at));
}

bool Contexts::cached(const Keys& keys) {
  bool all = true;
  for (const Key k : keys) all &= cache_of(k).look_up(mixed(k));
  return all;
}

void Contexts::fetch(Way way, const Keys& keys, std::function<void()> told) {
  Fetch fetch{{}, way, std::move(told)};
  for (const Key k : keys)
    if (!cache_of(k).contains(mixed(k))) fetch.missing.push_back(k);
  waiting_[static_cast<int>(way)].push_back(std::move(fetch));
  start(way);
}

void Contexts::start(Way way) {
  const auto w = static_cast<int>(way);
  const Count most = way == Way::ahead ? params_.ahead : params_.in_order;
  while (!waiting_[w].empty() && under_way_[w] < most) {
    ++under_way_[w];
    auto fetch = std::make_unique<Fetch>(std::move(waiting_[w].front()));
    waiting_[w].pop_front();
    fetch->begun = kernel_.now();
    Fetch& one = *fetch;
    running_.emplace(&one, std::move(fetch));
    read_on(one);
  }
}

/// The next lines that lie in a row, in one DMA read.
void Contexts::read_on(Fetch& fetch) {
  std::size_t end = fetch.read + 1;
  while (end < fetch.missing.size() && fetch.missing[end] == fetch.missing[end - 1] + 1) ++end;
  Transfer& read = port_->make();
  read.kind = Transfer::Kind::read;
  read.stage = Stage::wqe_decode;
  read.address = address_of(fetch.missing[fetch.read]);
  read.length = line * static_cast<std::int64_t>(end - fetch.read);
  read.initiator = this;
  read.cookie = &fetch;
  ++stats_.reads;
  stats_.read += read.length;
  port_->submit(read);
}

/// What can't be read isn't cached, and its work goes on all the same: the access that it was for will fail by itself.
void Contexts::on_transferred(Transfer& transfer) {
  Fetch& fetch = *static_cast<Fetch*>(transfer.cookie);
  const auto lines = static_cast<std::size_t>(transfer.length / line);
  for (std::size_t i = 0; i < lines; ++i) insert(fetch.missing[fetch.read + i]);
  fetch.read += lines;
  if (fetch.read < fetch.missing.size()) return read_on(fetch);
  const Way way = fetch.way;
  (way == Way::ahead ? stats_.ahead_time : stats_.in_order_time) += kernel_.now() - fetch.begun;
  const std::function<void()> told = std::move(fetch.told);
  running_.erase(&fetch);
  --under_way_[static_cast<int>(way)];
  start(way);
  told();
}

}  // namespace gicsim::nic
