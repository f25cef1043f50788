// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/stream.h"

#include <algorithm>

namespace gicsim::gpu {
namespace {

constexpr Address doorbells = Address{3} << 38;    ///< in a GPU's window
constexpr Address commands = Address{7} << 37;     ///< in host memory
constexpr Bytes command_read(64);

}  // namespace

Stream::Stream(Kernel& kernel, Gpu& gpu, const FrontEndParams& params, std::size_t number, Address host_base,
               Address host_size, Cells<Content>& host_cells)
    : kernel_(kernel),
      gpu_(gpu),
      params_(params),
      who_(std::string(gpu.name()) + ".stream" + std::to_string(number)),
      host_base_(host_base),
      host_size_(host_size),
      doorbell_(gpu.base() + doorbells + number * Address{4096}),
      host_cells_(host_cells) {
  gpu_.cells_.watch(doorbell_, this);
}

void Stream::on_written(Picoseconds visible) {
  kernel_.at<&Stream::on_rung>(std::max(visible, kernel_.now()), this);
  gpu_.cells_.watch(doorbell_, this);
}

/// Rung while a fetch is under way: the next one follows it.
void Stream::on_rung() {
  if (reads_left_ > 0) return;
  const auto seen = gpu_.cells_.read(doorbell_, kernel_.now());
  const auto* number = seen.content ? std::get_if<std::uint64_t>(seen.content) : nullptr;
  if (!number || *number <= fetched_) return;
  fetching_ = *number;
  reads_left_ = params_.fetches;
  read(host_base_ + commands, command_read, *this);
}

void Stream::on_transferred(Transfer&) {
  if (--reads_left_ > 0) return read(host_base_ + commands, command_read, *this);
  fetched_ = fetching_;
  if (waiting_) kernel_.resume(kernel_.now(), std::exchange(waiting_, {}));
  on_rung();
}

void Stream::read(Address address, Bytes length, Initiator& initiator) {
  Transfer& read = gpu_.port_->make();
  read.kind = Transfer::Kind::read;
  read.stage = Stage::launch;
  read.address = address;
  read.length = length;
  read.initiator = &initiator;
  gpu_.port_->submit(read);
}

void Stream::Command::await_suspend(Task::Handle program) {
  program_ = program;
  if (program.promise().program) program.promise().program->obstacle = this;
  stream_.waiting_ = program;
}

void Stream::Command::await_resume() {
  if (program_ && program_.promise().program) program_.promise().program->obstacle = nullptr;
}

void Stream::Write::await_suspend(std::coroutine_handle<> program) {
  const Picoseconds now = stream.kernel_.now(), begin = std::max(now, stream.flushed_);
  if (stream.ledger_) stream.ledger_->waited(begin - now);
  const Picoseconds stored = begin + stream.params_.write;
  stream.flushed_ = stored + stream.params_.write_flush;
  stream.kernel_.resume(stored, program);
}

void Stream::Write::await_resume() {
  stream.close(stage);
  if (stream.gpu_.owns(address)) {
    stream.gpu_.cells_.write(address, std::move(content), stream.kernel_.now());
    return;
  }
  Transfer& transfer = stream.gpu_.port_->make();
  transfer.kind = Transfer::Kind::write;
  transfer.stage = flight;
  transfer.address = address;
  transfer.length = length;
  transfer.content = std::move(content);
  transfer.ledger = flight == stage ? nullptr : stream.ledger_;
  stream.gpu_.port_->submit(transfer);
}

void Stream::Wait::await_suspend(Task::Handle program) {
  program_ = program;
  began_ = stream_.kernel_.now();
  if (program.promise().program) program.promise().program->obstacle = this;
  if (stream_.at_host(address_)) return stream_.read(address_, 8_B, *this);
  const auto seen = stream_.gpu_.cells_.read(address_, began_);
  if (seen.content && wanted_(*seen.content)) return stream_.kernel_.resume(began_, program_);
  on_written(seen.next > began_ ? seen.next : began_);
}

/// The first look is back. What became visible after it was taken waits for the next one.
void Stream::Wait::on_transferred(Transfer& look) {
  const Picoseconds now = stream_.kernel_.now();
  way_ = now - began_;
  if (wanted_(look.content)) return stream_.kernel_.resume(now, program_);
  on_written(now);
}

void Stream::Wait::on_written(Picoseconds visible) {
  Cells<Content>& cells = stream_.cells_at(address_);
  const auto seen = cells.read(address_, visible);
  if (!seen.content || !wanted_(*seen.content)) return cells.watch(address_, this);
  const Picoseconds mean = (way_ + stream_.params_.wait_period) / 2 + way_ / 2;
  stream_.kernel_.resume(std::max({visible, began_, stream_.kernel_.now()}) + mean, program_);
}

void Stream::Wait::await_resume() {
  if (program_.promise().program) program_.promise().program->obstacle = nullptr;
  stream_.close(stage_);
}

}  // namespace gicsim::gpu
