// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/flow.h"

#include <algorithm>

namespace gicsim::roce {
namespace {

constexpr std::int64_t far = 65'536;          ///< PSNs: no window is that large
constexpr std::size_t most_waiting = 4096, most_recent = 1024;

}  // namespace

/// PSNs that a request takes: of a READ, one a response.
std::int64_t Flow::span(const Header& header) const {
  if (header.operation != Operation::read_request || header.service == Service::ud) return 1;
  const std::int64_t length = header.reth->length;
  return mtu == 0 ? 1 : std::max<std::int64_t>(1, (length + mtu - 1) / mtu);
}

/// A mirror port may show a frame twice; one that a NIC sends again has another identification.
bool Flow::copied(const Header& header, const Datagram& datagram) {
  if (datagram.identification == 0) return false;
  const std::uint64_t same = std::uint64_t{header.opcode} << 40 | std::uint64_t{header.psn} << 16 | datagram.identification;
  if (std::find(recent_.rbegin(), recent_.rend(), same) != recent_.rend()) return ++copies > 0;
  recent_.push_back(same);
  if (recent_.size() > most_recent) recent_.pop_front();
  return false;
}

bool Flow::request(const Header& header, const Datagram& datagram, std::int64_t ns) {
  const bool beginning = roce::begins(header.operation);
  const std::int64_t d = next_psn ? psn_beyond(*next_psn, header.psn) : 0;
  if (service != Service::ud && (d > far || d < -far) && beginning) return false;
  if (packets + answers == 0) first_ns = ns;
  last_ns = ns;
  congested += datagram.ecn == 3;
  if (copied(header, datagram)) return true;
  ++packets;
  ++opcodes[header.opcode];
  source_port = datagram.source_port;
  if (!first_psn) {
    first_psn = header.psn;
    begins_within = !beginning;
  }
  if ((is_send(header.operation) || is_write(header.operation)) && !roce::ends(header.operation)) mtu = header.payload;
  if (d < 0) {
    again(header);
    last_psn_ = header.psn;
    return true;
  }
  last_psn_ = header.psn;
  if (d > 0 && !std::exchange(span_unknown_, false)) {
    missing += static_cast<std::uint64_t>(d);
    gaps_.add(*next_psn, d);
  }
  span_unknown_ = header.operation == Operation::read_request && mtu == 0;
  const std::uint32_t next = psn_after(header.psn, span(header));
  wraps += next < header.psn;
  next_psn = next;
  count_message(header, true);
  if (service == Service::ud || service == Service::uc || !(header.ack_request || roce::ends(header.operation))) return true;
  waiting_.push_back({psn_after(next, -1), ns, true});
  if (waiting_.size() > most_waiting) waiting_.pop_front();
  return true;
}

/// Each PSN comes here once, in order or late.
void Flow::count_message(const Header& header, bool in_order) {
  const Operation o = header.operation;
  payload += header.reth && o == Operation::read_request ? header.reth->length : is_atomic(o) ? 8 : header.payload;
  const bool first = roce::begins(o), last = roce::ends(o);
  if (first) {
    if (!in_order && headless_ > 0 && !last) --headless_, --cut;
    else ++messages;
    if (in_order && open_) ++cut;
  }
  if (!first && in_order && !open_) ++headless_, ++messages, ++cut;
  if (!first && last && !in_order && cut > 0) --cut;
  if (in_order) open_ = !last;
}

void Flow::again(const Header& header) {
  if (const std::int64_t before = psn_beyond(header.psn, *first_psn); before > 0 && wraps == 0) {
    gaps_.add(header.psn, before);
    missing += static_cast<std::uint64_t>(before);
    first_psn = header.psn;
  }
  if (gaps_.take(header.psn)) {
    ++late;
    --missing;
    return count_message(header, false);
  }
  ++resent;
  if (psn_beyond(last_psn_, header.psn) <= 0) due_to_nak_ = std::exchange(nak_, false);
  resent_after_nak += due_to_nak_;
  for (Waiting& one : waiting_) one.timed = one.timed && psn_beyond(header.psn, one.psn) < 0;
}

void Flow::acknowledged(std::uint32_t psn, std::int64_t ns, bool timed) {
  while (!waiting_.empty() && psn_beyond(waiting_.front().psn, psn) >= 0) {
    if (timed && waiting_.front().timed) answered.add(ns - waiting_.front().ns);
    waiting_.pop_front();
  }
}

bool Flow::wanted(std::uint32_t psn) const {
  return std::any_of(waiting_.begin(), waiting_.end(), [psn](const Waiting& one) { return one.psn == psn; });
}

bool Flow::asked(std::uint32_t psn) const {
  if (!first_psn) return false;
  const std::int64_t behind = psn_beyond(psn, *next_psn);
  return behind > (span_unknown_ ? -far : 0) && behind <= far && (wraps > 0 || psn_beyond(*first_psn, psn) >= -1);
}

void Flow::answer(const Header& header, const Datagram& datagram, std::int64_t ns) {
  if (packets + answers == 0) first_ns = ns;
  last_ns = ns;
  if (copied(header, datagram)) return;
  ++answers;
  ++opcodes[header.opcode];
  const Operation o = header.operation;
  const auto behind = [&](std::optional<std::uint32_t>& newest) {
    const bool old = newest && psn_beyond(*newest, header.psn) <= 0;
    if (!old) newest = header.psn;
    return old;
  };
  if (is_response(o)) {
    if (!roce::ends(o)) mtu = header.payload;
    const std::int64_t skipped = response_ ? psn_beyond(*response_, header.psn) - 1 : 0;
    const bool inside = o == Operation::response_middle || o == Operation::response_last;
    if (skipped > 0 && skipped < far && inside) answers_missing += static_cast<std::uint64_t>(skipped);
    const bool old = behind(response_);
    responses_again += old;
    repeated(old && roce::begins(o));
    if (roce::ends(o)) acknowledged(header.psn, ns, true);
    return;
  }
  if (o == Operation::atomic_acknowledge) {
    const bool old = behind(atomic_);
    responses_again += old;
    repeated(old);
    return acknowledged(header.psn, ns, true);
  }
  const std::uint8_t syndrome = header.aeth->syndrome;
  switch (answer_of(syndrome)) {
    case Answer::ack:
      ++acks;
      // No message is complete that wasn't, and nobody asked for an answer to this PSN: to a duplicate, then.
      repeated(last_msn_ == header.aeth->msn && !wanted(header.psn));
      last_msn_ = header.aeth->msn;
      return acknowledged(header.psn, ns, true);
    case Answer::rnr_nak: ++rnr_naks[syndrome & 31]; break;
    case Answer::nak: ++naks[syndrome & 31]; break;
    case Answer::reserved: return;
  }
  nak_ = true;
  acknowledged(psn_after(header.psn, -1), ns, false);
}

void Flow::end() { cut += std::exchange(open_, false); }

}  // namespace gicsim::roce
