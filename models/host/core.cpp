// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/core.h"

#include <algorithm>

namespace gicsim::host {

Core::Until Core::work(Cycles cycles, Count misses, Ledger* ledger, Stage stage) {
  use();
  const HostParams& p = host_.params_;
  const Picoseconds missed = p.state == CpuState::cold ? p.cache_miss * misses : Picoseconds{};
  const Picoseconds now = host_.kernel_.now();
  const Slot slot = busy_.serve(there(), cycles / clock() + missed);
  ++host_.stats_.requests;
  host_.stats_.core_busy += slot.end - slot.start;
  if (ledger) ledger->waited(slot.start - now);
  return {*this, slot.end, ledger, stage};
}

Core::Until Core::copy(Bytes length, Ledger* ledger, Stage stage) {
  use();
  const Slot slot = busy_.serve(there(), length / host_.params_.copy_rate);
  host_.stats_.copied += length;
  host_.stats_.core_busy += slot.end - slot.start;
  if (ledger) ledger->waited(slot.start - host_.kernel_.now());
  return {*this, slot.end, ledger, stage};
}

/// Drawn at wake-ups alone, so that what is asked of a core doesn't depend on how long it idles.
Picoseconds Core::awake(Picoseconds at) {
  const SpreadParams& spread = host_.spread_.params;
  if (!spread.cpu_scheduling) return at;
  if (at < gone_at_ || at >= back_at_) {
    if (scheduling_.below(static_cast<std::uint64_t>(spread.cpu_away_every)) != 0) return at;
    ++host_.stats_.away;
    gone_at_ = at;
    back_at_ = at + scheduling_.exponential(spread.cpu_away);
  }
  return back_at_;
}

Core::Until Core::work_on(SharedLine& line, Cycles cycles, Ledger* ledger, Stage stage) {
  use();
  const Picoseconds now = host_.kernel_.now();
  const Slot turn = line.serve(std::max(there(), busy_.free_at()), cycles / clock());
  const Slot slot = busy_.serve(turn.start, turn.end - turn.start);
  host_.stats_.core_busy += slot.end - slot.start;
  if (ledger) ledger->waited(slot.start - now);
  return {*this, slot.end, ledger, stage};
}

void Core::give() {
  if (waiting_.empty()) {
    taken_ = false;
    return;
  }
  host_.kernel_.resume(host_.kernel_.now(), waiting_.front());
  waiting_.pop_front();
}

void Core::store(Address address, Bytes length, Content content, Ledger* ledger, Stage flight) {
  if (address - host_.base_ < host_.size_) {
    host_.cells_.write(address, std::move(content), host_.kernel_.now());
    return;
  }
  ++host_.stats_.mmio_stores;
  Transfer& write = host_.port_->make();
  write.kind = Transfer::Kind::write;
  write.stage = flight;
  write.address = address;
  write.length = length;
  write.content = std::move(content);
  write.ledger = ledger;
  host_.port_->submit(write);
}

bool Core::Poll::await_ready() {
  core_.use();
  if (!own()) return false;
  const auto seen = core_.host_.cells_.read(address_, core_.host_.kernel_.now());
  return seen.content && wanted_(*seen.content);
}

void Core::Poll::await_suspend(Task::Handle program) {
  program_ = program;
  if (program.promise().program) program.promise().program->obstacle = this;
  if (own()) return core_.host_.cells_.watch(address_, this);
  began_ = core_.host_.kernel_.now();
  ++core_.host_.stats_.mmio_loads;
  Transfer& look = core_.host_.port_->make();
  look.kind = Transfer::Kind::read;
  look.stage = Stage::poll;
  look.address = address_;
  look.length = 8_B;
  look.initiator = this;
  core_.host_.port_->submit(look);
}

void Core::Poll::on_transferred(Transfer& look) {
  const Picoseconds now = core_.host_.kernel_.now();
  round_trip_ = now - began_;
  if (wanted_(look.content)) return core_.host_.kernel_.resume(now + loop_ / core_.clock(), program_);
  on_written(now);
}

void Core::Poll::on_written(Picoseconds visible) {
  const auto seen = cells().read(address_, visible);
  if (!seen.content || !wanted_(*seen.content)) return cells().watch(address_, this);
  const Picoseconds turn = loop_ / core_.clock();
  const Picoseconds way = own() ? core_.host_.params_.poll : round_trip_ / 2 + round_trip_ / 2 + turn / 2;
  core_.host_.kernel_.resume(core_.awake(visible + way + core_.phase_.until_sample(turn)), program_);
}

void Core::Poll::await_resume() {
  if (program_ && program_.promise().program) program_.promise().program->obstacle = nullptr;
}

}  // namespace gicsim::host
