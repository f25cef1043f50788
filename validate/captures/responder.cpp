// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "validate/captures/detail/arrivals.h"
#include "validate/captures/detail/equal.h"
#include "validate/captures/replay.h"

namespace gicsim::captures {
namespace {

using O = roce::Operation;

/// Drives a responder: for each answer that was captured it is given requests until it sends one. Receives are posted,
/// and memory registered, as the answers show; atomics begin with the value that the first one found.
class Responder {
 public:
  Responder(const View& view, const nic::TransportParams& transport)
      : story_(view.story), requests_(view.known ? view.delivered : view.story.requests), known_(view.known),
        here_(view.here), transport_(transport) {
    verdict_.flow = story_.name;
    verdict_.role = Role::responder;
  }

  Verdict replay() {
    if (!std::has_single_bit(story_.mtu) || story_.mtu < 256 || story_.mtu > 4096) {
      verdict_.not_replayed = fmt::format("packets within messages of {} B: no MTU", story_.mtu);
      return verdict_;
    }
    const auto start = std::find_if(story_.requests.begin(), story_.requests.end(),
                                    [](const Event& e) { return roce::begins(e.header.operation); });
    if (start == story_.requests.end() || story_.answers.empty()) {
      verdict_.not_replayed = story_.answers.empty() ? "its answers weren't captured" : "no message begins in its requests";
      return verdict_;
    }
    while (next_ < requests_.size() && requests_[next_].frame < start->frame) ++next_;
    expected_ = start->header.psn;
    Bed::Settings settings{.mtu = story_.mtu, .first_psn = expected_, .transport = transport_};
    for (const Event& e : story_.answers)
      if (e.header.aeth && roce::answer_of(e.header.aeth->syndrome) == roce::Answer::rnr_nak)
        settings.rnr_code = e.header.aeth->syndrome & 31;
    bed_.emplace(settings);
    packets_.emplace(bed_->nic());
    packets_->register_memory(requests_, story_.answers);
    std::size_t i = 0;
    while (i < story_.answers.size() && roce::psn_beyond(expected_, story_.answers[i].header.psn) < 0) ++i;
    verdict_.skipped = i;
    for (; i < story_.answers.size() && !verdict_.difference; ++i) explain(story_.answers[i]);
    while (!verdict_.difference && next_ < requests_.size()) {
      give(nullptr);
      bed_->settle();
    }
    verdict_.beyond = bed_->sent.size();
    for (const nic::Failure& failure : bed_->nic().failures()) verdict_.failed = name_of(failure.status);
    return verdict_;
  }

 private:
  void explain(const Event& answer) {
    explained_ = static_cast<std::size_t>(&answer - story_.answers.data());
    give_together(answer);
    while (bed_->sent.empty() || coalesced(bed_->sent.front(), answer)) {
      if (!bed_->sent.empty()) {
        bed_->sent.pop_front();
        ++verdict_.coalesced;
        continue;
      }
      if (!more_before(answer)) return differ(answer, "sends nothing, whatever has arrived");
      give(&answer);
      bed_->settle();
    }
    const Sent sent = bed_->sent.front();
    bed_->sent.pop_front();
    const roce::Header& h = answer.header;
    if (h.aeth && !offset_) offset_ = (h.aeth->msn - sent.packet.msn) & 0xff'ffff;
    std::string other = detail::difference(sent, answer, offset_.value_or(0));
    if (!other.empty()) return differ(answer, std::move(other));
    ++verdict_.compared;
  }

  bool more_before(const Event& answer) const {
    return next_ < requests_.size() && requests_[next_].frame < answer.frame;
  }

  /// One ACK may tell of several requests that came while it was being made: how many is a matter of time, of which there
  /// is none here. So all that a captured one tells of come at once, from the first that asks for it on: more would find
  /// the receive buffer full.
  void give_together(const Event& answer) {
    const roce::Header& a = answer.header;
    if (transport_.ack != nic::Acks::coalesced || a.operation != O::acknowledge ||
        roce::answer_of(a.aeth->syndrome) != roce::Answer::ack || !bed_->sent.empty())
      return;
    bool asked = false;
    while (more_before(answer) && roce::psn_beyond(expected_, a.psn) >= 0) {
      asked |= requests_[next_].header.ack_request && requests_[next_].header.psn == expected_;
      give(&answer);
      if (!asked) bed_->settle();
    }
    bed_->settle();
  }

  /// An ACK that the capture hasn't, as what it has there tells of the same and more.
  bool coalesced(const Sent& sent, const Event& answer) const {
    const roce::Header& a = answer.header;
    return transport_.ack == nic::Acks::coalesced && sent.packet.kind == PacketKind::ack &&
           roce::psn_beyond(sent.packet.psn, a.psn) > 0;
  }

  void differ(const Event& answer, std::string model) {
    verdict_.difference = Difference{answer.frame, detail::told(answer), std::move(model)};
  }

  /// The next request, unless it can't have arrived: the answer that it would get isn't the one that was captured.
  void give(const Event* answer) {
    const Event& event = requests_[next_++];
    const roce::Header& h = event.header;
    if (answer && !known_ && !here_ && story_.resent > 0 && lost(h, answer->header)) {
      ++verdict_.lost;
      return;
    }
    ++verdict_.arrivals;
    const std::int64_t ahead = roce::psn_beyond(expected_, h.psn);
    const bool refused = answer && answer->header.psn == h.psn && answer->header.aeth &&
                         answer->header.operation == O::acknowledge &&
                         roce::answer_of(answer->header.aeth->syndrome) == roce::Answer::rnr_nak;
    const bool takes = detail::opcode_of(h.operation) == Opcode::rdma_write_imm ||
                       (is_send(h.operation) && roce::begins(h.operation));
    if (ahead == 0 && takes && !refused) bed_->nic().post_receives(1, 1);
    if (ahead == 0 && h.atomic && answer && answer->header.old_value)
      bed_->memory().words.try_emplace(h.atomic->address, *answer->header.old_value);
    if (ahead == 0 && !(takes && refused)) accept(h);
    bed_->deliver(packets_->packet(h, ahead == 0));
  }

  void accept(const roce::Header& h) {
    expected_ = roce::psn_after(h.psn, span(h));
    if (h.operation != O::read_request) newest_ = h.psn;
    gap_ = false;
  }

  std::int64_t span(const roce::Header& h) const {
    if (h.operation != O::read_request) return 1;
    return std::max<std::int64_t>(1, pieces(Bytes(h.reth->length), Bytes(story_.mtu)));
  }

  /// Nobody answers a packet that doesn't ask; but the next ACK or NAK tells whether it had arrived.
  bool refuted(std::uint32_t psn) const {
    constexpr std::size_t near = 64;
    for (std::size_t k = explained_; k < std::min(story_.answers.size(), explained_ + near); ++k) {
      const roce::Header& h = story_.answers[k].header;
      if (h.operation != O::acknowledge) continue;
      const bool misses = roce::answer_of(h.aeth->syndrome) == roce::Answer::nak;
      return roce::psn_beyond(psn, h.psn) < (misses ? 1 : 0);
    }
    return false;
  }

  /// By what a responder has to answer: to what is next, if it asks for that, an ACK or data; to what came before, an
  /// ACK up to the newest; to the first behind a gap, a NAK of what is missing.
  bool lost(const roce::Header& h, const roce::Header& answer) {
    const std::int64_t ahead = roce::psn_beyond(expected_, h.psn);
    const bool nak = answer.operation == O::acknowledge && roce::answer_of(answer.aeth->syndrome) != roce::Answer::ack;
    if (ahead > 0) {
      if (gap_) return false;
      if (!nak || answer.psn != expected_) return true;
      gap_ = true;
      return false;
    }
    const bool sequence = nak && answer.aeth->syndrome == 0x60;
    if (ahead == 0 && sequence && answer.psn == expected_) return true;
    const bool data = h.operation == O::read_request || roce::is_atomic(h.operation);
    if (data) return answer.psn != h.psn;
    if (ahead == 0 && h.ack_request) return answer.psn != h.psn;
    if (ahead == 0) return refuted(h.psn);
    if (transport_.duplicates == nic::Duplicates::asking && !h.ack_request) return false;
    return nak || answer.operation != O::acknowledge ||
           answer.psn != (transport_.acks_name_reads ? roce::psn_after(expected_, -1) : newest_);
  }

  const Story& story_;
  const std::vector<Event>& requests_;
  bool known_, here_;
  nic::TransportParams transport_;
  Verdict verdict_;
  std::optional<Bed> bed_;
  std::size_t next_ = 0, explained_ = 0;
  std::uint32_t expected_ = 0;
  std::uint32_t newest_ = 0;  ///< that isn't a READ
  bool gap_ = false;
  std::optional<std::uint32_t> offset_;
  std::optional<detail::Arrivals> packets_;
};

}  // namespace

Verdict replay_responder(const View& view, const nic::TransportParams& transport) {
  return Responder(view, transport).replay();
}

}  // namespace gicsim::captures
