// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/core.h"

#include <algorithm>

#include "models/protocol/sample.h"

namespace gicsim::host {

/// It is there for a slice, then away for as long as gives the others their share; where in that the run
/// begins is drawn.
TimeSlices Core::slices(const Host& host, const std::string& who) {
  const Probability share = host.load_.share;
  if (share == Probability{} || host.load_.sibling) return {};
  const Picoseconds run = host.params_.time_slice;
  const auto away = Picoseconds{static_cast<std::int64_t>(detail::Wide{run.count()} * share.raw() /
                                                          (Probability::certain - share.raw()))};
  RandomStream random(host.spread_.seed, who + ".load");
  const auto phase = random.below(static_cast<std::uint64_t>((run + away).count()));
  return {run, away, Picoseconds{static_cast<std::int64_t>(phase)}};
}

Picoseconds Core::slowed(Picoseconds work) const {
  if (!host_.load_.sibling) return work;
  const detail::Wide lost = detail::Wide{host_.load_.share.raw()} *
                            (Probability::certain - host_.params_.sibling_left.raw()) / Probability::certain;
  return Picoseconds{static_cast<std::int64_t>(detail::Wide{work.count()} * Probability::certain /
                                               (Probability::certain - lost))};
}

Slot Core::occupy(Picoseconds from, Picoseconds work, Ledger* ledger) {
  use();
  work = slowed(work);
  host_.stats_.core_busy += work;
  const Picoseconds start = std::max(from, busy_.free_at()), away = slices_.end(start, work) - start - work;
  host_.stats_.preempted += away;
  const Slot slot = busy_.serve(from, work + away);
  if (ledger) ledger->waited(slot.start - host_.kernel_.now() + away);
  return slot;
}

Core::Until Core::work(Cycles cycles, Count misses, Ledger* ledger, Stage stage) {
  const HostParams& p = host_.params_;
  const Picoseconds missed = p.state == CpuState::cold ? p.cache_miss * misses : Picoseconds{};
  ++host_.stats_.requests;
  return {*this, occupy(there(), cycles / clock() + missed, ledger).end, ledger, stage};
}

Core::Until Core::copy(Bytes length, Ledger* ledger, Stage stage) {
  host_.stats_.copied += length;
  return {*this, occupy(there(), length / host_.params_.copy_rate, ledger).end, ledger, stage};
}

/// Drawn at wake-ups alone, so that what is asked of a core doesn't depend on how long it idles.
Picoseconds Core::awake(Picoseconds at) {
  const SpreadParams& spread = host_.spread_.params;
  at = slices_.next(at);
  if (!spread.cpu_scheduling) return at;
  if (at < gone_at_ || at >= back_at_) {
    if (scheduling_.below(static_cast<std::uint64_t>(spread.cpu_away_every)) != 0) return at;
    ++host_.stats_.away;
    gone_at_ = at;
    back_at_ = at + scheduling_.exponential(spread.cpu_away);
  }
  return back_at_;
}

/// Who has the line may be away: then nobody gets on.
Core::Until Core::work_on(SharedLine& line, Cycles cycles, Ledger* ledger, Stage stage) {
  use();
  const Picoseconds now = host_.kernel_.now(), work = slowed(cycles / clock());
  const Picoseconds from = slices_.next(std::max(there(), busy_.free_at()));
  const Slot turn = line.serve(from, slices_.end(from, work) - from);
  const Slot slot = busy_.serve(turn.start, turn.end - turn.start);
  host_.stats_.core_busy += work;
  host_.stats_.preempted += slot.end - slot.start - work;
  if (ledger) ledger->waited(slot.end - now - work);
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

Bytes Core::piece(Bytes rest) const {
  const Bytes whole = host_.params_.write_combining;
  return rest >= whole ? whole : std::min(rest, 8_B);
}

void Core::post(Address address, Bytes length, Content content, Ledger* ledger, Stage flight, Initiator* told) {
  ++host_.stats_.mmio_stores;
  Transfer& write = host_.port_->make();
  write.kind = Transfer::Kind::write;
  write.stage = flight;
  write.address = address;
  write.length = length;
  write.content = std::move(content);
  write.ledger = ledger;
  write.initiator = told;
  host_.port_->submit(write);
}

std::uint64_t Core::add_to(Address address, std::uint64_t addend) {
  const Picoseconds now = host_.kernel_.now();
  const std::uint64_t before = add_to_line(host_.cells_, address, addend, now);
  if (atomics_done_) atomics_done_->announce({address, who_, now, now});
  return before;
}

/// Whole lines tell when the last of them is there; a WQE in pieces with the first, which has the index.
void Core::store(Address address, Bytes length, Content content, Ledger* ledger, Stage flight) {
  if (address - host_.base_ < host_.size_) {
    if (host_.gate_ && host_.gate_->takes(address)) {
      Transfer doorbell;
      doorbell.address = address;
      doorbell.length = length;
      doorbell.content = std::move(content);
      doorbell.ledger = ledger;
      return host_.gate_->arrive(doorbell, false, *host_.port_);
    }
    host_.cells_.write(address, std::move(content), host_.kernel_.now());
    return;
  }
  const bool first = std::holds_alternative<Wqe>(content) && piece(length) < wqe_unit;
  for (Bytes done; done < length;) {
    const Bytes next = piece(length - done);
    const bool tells = first ? done == Bytes{} : done + next == length;
    post(tells ? address : address + static_cast<Address>(done.count()), next, tells ? std::move(content) : Content{},
         tells ? ledger : nullptr, flight, nullptr);
    done += next;
  }
}

Task Core::fill(Address address, Bytes length, Content content, Ledger* ledger, Ledger* data, Stage stage,
                Stage flight) {
  const HostParams& p = host_.params_;
  Kernel& kernel = host_.kernel_;
  struct Room {
    Core& core;
    bool await_ready() const { return core.posted_ < core.host_.params_.posted_lines; }
    void await_suspend(std::coroutine_handle<> program) { core.filling_ = program; }
    void await_resume() const {}
  };
  for (Bytes done; done < length;) {
    const Bytes end = std::min(length, done + 64_B);
    Picoseconds full = occupy(there(), p.write_line / clock(), nullptr).end;
    while (!draining_.empty() && draining_.front() <= full) draining_.pop_front();
    if (static_cast<Count>(draining_.size()) >= p.write_buffers) {
      full = draining_.front();
      draining_.pop_front();
    }
    if (full > kernel.now()) co_await kernel.sleep(full - kernel.now());
    co_await Room{*this};
    draining_.push_back(kernel.now() + p.write_drain);
    const bool last = end == length;
    if (last && ledger) ledger->close(stage, host_.name(), kernel.now());
    if (last && data) *data = *ledger;
    while (done < end) {
      const Bytes next = piece(end - done);
      const bool tells = last && done + next == length;
      ++posted_;
      post(tells ? last_line(address, length) : address + static_cast<Address>(done.count()), next,
           tells ? std::move(content) : Content{}, tells ? data : nullptr, flight, this);
      done += next;
    }
  }
  co_await kernel.sleep(draining_.back() - kernel.now());
  if (ledger) ledger->close(stage, host_.name(), kernel.now());
}

void Core::on_transferred(Transfer&) {
  --posted_;
  if (filling_) host_.kernel_.resume(host_.kernel_.now(), std::exchange(filling_, {}));
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
  if (wanted_(look.content))
    return core_.host_.kernel_.resume(core_.slices_.next(now + loop_ / core_.clock()), program_);
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
