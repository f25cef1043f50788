// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

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
        transport_(transport) {
    verdict_.flow = story_.name;
    verdict_.role = Role::responder;
  }

  Verdict replay() {
    if (!std::has_single_bit(story_.mtu) || story_.mtu < 256 || story_.mtu > 4096) {
      verdict_.not_replayed = fmt::format("packets within messages of {} B: no MTU", story_.mtu);
      return verdict_;
    }
    while (next_ < requests_.size() && !roce::begins(requests_[next_].header.operation)) ++next_;
    if (next_ == requests_.size() || story_.answers.empty()) {
      verdict_.not_replayed = story_.answers.empty() ? "its answers weren't captured" : "no message begins in its requests";
      return verdict_;
    }
    expected_ = requests_[next_].header.psn;
    Bed::Settings settings{.mtu = story_.mtu, .first_psn = expected_, .transport = transport_};
    for (const Event& e : story_.answers)
      if (e.header.aeth && roce::answer_of(e.header.aeth->syndrome) == roce::Answer::rnr_nak)
        settings.rnr_code = e.header.aeth->syndrome & 31;
    bed_.emplace(settings);
    register_memory();
    std::size_t i = 0;
    while (i < story_.answers.size() && roce::psn_beyond(expected_, story_.answers[i].header.psn) < 0 &&
           story_.answers[i].frame < requests_[next_].frame)
      ++i;
    verdict_.skipped = i;
    for (; i < story_.answers.size() && !verdict_.difference; ++i) explain(story_.answers[i]);
    while (!verdict_.difference && next_ < requests_.size()) give(nullptr);
    verdict_.beyond = bed_->sent.size();
    for (const nic::Failure& failure : bed_->nic().failures()) verdict_.failed = name_of(failure.status);
    return verdict_;
  }

 private:
  void explain(const Event& answer) {
    while (bed_->sent.empty()) {
      const bool more = next_ < requests_.size() && (known_ || requests_[next_].frame < answer.frame);
      if (!more) return differ(answer, "sends nothing, whatever has arrived");
      give(&answer);
    }
    const Sent sent = bed_->sent.front();
    bed_->sent.pop_front();
    const roce::Header& h = answer.header;
    if (h.aeth && !offset_) offset_ = (h.aeth->msn - sent.packet.msn) & 0xff'ffff;
    std::string other = detail::difference(sent, answer, offset_.value_or(0));
    if (!other.empty()) return differ(answer, std::move(other));
    ++verdict_.compared;
  }

  void differ(const Event& answer, std::string model) {
    verdict_.difference = Difference{answer.frame, detail::told(answer), std::move(model)};
  }

  /// The next request, unless it can't have arrived: the answer that it would get isn't the one that was captured.
  void give(const Event* answer) {
    const Event& event = requests_[next_++];
    const roce::Header& h = event.header;
    if (answer && !known_ && story_.resent > 0 && lost(h, answer->header)) {
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
    bed_->arrive(packet_of(h, ahead == 0));
  }

  void accept(const roce::Header& h) {
    expected_ = roce::psn_after(h.psn, span(h));
    gap_ = false;
  }

  std::int64_t span(const roce::Header& h) const {
    if (h.operation != O::read_request) return 1;
    return std::max<std::int64_t>(1, pieces(Bytes(h.reth->length), Bytes(story_.mtu)));
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
    if (ahead == 0) return h.ack_request && answer.psn != h.psn;
    if (transport_.duplicates == nic::Duplicates::asking && !h.ack_request) return false;
    return nak || answer.operation != O::acknowledge || answer.psn != roce::psn_after(expected_, -1);
  }

  Packet packet_of(const roce::Header& h, bool next) {
    if (roce::begins(h.operation) || wqes_.empty()) {
      Wqe& wqe = wqes_.emplace_back();
      if (wqes_.size() > 1024) wqes_.pop_front();
      wqe.opcode = detail::opcode_of(h.operation);
      wqe.length = Bytes(h.reth ? h.reth->length : h.payload);
      if (h.reth) wqe.remote = h.reth->address, wqe.rkey = key(h.reth->key);
      if (h.atomic) {
        wqe.remote = h.atomic->address, wqe.rkey = key(h.atomic->key);
        wqe.length = 8_B;
        wqe.value = h.atomic->swap, wqe.compare = h.atomic->compare;
      }
      placed_ = 0;
    }
    Wqe& wqe = wqes_.back();
    Packet packet;
    packet.kind = h.operation == O::read_request ? PacketKind::read_request
                  : h.atomic                     ? PacketKind::atomic_request
                  : is_send(h.operation)         ? PacketKind::send
                                                 : PacketKind::write;
    packet.first = roce::begins(h.operation);
    packet.last = roce::ends(h.operation);
    packet.immediate = h.immediate.has_value();
    if (packet.immediate) wqe.opcode = detail::opcode_of(h.operation);
    packet.ack_request = h.ack_request;
    packet.psn = h.psn;
    packet.payload = Bytes(h.payload);
    packet.length = h.operation == O::read_request ? wqe.length : 0_B;
    packet.address = wqe.remote + placed_;
    if (next) placed_ += h.payload;
    packet.wqe = &wqe;
    return packet;
  }

  /// Memory regions, as far as requests that weren't refused for their access show them. Where none was refused,
  /// nothing is checked.
  void register_memory() {
    std::map<std::uint32_t, nic::Region> regions;
    std::vector<std::uint32_t> refused;
    for (const Event& e : story_.answers)
      if (e.header.aeth && e.header.aeth->syndrome == 0x62) refused.push_back(e.header.psn);
    if (refused.empty()) return;
    for (const Event& e : requests_) {
      const roce::Header& h = e.header;
      if ((!h.reth && !h.atomic) || std::find(refused.begin(), refused.end(), h.psn) != refused.end()) continue;
      const Address begin = h.reth ? h.reth->address : h.atomic->address;
      const Address end = begin + (h.reth ? h.reth->length : 8);
      const auto [at, fresh] = regions.try_emplace(h.reth ? h.reth->key : h.atomic->key, nic::Region{begin, end});
      at->second.begin = std::min(at->second.begin, begin);
      at->second.end = std::max(at->second.end, end);
    }
    if (regions.empty()) bed_->nic().register_memory({0, 1});  // something, so that keys are looked at
    for (const auto& [key, region] : regions) keys_[key] = bed_->nic().register_memory(region);
  }

  std::uint32_t key(std::uint32_t captured) const {
    const auto found = keys_.find(captured);
    return found == keys_.end() ? 1 : found->second;  // 1 names no region
  }

  const Story& story_;
  const std::vector<Event>& requests_;
  bool known_;
  nic::TransportParams transport_;
  Verdict verdict_;
  std::optional<Bed> bed_;
  std::size_t next_ = 0;
  std::uint32_t expected_ = 0;
  bool gap_ = false;
  std::optional<std::uint32_t> offset_;
  std::map<std::uint32_t, std::uint32_t> keys_;
  std::deque<Wqe> wqes_;
  Address placed_ = 0;
};

}  // namespace

Verdict replay_responder(const View& view, const nic::TransportParams& transport) {
  return Responder(view, transport).replay();
}

}  // namespace gicsim::captures
