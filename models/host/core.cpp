// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/core.h"

#include <algorithm>

namespace gicsim::host {

Core::Until Core::work(Cycles cycles, Count misses, Ledger* ledger, Stage stage) {
  const HostParams& p = host_.params_;
  const Picoseconds missed = p.state == CpuState::cold ? p.cache_miss * misses : Picoseconds{};
  const Picoseconds now = host_.kernel_.now(), there = now >= gone_at_ ? std::max(now, back_at_) : now;
  const Slot slot = busy_.serve(there, cycles / clock() + missed);
  ++host_.stats_.requests;
  host_.stats_.core_busy += slot.end - slot.start;
  if (ledger) ledger->waited(slot.start - now);
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
  const auto seen = core_.host_.cells_.read(address_, core_.host_.kernel_.now());
  return seen.content && wanted_(*seen.content);
}

void Core::Poll::await_suspend(Task::Handle program) {
  program_ = program;
  if (program.promise().program) program.promise().program->obstacle = this;
  core_.host_.cells_.watch(address_, this);
}

void Core::Poll::on_written(Picoseconds visible) {
  const auto seen = core_.host_.cells_.read(address_, visible);
  if (!seen.content || !wanted_(*seen.content)) {
    core_.host_.cells_.watch(address_, this);
    return;
  }
  const Picoseconds turn = loop_ / core_.clock();
  const Picoseconds noticed = visible + core_.host_.params_.poll + core_.phase_.until_sample(turn);
  core_.host_.kernel_.resume(core_.awake(noticed), program_);
}

void Core::Poll::await_resume() {
  if (program_ && program_.promise().program) program_.promise().program->obstacle = nullptr;
}

}  // namespace gicsim::host
