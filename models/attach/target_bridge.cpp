// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/attach/target_bridge.h"

#include <algorithm>
#include <string>

#include "models/attach/detail/tlm.h"
#include "models/base/errors.h"

namespace gicsim::attach {

TargetBridge::TargetBridge(sc_core::sc_module_name name, Kernel& kernel, TargetOptions options)
    : sc_module(name), kernel_(kernel), options_(options) {
  in.bind(*this);
  device.bind(*this);
  SC_HAS_PROCESS(TargetBridge);
  if (options_.style == TargetOptions::Style::loosely_timed) {
    SC_THREAD(serve);
  } else {
    SC_METHOD(request);
    sensitive << called_;
    dont_initialize();
  }
}

void TargetBridge::arrive(const Tlp& tlp) {
  if (free_.empty()) free_.push_back(&all_.emplace_back(*this));
  Call& call = *free_.back();
  free_.pop_back();
  call.acquire();
  call.tlp = tlp;
  held_.push_back(&call);
  stats_.most = std::max(stats_.most, static_cast<Count>(held_.size()));
  const bool memory = tlp.kind == TlpKind::write || tlp.kind == TlpKind::read;
  call.done = !memory || tlp.length == Bytes{};
  if (call.done) return pass_on();
  fill(call);
  kernel_.hold();
  calls_.push_back(&call);
  kernel_.notify(called_, kernel_.now());
}

void TargetBridge::fill(Call& call) {
  const Tlp& tlp = call.tlp;
  const auto length = static_cast<std::size_t>(tlp.length.count());
  call.data.assign(length, 0);
  call.origin.requester = tlp.requester;
  call.origin.poisoned = tlp.poisoned;
  call.origin.carried = 0;
  const auto* word = std::get_if<std::uint64_t>(&tlp.transfer->content);
  if (tlp.kind == TlpKind::write && word && tlp.address - tlp.transfer->address < detail::word_size) {
    const std::size_t before = tlp.address - tlp.transfer->address;
    call.origin.carried = std::min(length, detail::word_size - before);
    detail::put_word(*word >> (8 * before), call.data.data(), call.origin.carried);
  }
  call.set_command(tlp.kind == TlpKind::write ? ::tlm::TLM_WRITE_COMMAND : ::tlm::TLM_READ_COMMAND);
  call.set_address(tlp.address - options_.base);
  call.set_data_ptr(call.data.data());
  call.set_data_length(static_cast<unsigned>(length));
  call.set_streaming_width(static_cast<unsigned>(length));
  call.set_byte_enable_ptr(nullptr);
  call.set_dmi_allowed(false);
  call.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
  call.set_extension(&call.origin);
}

void TargetBridge::free(Payload* payload) {
  payload->reset();  // what the foreign side hung on it for this call
  free_.push_back(static_cast<Call*>(payload));
}

/// Loosely timed: a target that waits has one access at a time, one that annotates its delay has them overlap.
void TargetBridge::serve() {
  for (;;) {
    while (calls_.empty()) sc_core::wait(called_);
    Call& call = *calls_.front();
    calls_.pop_front();
    sc_core::sc_time delay;
    target().b_transport(call, delay);
    done_at(call, delay);
  }
}

void TargetBridge::request() {
  if (requesting_ || calls_.empty()) return;
  if (kernel_.now() < request_free_) return kernel_.notify(called_, request_free_);
  Call& call = *calls_.front();
  calls_.pop_front();
  requesting_ = &call;
  ::tlm::tlm_phase phase = ::tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  const auto sync = target().nb_transport_fw(call, phase, delay);
  if (sync == ::tlm::TLM_ACCEPTED) return;
  if (requesting_ == &call) end_request(kernel_.now() + detail::picoseconds(delay));
  if (sync == ::tlm::TLM_UPDATED && phase == ::tlm::END_REQ) return;
  done_at(call, delay);
  if (sync == ::tlm::TLM_COMPLETED) return;
  phase = ::tlm::END_RESP;
  target().nb_transport_fw(call, phase, delay);
}

::tlm::tlm_sync_enum TargetBridge::nb_transport_bw(Payload& payload, ::tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  auto& call = static_cast<Call&>(payload);
  if (phase != ::tlm::END_REQ && phase != ::tlm::BEGIN_RESP) {
    SC_REPORT_ERROR(name(), "a phase that a target doesn't begin");
    return ::tlm::TLM_ACCEPTED;
  }
  if (requesting_ == &call) end_request(kernel_.now() + detail::picoseconds(delay));
  if (phase == ::tlm::END_REQ) return ::tlm::TLM_ACCEPTED;
  done_at(call, delay);
  phase = ::tlm::END_RESP;
  return ::tlm::TLM_UPDATED;
}

void TargetBridge::end_request(Picoseconds at) {
  requesting_ = nullptr;
  request_free_ = at;
  if (!calls_.empty()) kernel_.notify(called_, at);
}

void TargetBridge::done_at(Call& call, const sc_core::sc_time& delay) {
  kernel_.at<&Call::on_done>(kernel_.now() + detail::picoseconds(delay), &call);
}

void TargetBridge::finish(Call& call) {
  kernel_.release();
  call.done = true;
  const bool write = call.tlp.kind == TlpKind::write, failed = call.is_response_error();
  (write ? stats_.writes : stats_.reads) += 1;
  (write ? stats_.written : stats_.read) += call.tlp.length;
  if (failed) ++(write ? stats_.failed_writes : stats_.failed_reads);
  if (!write && failed)
    call.tlp.transfer->status = call.get_response_status() == ::tlm::TLM_GENERIC_ERROR_RESPONSE
                                    ? CompletionStatus::abort
                                    : CompletionStatus::unsupported;
  if (!write && !failed) read_words(call);
  pass_on();
}

void TargetBridge::read_words(const Call& call) const {
  Transfer& transfer = *call.tlp.transfer;
  const std::size_t first = call.tlp.address - transfer.address;  // of the transfer's bytes
  transfer.more.resize(transfer.lines - 1);
  for (std::size_t line = (first + detail::line_size - 1) / detail::line_size; line < transfer.lines; ++line) {
    const std::size_t at = line * detail::line_size - first;
    if (at >= call.data.size()) return;
    const std::uint64_t word = detail::word_from(call.data.data() + at, call.data.size() - at);
    (line == 0 ? transfer.content : transfer.more[line - 1]) = word;
  }
}

void TargetBridge::sample(Transfer& transfer, Picoseconds now) {
  transfer.sampled = now;
  transfer.next.assign(transfer.lines, Picoseconds{});
}

void TargetBridge::pass_on() {
  if (passing_) return;
  passing_ = true;
  bool behind_write = false;
  for (std::size_t i = 0; i < held_.size() && !behind_write;) {
    Call& call = *held_[i];
    if (!call.done) {
      behind_write = call.tlp.kind == TlpKind::write;
      ++i;
      continue;
    }
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
    if (call.tlp.last && call.tlp.transfer && call.tlp.transfer->ledger)
      call.tlp.transfer->ledger->close(call.tlp.transfer->stage, name(), kernel_.now());
    const Tlp tlp = call.tlp;
    call.release();
    port_->arrive(tlp);
  }
  passing_ = false;
}

void TargetBridge::check_books() const {
  if (!held_.empty())
    throw ModelError(name(), kernel_.now(), std::to_string(held_.size()) + " TLPs still held");
}

}  // namespace gicsim::attach
