// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/thread.h"

#include <algorithm>
#include <utility>

#include "models/protocol/sample.h"

namespace gicsim::gpu {

Thread::Thread(Kernel& kernel, Gpu& gpu, std::string who, Address host_base, Address host_size,
               Residence residence)
    : kernel_(kernel),
      gpu_(gpu),
      who_(std::move(who)),
      host_base_(host_base),
      host_size_(host_size),
      residence_(residence),
      phase_(gpu.spread_, who_ + ".poll"),
      untranslated_(who_) {
  if (gpu_.store_ports_.size() <= residence.sm) gpu_.store_ports_.resize(residence.sm + 1);
  if (gpu_.warp_stores_.size() <= residence.warp) gpu_.warp_stores_.resize(residence.warp + 1);
  ++gpu.stats_.threads;
}

Thread::Until Thread::compute(Cycles cycles, Stage stage) {
  const Picoseconds time = cycles / gpu_.params_.clock;
  gpu_.stats_.issue_busy += time;
  return {*this, kernel_.now() + time, stage};
}

Thread::Until Thread::fence(Semantics semantics, Scope scope, Stage stage) {
  const GpuParams& p = gpu_.params_;
  const bool sc = semantics == Semantics::sequentially_consistent;
  const Picoseconds base = scope == Scope::gpu ? (sc ? p.fence_gpu_sc : p.fence_gpu)
                                         : (sc ? p.fence_system_sc : p.fence_system);
  Picoseconds more{};
  if (std::exchange(polled_device_, false))
    more = scope == Scope::gpu ? p.fence_after_poll : std::max(p.fence_after_poll, p.fence_system_after_poll);
  const Picoseconds now = kernel_.now();
  const Gpu::WarpStores& warp = gpu_.warp_stores_[residence_.warp];
  const Picoseconds beyond = scope == Scope::system ? std::max(host_ack_, peer_ack_) : now;
  const Picoseconds drained = std::max({now, warp.stored_at == stored_at_ ? warp.ack : local_ack_, beyond});
  const Picoseconds end = std::max(now + base, drained) + more;
  if (ledger_) ledger_->waited(std::max(drained - now - base, Picoseconds{}));
  ++gpu_.stats_.fences;
  gpu_.stats_.issue_busy += end - now;
  return {*this, end, stage};
}

Picoseconds Thread::translated(Address a) {
  const Picoseconds now = kernel_.now();
  const Picoseconds there = gpu_.mmu_.translate(a, own(a), now);
  if (ledger_ && there > now) ledger_->close(Stage::translate, gpu_.mmu_.name().c_str(), there);
  return there;
}

/// A store that waits for its page holds up what its thread does next: loads and stores translate in order.
/// @return when the last piece has been issued
Picoseconds Thread::issue(Bytes length, Address address, Picoseconds from) {
  const GpuParams& p = gpu_.params_;
  const Picoseconds one = Cycles(1) * p.store_issue.count() / p.clock;
  const Picoseconds gap = p.store_ack_gap / p.clock, ack = p.store_ack / p.clock;
  const Picoseconds fetch = p.line_fetch / p.clock, most = p.store_ack_most / p.clock;
  // The port is taken once, now: pieces that come later must not keep other threads' from it.
  const Picoseconds through = p.store_port / p.clock;
  const Slot port = gpu_.store_ports_[residence_.sm].serve(from, through * pieces(length, 16_B));
  gpu_.stats_.port_busy += port.end - port.start;
  Picoseconds at = from, left = port.start, waited{};
  for (Bytes done; done < length; done += 16_B) {
    while (!acks_.empty() && acks_.front() <= at) acks_.pop_front();
    if (static_cast<Count>(acks_.size()) >= p.stores_outstanding) {
      waited += acks_.front() - at;
      at = acks_.front();
      acks_.pop_front();
    }
    at += one;
    const Address line = (address + static_cast<Address>(done.count())) & ~Address{63};
    const bool fetched = own(address) && gpu_.cells_.claim(line);
    const Picoseconds gone = std::max(at, left);
    local_ack_ = std::max({std::min(local_ack_ + gap, gone + most), local_ack_, gone + (fetched ? fetch : ack)});
    left += through;
    acks_.push_back(local_ack_);
    ++gpu_.stats_.stores;
  }
  stored_at_ = kernel_.now();
  Gpu::WarpStores& warp = gpu_.warp_stores_[residence_.warp];
  warp.ack = warp.stored_at == stored_at_ ? std::max(warp.ack, local_ack_) : local_ack_;
  warp.stored_at = stored_at_;
  switch (aperture(address)) {
    case Aperture::hbm: break;
    case Aperture::host:
      gpu_.stats_.host_stores += pieces(length, 16_B);
      host_ack_ = std::max(host_ack_, at + p.host_write_ack);
      break;
    case Aperture::peer:
      gpu_.stats_.peer_stores += pieces(length, 16_B);
      peer_ack_ = std::max(peer_ack_, at + p.peer_write_ack);
      break;
  }
  if (ledger_) ledger_->waited(waited);
  gpu_.stats_.issue_busy += at - kernel_.now();
  return at;
}

void Thread::Store::await_suspend(std::coroutine_handle<> program) {
  issued = thread.issue(length, address, thread.translated(address));
  if (thread.own(address) && content.index() != 0) {
    const GpuParams& p = thread.gpu_.params_;
    const Picoseconds back = p.store_ack / p.clock - p.l2_load / p.clock / 2;  // as far to the L2 as a load
    thread.gpu_.cells_.write(address, std::move(content),
                             std::max(issued, thread.local_ack_ - std::max(back, Picoseconds{})));
  }
  thread.kernel_.resume(issued, program);
}

void Thread::Store::await_resume() {
  thread.close(stage);
  if (thread.own(address)) return;
  thread.post(address, length, std::move(content), flight, flight == stage ? nullptr : thread.ledger_);
}

void Thread::post(Address address, Bytes length, Content content, Stage flight, Ledger* ledger) {
  Transfer& transfer = gpu_.port_->make();
  transfer.kind = Transfer::Kind::write;
  transfer.stage = flight;
  transfer.address = address;
  transfer.length = length;
  transfer.content = std::move(content);
  transfer.ledger = ledger;
  gpu_.port_->submit(transfer);
}

/// A warp's lanes store side by side: one instruction a line.
void Thread::Push::await_suspend(std::coroutine_handle<> program) {
  const Bytes issued = warp ? pieces(length, 64_B) * 16_B : length;
  thread.kernel_.resume(thread.issue(issued, address, thread.translated(address)), program);
}

void Thread::Push::await_resume() {
  thread.close(Stage::doorbell_issue);
  const bool lines = warp || thread.gpu_.params_.combines_stores;
  const Bytes one = lines ? 64_B : 16_B;
  for (Bytes done; done < length; done += one) {
    const bool tells = lines ? done + one >= length : done == Bytes{};
    thread.post(tells ? address : address + static_cast<Address>(done.count()), std::min(one, length - done),
                tells ? std::move(content) : Content{}, Stage::doorbell_flight, tells ? thread.ledger_ : nullptr);
  }
}

void Thread::FetchAdd::await_suspend(std::coroutine_handle<> waiting) {
  program = waiting;
  ++thread.gpu_.stats_.atomics;
  const Picoseconds way = thread.gpu_.params_.atomic / thread.gpu_.params_.clock / 2;
  thread.kernel_.at<&FetchAdd::on_memory>(thread.kernel_.now() + way, this);
}

void Thread::FetchAdd::on_memory() {
  before = word ? std::exchange(*word, *word + addend) : add_to_line(thread.gpu_.cells_, address, addend, thread.kernel_.now());
  if (!word && thread.atomics_done_)
    thread.atomics_done_->announce({address, thread.who_, thread.kernel_.now(), thread.kernel_.now()});
  const Picoseconds whole = thread.gpu_.params_.atomic / thread.gpu_.params_.clock;
  thread.kernel_.resume(thread.kernel_.now() + (whole - whole / 2), program);
}

std::uint64_t Thread::FetchAdd::await_resume() {
  thread.close(stage);
  return before;
}

void Thread::send(Transfer::Kind kind, Address address, Bytes length, Stage stage, Initiator& told) {
  Transfer& transfer = gpu_.port_->make();
  transfer.kind = kind;
  transfer.stage = stage;
  transfer.address = address;
  transfer.length = length;
  transfer.initiator = &told;
  const Picoseconds now = kernel_.now();
  Picoseconds there = gpu_.mmu_.translate(address, own(address), now);
  if (!untranslated_.empty()) there = std::max(there, send_from_);
  if (there == now) return gpu_.port_->submit(transfer);
  untranslated_.push(&transfer, send_from_ = there);
  kernel_.at<&Thread::on_translated>(there, this);
}

void Thread::on_translated() { gpu_.port_->submit(**untranslated_.pop_due(kernel_.now())); }

void Thread::read_remote(Address address, Stage stage, Initiator& initiator) {
  send(Transfer::Kind::read, address, 8_B, stage, initiator);
}

void Thread::Load::await_suspend(std::coroutine_handle<> program) {
  program_ = program;
  const Picoseconds there = thread_.translated(address_);
  if (there > thread_.kernel_.now()) return thread_.kernel_.at<&Load::go>(there, this);
  go();
}

void Thread::Load::go() {
  if (!thread_.own(address_)) return thread_.read_remote(address_, stage_, *this);
  Gpu& gpu = thread_.gpu_;
  const Picoseconds back =
      thread_.kernel_.now() + (walks_ ? gpu.walked(address_) : gpu.params_.l2_load / gpu.params_.clock);
  const auto seen = gpu.cells_.read(address_, back);
  if (seen.content) content_ = *seen.content;
  thread_.kernel_.resume(back, program_);
}

void Thread::Load::on_transferred(Transfer& transfer) {
  content_ = transfer.content;
  const Picoseconds way = thread_.gpu_.params_.l2_load / thread_.gpu_.params_.clock;
  thread_.kernel_.resume(thread_.kernel_.now() + way, program_);
}

Content Thread::Load::await_resume() {
  thread_.close(stage_);
  return std::move(content_);
}

Picoseconds Thread::Poll::round_trip() const {
  return thread_.own(address_) ? thread_.gpu_.params_.l2_load / thread_.gpu_.params_.clock
                                     : remote_round_trip_;
}

void Thread::Poll::await_suspend(Task::Handle program) {
  program_ = program;
  began_ = thread_.kernel_.now();
  if (program.promise().program) program.promise().program->obstacle = this;
  if (thread_.own(address_)) return look(began_);
  thread_.read_remote(address_, stage_, *this);
}

void Thread::Poll::on_transferred(Transfer& load) {
  const GpuParams& p = thread_.gpu_.params_;
  const Picoseconds now = thread_.kernel_.now();
  remote_round_trip_ = now - began_ + p.l2_load / p.clock;
  if (cached_ && hits_l1(&load.content)) return;
  if (wanted_(load.content)) {
    return end(now + (p.l2_load + p.poll_loop) / p.clock, false);
  }
  first_ = false;
  look(now);
}

/// Content that is already visible at `from` is seen by the first load; newer content by one
/// of the polls that follow.
void Thread::Poll::look(Picoseconds from) {
  const GpuParams& p = thread_.gpu_.params_;
  const Picoseconds loop = p.poll_loop / p.clock;
  Cells<Content>& cells = thread_.cells_at(address_);
  const auto seen = cells.read(address_, from);
  if (cached_ && hits_l1(seen.content)) return;
  if (first_ && seen.content && wanted_(*seen.content)) {
    return end(from + round_trip() + loop, seen.by_device);
  }
  first_ = false;
  if (seen.next > from) return on_written(seen.next);
  if (seen.content && wanted_(*seen.content)) return on_written(seen.visible);
  cells.watch(address_, this);
}

/// What a plain load brought into L1 stays there as it was. @return whether the loop will never see what it wants
bool Thread::Poll::hits_l1(const Content* seen) {
  const auto line = thread_.l1_.try_emplace(address_, seen ? *seen : Content{}).first;
  if (wanted_(line->second)) return false;
  what_ += ", but its plain load (ld.ca) hits the line in its own L1, which writes by devices don't invalidate: use "
           "ld.volatile or ld.acquire";
  return true;
}

void Thread::Poll::on_written(Picoseconds visible) {
  const GpuParams& p = thread_.gpu_.params_;
  Cells<Content>& cells = thread_.cells_at(address_);
  const auto seen = cells.read(address_, visible);
  if (!seen.content || !wanted_(*seen.content)) {
    cells.watch(address_, this);
    return;
  }
  const Picoseconds loop = p.poll_loop / p.clock;
  const Picoseconds until_sample = thread_.phase_.until_sample(round_trip() + loop);
  end(std::max(visible, began_) + until_sample + round_trip() / 2 + loop, seen.by_device);
}

void Thread::Poll::end(Picoseconds at, bool by_device) {
  thread_.polled_device_ |= by_device;
  thread_.kernel_.resume(at, program_);
}

void Thread::Poll::await_resume() {
  thread_.gpu_.stats_.waiting += thread_.kernel_.now() - began_;
  if (program_.promise().program) program_.promise().program->obstacle = nullptr;
  thread_.close(stage_);
}

}  // namespace gicsim::gpu
