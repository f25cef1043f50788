// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <set>

#include "validate/captures/detail/equal.h"
#include "validate/captures/replay.h"

namespace gicsim::captures {
namespace {

/// Drives a requester. What is to be sent next decides what happens: the NIC goes on with what it has, is given a new
/// message, takes what has arrived meanwhile, one packet after the other, or, if nothing of that explains it, a timer
/// runs out. A stack may take what has arrived any time later, but in order.
class Requester {
 public:
  /// @param lost  answers that didn't arrive, by their place
  Requester(const View& view, const nic::TransportParams& transport, const std::set<std::size_t>& lost)
      : story_(view.story), answers_(view.known ? view.delivered : view.story.answers), known_(view.known), lost_(lost),
        transport_(transport) {
    verdict_.flow = story_.name;
    verdict_.role = Role::requester;
  }

  /// Answers that would have made something needless that was sent again: taken later, or lost. Nobody can say at once.
  const std::vector<std::size_t>& suspects() const { return suspects_; }

  Verdict replay() {
    if (!std::has_single_bit(story_.mtu) || story_.mtu < 256 || story_.mtu > 4096) {
      verdict_.not_replayed = fmt::format("packets within messages of {} B: no MTU", story_.mtu);
      return verdict_;
    }
    const auto& requests = story_.requests;
    std::size_t i = 0;
    while (i < requests.size() && !roce::begins(requests[i].header.operation)) ++i;
    verdict_.skipped = i;
    if (i == requests.size()) {
      verdict_.not_replayed = requests.empty() ? "its requests weren't captured" : "no message begins in it";
      return verdict_;
    }
    next_psn_ = requests[i].header.psn;
    bed_.emplace(Bed::Settings{.mtu = story_.mtu, .first_psn = next_psn_, .holds_payload = true,
                                .datagrams = story_.service == roce::Service::ud, .transport = transport_});
    while (next_answer_ < answers_.size() && arrived_before(requests[i])) ++next_answer_;
    for (; i < requests.size() && !verdict_.difference; ++i) explain(i);
    while (!verdict_.difference && next_answer_ < answers_.size()) take_answer();
    if (verdict_.difference && story_.answers.empty() && story_.resent + story_.missing > 0) {
      verdict_.difference.reset();
      verdict_.not_replayed = "its answers weren't captured, so nobody can say why it sent again";
      return verdict_;
    }
    verdict_.missing = story_.missing;
    verdict_.beyond = bed_->sent.size();
    for (const nic::Failure& failure : bed_->nic().failures()) verdict_.failed = name_of(failure.status);
    return verdict_;
  }

 private:
  bool arrived_before(const Event& request) const { return answers_[next_answer_].frame < request.frame; }

  /// The next answer says that what is sent has arrived: so it was taken later, or it would not have been sent.
  bool makes_needless(const Event& request) const {
    return roce::psn_beyond(request.header.psn, newest(answers_[next_answer_].header)) >= 0;
  }

  /// Up to which PSN an answer says that all has arrived: a NAK up to that ahead of it, none beyond a response that is missing.
  std::uint32_t newest(const roce::Header& h) const {
    const bool nak = h.operation == roce::Operation::acknowledge && roce::answer_of(h.aeth->syndrome) != roce::Answer::ack;
    const std::uint32_t psn = nak ? roce::psn_after(h.psn, -1) : h.psn;
    if (due_.empty()) return psn;
    const bool next = due_.front().next == psn && (is_response(h.operation) || h.old_value ||
                                                   (transport_.ack_ends_fetch && due_.front().last == psn && !nak));
    if (next || roce::psn_beyond(due_.front().next, psn) < 0) return psn;
    return roce::psn_after(due_.front().next, -1);
  }

  /// What is sent again was needless had the next answer arrived; but a later one that tells of all before it must have, and
  /// answers don't overtake each other.
  bool answer_lost(const Event& request) const {
    const std::uint32_t last = roce::psn_after(request.header.psn, -1);
    if (roce::psn_beyond(next_psn_, request.header.psn) >= 0 || acknowledged_ == last) return false;
    for (std::size_t k = next_answer_; k < answers_.size() && answers_[k].frame < request.frame; ++k)
      if (answers_[k].header.psn == last) return true;
    return false;
  }

  bool suspect(const Event& request) {
    if (next_answer_ < answers_.size() && arrived_before(request)) suspects_.push_back(next_answer_);
    return true;
  }

  void explain(std::size_t i) {
    const Event& event = story_.requests[i];
    for (bool expired = false; true;) {
      while (lost_.contains(next_answer_)) ++next_answer_, ++verdict_.lost;
      drop_unwanted();
      if (!bed_->sent.empty()) return compare(event);
      if (const auto psn = held(); psn == event.header.psn) bed_->release();
      else if (!psn && event.header.psn == next_psn_ && roce::begins(event.header.operation)) post(i);
      else if (next_answer_ < answers_.size() && arrived_before(event) && !makes_needless(event)) take_answer();
      else if (!known_ && answer_lost(event)) ++next_answer_, ++verdict_.lost;
      else if (!std::exchange(expired, true) && suspect(event) && bed_->expire()) ++verdict_.expired;
      else return differ(event, psn ? fmt::format("would send PSN 0x{:06x}", *psn) : "has nothing to send");
    }
  }

  void compare(const Event& event) {
    const Sent sent = bed_->sent.front();
    bed_->sent.pop_front();
    std::string other = detail::difference(sent, event, 0);
    if (!other.empty()) return differ(event, std::move(other));
    ++verdict_.compared;
    verdict_.invalidated += event.header.invalidated.has_value();
  }

  void differ(const Event& event, std::string model) {
    verdict_.difference = Difference{event.frame, detail::told(event), std::move(model)};
  }

  /// Payload that the NIC had asked for before it went back.
  void drop_unwanted() {
    while (Transfer* read = bed_->memory().held()) {
      if (static_cast<const nic::Stream*>(read->cookie)->void_reads == 0) return;
      bed_->release();
    }
  }

  /// Each message's payload lies at an address of its own.
  std::optional<std::uint32_t> held() {
    Transfer* const read = bed_->memory().held();
    if (!read) return std::nullopt;
    const std::uint64_t message = read->address >> 32;
    const auto offset = static_cast<std::uint32_t>(read->address);
    return roce::psn_after(firsts_[message - oldest_ - 1], offset / story_.mtu);
  }

  /// What the whole message asks for: a SEND's length and whether there is an immediate show in its last packet alone.
  void post(std::size_t i) {
    const roce::Header& h = story_.requests[i].header;
    Wqe wqe;
    wqe.opcode = detail::opcode_of(h.operation);
    wqe.service = story_.service == roce::Service::ud ? Service::ud : Service::rc;
    wqe.length = Bytes(h.payload);
    std::int64_t packets = 1;
    if (!roce::ends(h.operation)) {
      packets = 2;
      std::uint64_t last = 1;
      for (std::size_t k = i + 1; k < story_.requests.size(); ++k) {
        const roce::Header& other = story_.requests[k].header;
        const std::int64_t behind = roce::psn_beyond(h.psn, other.psn);
        if (behind > 0 && roce::begins(other.operation)) break;
        if (behind <= 0) continue;
        packets = std::max(packets, behind + 1);
        if (!roce::ends(other.operation)) continue;
        wqe.opcode = detail::opcode_of(other.operation);
        last = other.payload;
        packets = behind + 1;
        break;
      }
      wqe.length = Bytes(story_.mtu) * (packets - 1) + Bytes(last);
    }
    if (h.reth) {
      wqe.remote = h.reth->address;
      wqe.length = Bytes(h.reth->length);
      wqe.rkey = h.reth->key;
      if (h.operation == roce::Operation::read_request)
        packets = std::max<std::int64_t>(1, pieces(wqe.length, Bytes(story_.mtu)));
    }
    if (h.atomic) {
      wqe.remote = h.atomic->address;
      wqe.length = 8_B;
      wqe.value = h.atomic->swap;
      wqe.compare = h.atomic->compare;
    }
    firsts_.push_back(h.psn);
    if (firsts_.size() > most_messages) firsts_.pop_front(), ++oldest_;
    wqe.local = (oldest_ + firsts_.size()) << 32;
    next_psn_ = roce::psn_after(h.psn, packets);
    if (wqe.opcode == Opcode::rdma_read || h.atomic) due_.push_back({h.psn, roce::psn_after(next_psn_, -1)});
    bed_->post(wqe);
  }

  void take_answer() {
    const roce::Header& h = answers_[next_answer_++].header;
    ++verdict_.arrivals;
    const std::uint32_t up_to = newest(h);
    if (!acknowledged_ || roce::psn_beyond(*acknowledged_, up_to) > 0) acknowledged_ = up_to;
    if (!due_.empty() && up_to == due_.front().next) {
      if (up_to == due_.front().last) due_.pop_front();
      else due_.front().next = roce::psn_after(up_to, 1);
    }
    Packet packet;
    packet.psn = h.psn;
    packet.first = roce::begins(h.operation);
    packet.last = roce::ends(h.operation);
    packet.payload = Bytes(h.payload);
    packet.kind = PacketKind::read_response;
    if (h.operation == roce::Operation::atomic_acknowledge) {
      packet.kind = PacketKind::atomic_response;
      packet.value = *h.old_value;
    } else if (h.operation == roce::Operation::acknowledge) {
      const std::uint8_t syndrome = h.aeth->syndrome;
      packet.kind = roce::answer_of(syndrome) == roce::Answer::ack ? PacketKind::ack : PacketKind::nak;
      packet.msn = h.aeth->msn;
      if (packet.kind == PacketKind::nak) packet.syndrome = static_cast<Syndrome>(syndrome);
      if (roce::answer_of(syndrome) == roce::Answer::rnr_nak) {
        packet.syndrome = Syndrome::rnr_nak;
        packet.rnr_timer = syndrome & 31;
      }
    }
    bed_->arrive(packet);
  }

  static constexpr std::size_t most_messages = 65'536;
  const Story& story_;
  const std::vector<Event>& answers_;
  bool known_;
  const std::set<std::size_t>& lost_;
  std::vector<std::size_t> suspects_;
  nic::TransportParams transport_;
  Verdict verdict_;
  std::optional<Bed> bed_;
  std::size_t next_answer_ = 0;
  std::uint32_t next_psn_ = 0;
  std::optional<std::uint32_t> acknowledged_;
  struct Fetch {
    std::uint32_t next, last;
  };
  std::deque<Fetch> due_;  ///< responses to READs and atomics that are still to come
  std::uint64_t oldest_ = 0;
  std::deque<std::uint32_t> firsts_;
};

}  // namespace

/// Where nobody knows which answers arrived, and the model does something else than the capture if all did: those are taken for
/// lost, the latest first, with which it goes on as captured.
Verdict replay_requester(const View& view, const nic::TransportParams& transport) {
  constexpr int most_tries = 256;
  constexpr std::size_t most_suspects = 8;
  std::set<std::size_t> lost;
  Requester all(view, transport, lost);
  Verdict best = all.replay();
  std::vector<std::size_t> suspects = all.suspects();
  for (int tries = 0; best.difference && !view.known && tries < most_tries; ++tries) {
    bool further = false;
    for (std::size_t i = suspects.size(); i-- > 0 && suspects.size() - i <= most_suspects && !further;) {
      std::set<std::size_t> more = lost;
      if (!more.insert(suspects[i]).second) continue;
      Requester other(view, transport, more);
      const Verdict verdict = other.replay();
      ++tries;
      further = verdict.good() || verdict.compared > best.compared;
      if (!further) continue;
      best = verdict;
      lost = std::move(more);
      suspects = other.suspects();
    }
    if (!further) break;
  }
  return best;
}

}  // namespace gicsim::captures
