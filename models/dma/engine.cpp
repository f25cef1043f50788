// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/dma/engine.h"

#include <algorithm>
#include <utility>

#include "models/base/errors.h"
#include "models/units/text.h"

namespace gicsim::dma {

Engine::Engine(sc_core::sc_module_name name, Kernel& kernel, const DmaParams& params)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      reads_(this->name()),
      writes_(this->name()),
      opening_(this->name()),
      fetching_(this->name()),
      storing_(this->name()),
      committing_(this->name()) {
  target.bind(*this);
}

void Engine::submit(const Job& job) {
  Job* mine = nullptr;
  if (free_.empty()) mine = &jobs_.emplace_back();
  else mine = free_.back(), free_.pop_back();
  *mine = job;
  Lane& lane = job.kind == Kind::read ? reads_ : writes_;
  lane.given.push_back(mine);
  start(lane, job.kind == Kind::read ? params_.read_interval : params_.write_interval);
}

/// Descriptors enter one after the other, `interval` apart, and are worked on `issue` later.
void Engine::start(Lane& lane, Picoseconds interval) {
  const bool reads = &lane == &reads_;
  while (!lane.given.empty() && !lane.waiting) {
    const Picoseconds now = kernel_.now();
    if (now < lane.next_start) {
      lane.waiting = true;
      if (reads) kernel_.at<&Engine::on_read_gap>(lane.next_start, this);
      else kernel_.at<&Engine::on_write_gap>(lane.next_start, this);
      return;
    }
    lane.next_start = now + interval;
    lane.issuing.push(lane.given.front(), now + params_.issue);
    lane.given.pop_front();
    if (reads) kernel_.at<&Engine::on_read_issued>(now + params_.issue, this);
    else kernel_.at<&Engine::on_write_issued>(now + params_.issue, this);
  }
}

void Engine::on_read_issued() {
  reads_.ready.push_back(*reads_.issuing.pop_due(kernel_.now()));
  pump_reads();
}

void Engine::on_write_issued() {
  writes_.ready.push_back(*writes_.issuing.pop_due(kernel_.now()));
  pump_writes();
}

void Engine::pump_reads() {
  while (!reads_.ready.empty() && reads_.under_way < params_.outstanding) {
    Job& job = *reads_.ready.front();
    reads_.ready.pop_front();
    count(reads_, +1);
    hand_over(job, Transfer::Kind::read);
  }
}

void Engine::pump_writes() {
  while (!writes_.ready.empty() && writes_.under_way < params_.outstanding) {
    Job& job = *writes_.ready.front();
    writes_.ready.pop_front();
    count(writes_, +1);
    opening_.push(&job, kernel_.now() + params_.fetch);
    kernel_.at<&Engine::on_opened>(kernel_.now() + params_.fetch, this);
  }
}

/// Own memory and the path to it work at the same time; what both ways share is the memory.
/// @return when the last byte is through
Picoseconds Engine::move(Server& path, Bytes length) {
  const Picoseconds now = kernel_.now();
  const Bytes whole = pieces(length, params_.burst) * params_.burst;
  const Slot through = path.serve(now, params_.setup + whole / params_.rate);
  return std::max(through.end, memory_.serve(now, whole / params_.memory_rate).end);
}

void Engine::on_opened() {
  Job& job = **opening_.pop_due(kernel_.now());
  out_through_ = std::max(out_through_, move(out_, job.length));
  fetching_.push(&job, out_through_);
  kernel_.at<&Engine::on_fetched>(out_through_, this);
}

void Engine::on_fetched() {
  Job& job = **fetching_.pop_due(kernel_.now());
  hand_over(job, Transfer::Kind::write);
  if (job.kind == Kind::write_read) {
    reads_.ready.push_back(&job);
    pump_reads();
  } else if (!job.visible) {
    end(job);
  }
}

void Engine::hand_over(Job& job, Transfer::Kind kind) {
  const bool write = kind == Transfer::Kind::write, posted = write && !(job.visible && job.kind == Kind::write);
  Transfer& transfer = port_->make();
  transfer.kind = kind;
  transfer.stage = write ? Stage::remote_write : Stage::remote_read;
  transfer.address = job.address;
  transfer.length = job.length;
  transfer.initiator = this;
  transfer.begun = kernel_.now();
  transfer.cookie = posted ? nullptr : &job;  // a posted write outlives its job
  if (job.ledger) job.ledger->close(Stage::dma_engine, name(), kernel_.now());
  if (!posted) transfer.ledger = job.ledger;
  if (write) ++stats_.writes, stats_.written += job.length;
  port_->submit(transfer);
}

void Engine::on_transferred(Transfer& transfer) {
  Job* job = static_cast<Job*>(transfer.cookie);
  const bool write = transfer.kind == Transfer::Kind::write;
  if (transfer.status != CompletionStatus::successful) {
    ++stats_.failed;
    failures_.push_back({name(), write ? Kind::write : Kind::read, transfer.address, transfer.status, kernel_.now()});
    if (job) job->status = transfer.status;
  }
  if (write) {
    count(writes_, -1);
    const Picoseconds seen = std::max(kernel_.now(), transfer.arrived.visible);
    if (job && seen > kernel_.now()) {
      committing_.push(job, seen);
      kernel_.at<&Engine::on_seen>(seen, this);
    } else if (job) {
      end(*job);
    }
    return pump_writes();
  }
  in_through_ = std::max(in_through_, move(in_, transfer.length));
  storing_.push(job, in_through_);
  kernel_.at<&Engine::on_stored>(in_through_, this);
}

void Engine::on_seen() { end(**committing_.pop_due(kernel_.now())); }

void Engine::on_stored() {
  Job& job = **storing_.pop_due(kernel_.now());
  if (job.ledger) job.ledger->close(Stage::dma_engine, name(), kernel_.now());
  ++stats_.reads;
  stats_.read += job.length;
  count(reads_, -1);
  end(job);
  pump_reads();
}

void Engine::end(Job& job) {
  Job done = job;
  free_.push_back(&job);
  if (done.client) done.client->on_done(done);
}

void Engine::count(Lane& lane, Count change) {
  const Picoseconds now = kernel_.now();
  lane.time += (now - lane.accounted) * lane.under_way;
  lane.accounted = now;
  lane.under_way += change;
}

DmaStats Engine::stats() const {
  DmaStats stats = stats_;
  stats.in_busy = in_.stats().busy;
  stats.out_busy = out_.stats().busy;
  stats.memory_busy = memory_.stats().busy;
  stats.read_time = reads_.time;
  stats.write_time = writes_.time;
  return stats;
}

void Engine::check_books() const {
  const auto inside = jobs_.size() - free_.size();
  if (inside != 0 || reads_.under_way != 0 || writes_.under_way != 0)
    throw ModelError(name(), kernel_.now(), std::to_string(inside) + " jobs still inside");
}

void Engine::Access::await_suspend(Task::Handle program) {
  program_ = program;
  if (program.promise().program) program.promise().program->obstacle = this;
  job_.client = this;
  engine_.submit(job_);
}

void Engine::Access::on_done(Job& job) {
  job_.status = job.status;
  engine_.kernel_.resume(engine_.kernel_.now(), program_);
}

CompletionStatus Engine::Access::await_resume() noexcept {
  if (program_.promise().program) program_.promise().program->obstacle = nullptr;
  return job_.status;
}

std::string Engine::Access::waits_for() const {
  return "a DMA of " + text::write(job_.length) + " by " + engine_.name();
}

}  // namespace gicsim::dma
