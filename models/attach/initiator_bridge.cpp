// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/attach/initiator_bridge.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "models/attach/detail/tlm.h"
#include "models/base/errors.h"

namespace gicsim::attach {
namespace {

Bytes bytes(std::size_t n) { return Bytes(static_cast<std::int64_t>(n)); }

::tlm::tlm_response_status response(CompletionStatus status) {
  switch (status) {
    case CompletionStatus::successful: return ::tlm::TLM_OK_RESPONSE;
    case CompletionStatus::unsupported: return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case CompletionStatus::abort:
    case CompletionStatus::timed_out: break;
  }
  return ::tlm::TLM_GENERIC_ERROR_RESPONSE;
}

}  // namespace

InitiatorBridge::InitiatorBridge(sc_core::sc_module_name name, Kernel& kernel, InitiatorOptions options)
    : sc_module(name), kernel_(kernel), options_(std::move(options)) {
  SC_HAS_PROCESS(InitiatorBridge);
  SC_METHOD(speak);
  sensitive << speak_;
  dont_initialize();
}

bool InitiatorBridge::reaches(Address address, std::size_t length) const {
  if (options_.reach.empty()) return address + length - 1 >= address;
  return std::any_of(options_.reach.begin(), options_.reach.end(), [&](const InitiatorOptions::Window& window) {
    const std::uint64_t offset = address - window.base;
    return offset < window.size && length <= window.size - offset;
  });
}

::tlm::tlm_response_status InitiatorBridge::cut(const Payload& payload, std::vector<Part>& parts) const {
  if (payload.get_command() == ::tlm::TLM_IGNORE_COMMAND) return ::tlm::TLM_OK_RESPONSE;
  const std::size_t length = payload.get_data_length(), width = payload.get_streaming_width();
  const std::size_t period = payload.get_byte_enable_length();
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  if (length == 0 || width == 0) return ::tlm::TLM_BURST_ERROR_RESPONSE;
  if (!payload.get_data_ptr()) return ::tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (enables && period == 0) return ::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const auto enabled = [&](std::size_t i) { return !enables || enables[i % period] == TLM_BYTE_ENABLED; };
  for (std::size_t beat = 0; beat < length; beat += width) {
    const std::size_t end = std::min(length, beat + width);
    for (std::size_t from = beat; from < end;) {
      std::size_t to = enables ? from : end;
      while (to < end && enabled(to)) ++to;
      if (to > from) {
        const Address address = payload.get_address() + (from - beat);
        if (!reaches(address, to - from)) return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
        parts.push_back({nullptr, address, from, to - from, detail::word_from(payload.get_data_ptr() + from, to - from)});
      }
      from = std::max(to, from + 1);
    }
  }
  return ::tlm::TLM_OK_RESPONSE;
}

InitiatorBridge::Access* InitiatorBridge::take(Payload& payload, const sc_core::sc_time& delay) {
  if (free_.empty()) free_.push_back(&all_.emplace_back(*this));
  Access& access = *free_.back();
  access.parts.clear();
  const auto status = cut(payload, access.parts);
  payload.set_dmi_allowed(false);
  payload.set_response_status(status);
  if (status != ::tlm::TLM_OK_RESPONSE) {
    ++stats_.refused;
    return nullptr;
  }
  if (access.parts.empty()) return nullptr;
  free_.pop_back();
  for (Part& part : access.parts) part.access = &access;
  access.foreign = &payload;
  access.write = payload.is_write();
  access.phased = false;
  access.left = access.parts.size();
  access.start = kernel_.now() + detail::picoseconds(delay);
  access.status = status;
  kernel_.hold();
  return &access;
}

/// @return whether there is room: it will begin at its own time
bool InitiatorBridge::enter(Access& access) {
  const auto present = static_cast<Count>(all_.size() - free_.size());
  stats_.most = std::max(stats_.most, present);
  if (under_way_ == options_.outstanding) {
    waiting_.push_back(&access);
    return false;
  }
  ++under_way_;
  kernel_.at<&Access::begin>(access.start, &access);
  return true;
}

void InitiatorBridge::b_transport(Payload& payload, sc_core::sc_time& delay) {
  Access* const access = take(payload, delay);
  if (!access) return;
  const bool posted = access->write && options_.writes == InitiatorOptions::Writes::accepted;
  if (enter(*access) && posted) return forget(*access);  // the caller keeps its local time
  sc_core::wait(access->answered);
  payload.set_response_status(access->status);
  delay = sc_core::SC_ZERO_TIME;
  forget(*access);
}

::tlm::tlm_sync_enum InitiatorBridge::nb_transport_fw(Payload& payload, ::tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
  if (phase == ::tlm::BEGIN_REQ && !requesting_) {
    Access* const access = take(payload, delay);
    if (!access) return ::tlm::TLM_COMPLETED;
    if (payload.has_mm()) payload.acquire();
    access->phased = true;
    requesting_ = true;
    enter(*access);
    return ::tlm::TLM_ACCEPTED;
  }
  if (phase == ::tlm::END_RESP && responding_ == &payload) {
    end_response(payload, kernel_.now() + detail::picoseconds(delay));
    return ::tlm::TLM_COMPLETED;
  }
  SC_REPORT_ERROR(name(), phase == ::tlm::BEGIN_REQ  ? "BEGIN_REQ before the END_REQ of the request before"
                          : phase == ::tlm::END_RESP ? "END_RESP of a payload that has no BEGIN_RESP"
                                                     : "a phase that an initiator doesn't begin");
  return ::tlm::TLM_COMPLETED;
}

void InitiatorBridge::begin(Access& access) {
  if (access.phased) {
    accepted_.push_back(&access);
    kernel_.notify(speak_, kernel_.now());
  }
  if (access.foreign && access.write && options_.writes == InitiatorOptions::Writes::accepted) answer(access);
  for (Part& part : access.parts) submit(part);
}

void InitiatorBridge::submit(Part& part) {
  Transfer& transfer = port_->make();
  const bool write = part.access->write;
  transfer.kind = write ? Transfer::Kind::write : Transfer::Kind::read;
  transfer.stage = write ? Stage::remote_write : Stage::remote_read;
  transfer.ordered = write && !options_.relaxed;
  transfer.address = part.address;
  transfer.length = bytes(part.length);
  if (write) transfer.content = part.word;
  else transfer.lines = static_cast<std::uint32_t>(pieces(transfer.length, bytes(detail::line_size)));
  transfer.initiator = this;
  transfer.cookie = &part;
  ++(write ? stats_.writes : stats_.reads);
  port_->submit(transfer);
}

void InitiatorBridge::on_transferred(Transfer& transfer) {
  const Part& part = *static_cast<const Part*>(transfer.cookie);
  Access& access = *part.access;
  if (access.write) {
    stats_.written += transfer.length;
  } else {
    stats_.read += transfer.length;
    unsigned char* const data = access.foreign->get_data_ptr() + part.offset;
    std::memset(data, 0, part.length);
    for (std::size_t at = 0, line = 0; at < part.length; at += detail::line_size, ++line) {
      const bool seen = line == 0 || line <= transfer.more.size();
      const Content& content = line == 0 || !seen ? transfer.content : transfer.more[line - 1];
      if (const auto* word = std::get_if<std::uint64_t>(&content); word && seen)
        detail::put_word(*word, data + at, part.length - at);
    }
  }
  if (transfer.status != CompletionStatus::successful || (transfer.poisoned && !access.write)) {
    ++stats_.failed;
    access.status = transfer.poisoned ? ::tlm::TLM_GENERIC_ERROR_RESPONSE : response(transfer.status);
  }
  if (--access.left == 0) leave(access);
}

void InitiatorBridge::leave(Access& access) {
  if (waiting_.empty()) {
    --under_way_;
  } else {
    Access& next = *waiting_.front();
    waiting_.pop_front();
    kernel_.at<&Access::begin>(std::max(kernel_.now(), next.start), &next);
  }
  const bool told = access.write && options_.writes == InitiatorOptions::Writes::accepted;
  if (access.foreign && !told) return answer(access);
  if (!access.foreign) free_.push_back(&access);
}

void InitiatorBridge::answer(Access& access) {
  if (!access.phased) return kernel_.notify(access.answered, kernel_.now());
  finished_.push_back(&access);
  kernel_.notify(speak_, kernel_.now());
}

/// The foreign side has its answer; the access lives on while a part is under way.
void InitiatorBridge::forget(Access& access) {
  access.foreign = nullptr;
  kernel_.release();
  if (access.left == 0) free_.push_back(&access);
}

void InitiatorBridge::speak() {
  sc_core::sc_time delay;
  ::tlm::tlm_phase phase;
  while (!accepted_.empty()) {
    Payload& payload = *accepted_.front()->foreign;
    accepted_.pop_front();
    requesting_ = false;
    phase = ::tlm::END_REQ, delay = sc_core::SC_ZERO_TIME;
    initiator().nb_transport_bw(payload, phase, delay);
  }
  while (!finished_.empty() && !responding_ && response_free_ <= kernel_.now()) {
    Access& access = *finished_.front();
    finished_.pop_front();
    Payload& payload = *access.foreign;
    payload.set_response_status(access.status);
    forget(access);
    responding_ = &payload;
    phase = ::tlm::BEGIN_RESP, delay = sc_core::SC_ZERO_TIME;
    if (initiator().nb_transport_bw(payload, phase, delay) != ::tlm::TLM_ACCEPTED)
      end_response(payload, kernel_.now() + detail::picoseconds(delay));
  }
  if (!finished_.empty() && !responding_) kernel_.notify(speak_, response_free_);
}

void InitiatorBridge::end_response(Payload& payload, Picoseconds at) {
  responding_ = nullptr;
  response_free_ = at;
  if (!finished_.empty()) kernel_.notify(speak_, at);
  if (payload.has_mm()) payload.release();
}

void InitiatorBridge::check_books() const {
  const std::size_t inside = all_.size() - free_.size();
  if (inside != 0) throw ModelError(name(), kernel_.now(), std::to_string(inside) + " accesses still under way");
}

}  // namespace gicsim::attach
