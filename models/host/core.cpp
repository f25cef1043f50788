// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/core.h"

#include <algorithm>

namespace gicsim::host {

Core::Until Core::work(Cycles cycles, Count misses, Ledger* ledger, Stage stage) {
  const HostParams& p = host_.params_;
  const Picoseconds missed = p.state == CpuState::cold ? p.cache_miss * misses : Picoseconds{};
  const Slot slot = busy_.serve(host_.kernel_.now(), cycles / clock() + missed);
  ++host_.stats_.requests;
  host_.stats_.core_busy += slot.end - slot.start;
  if (ledger) ledger->waited(slot.start - host_.kernel_.now());
  return {*this, slot.end, ledger, stage};
}

Core::Until Core::work_on(SharedLine& line, Cycles cycles, Ledger* ledger, Stage stage) {
  const Picoseconds now = host_.kernel_.now();
  const Slot turn = line.serve(std::max(now, busy_.free_at()), cycles / clock());
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
  core_.host_.kernel_.resume(visible + core_.host_.params_.poll + turn / 2, program_);
}

void Core::Poll::await_resume() {
  if (program_ && program_.promise().program) program_.promise().program->obstacle = nullptr;
}

}  // namespace gicsim::host
