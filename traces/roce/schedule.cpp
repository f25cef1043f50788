// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/schedule.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "traces/roce/opened.h"
#include "traces/roce/survey.h"

namespace gicsim::roce {
namespace {

using schedule::Action;
using schedule::Need;
using schedule::Step;

Picoseconds since(std::int64_t first_ns, std::int64_t ns) { return Picoseconds{(ns - first_ns) * 1000}; }

Action action_of(Operation o) {
  if (o == Operation::read_request) return Action::get;
  if (o == Operation::fetch_add) return Action::fetch_add;
  return o == Operation::compare_swap ? Action::compare_swap : Action::send;
}

}  // namespace

/// One pass over the file, as far as somebody asked.
class CaptureSchedule::Reader final : public Survey {
 public:
  explicit Reader(const CaptureSchedule& of)
      : of_(of), in_(opened(of.file_)), capture_(in_, of.file_), ranks_(of.addresses_.size()) {}

  bool ready(std::size_t rank) {
    while (!is_ready(ranks_[rank]) && !whole_ && held_ < most_held) read_on();
    return whole_ || is_ready(ranks_[rank]);
  }
  bool next(std::size_t rank, Step& step) {
    while (!is_ready(ranks_[rank]) && !whole_) read_on();
    if (ranks_[rank].steps.empty()) return false;
    step = std::move(ranks_[rank].steps.front().step);
    ranks_[rank].steps.pop_front();
    --held_;
    return true;
  }
  double progress() const { return whole_ ? 1 : in_.progress(); }
  std::uint64_t cut() const { return cut_; }
  const std::string& format() const { return capture_.format(); }
  std::uint64_t sends = 0, writes = 0;

 private:
  /// What was seen last between two ranks, at the one's side.
  struct Event {
    std::int64_t ns;
    Need need;
  };
  struct Held {
    Step step;
    bool whole = false;  ///< nothing about it is to come
  };
  struct Rank {
    std::deque<Held> steps{};
    std::uint64_t next = 0;               ///< number of a new step
    std::map<std::size_t, Event> seen{};  ///< by peer
    Held* find(std::uint64_t number) {
      const std::uint64_t first = next - steps.size();
      return number < first ? nullptr : &steps[number - first];
    }
  };
  /// A message of a flow whose answer hasn't come.
  struct Open {
    std::uint64_t number;
    std::uint32_t last_psn;
    bool ended;  ///< its last packet was sent
  };
  struct Track {
    std::size_t from, to;
    std::uint32_t lane;
    std::optional<std::uint32_t> next;  ///< PSN
    std::deque<Open> open{};
    bool within = false;
  };
  /// A message that nobody answers, or whose answer isn't in the capture, holds its rank up no longer.
  static constexpr std::size_t most_waiting = 8'192, most_open = 4'096;
  static constexpr std::size_t most_held = 65'536;  ///< steps of all ranks

  void read_on() {
    if (!read_one(capture_)) finish();
  }
  bool is_ready(const Rank& rank) const {
    return !rank.steps.empty() && (rank.steps.front().whole || whole_ || rank.steps.size() > most_waiting);
  }
  std::size_t rank_of(const IpAddress& address) const {
    const std::vector<IpAddress>& all = of_.addresses_;
    return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), address) - all.begin());
  }
  Track& track_of(const Flow& flow) {
    const auto [found, is_new] = tracks_.try_emplace(&flow);
    if (is_new)
      found->second = {
          rank_of(flow.key.from), rank_of(flow.key.to), static_cast<std::uint32_t>(tracks_.size() - 1), {}, {}, false};
    return found->second;
  }
  Step& add(std::size_t rank, std::size_t peer, const Track& track, Action action, std::uint64_t frame) {
    Rank& at = ranks_[rank];
    Step& step = at.steps.emplace_back().step;
    ++held_;
    step.number = at.next++;
    step.action = action;
    step.peer = static_cast<std::uint32_t>(peer);
    step.tag = step.lane = track.lane;
    step.place = frame;
    return step;
  }

  void on_packet(const Seen& seen) override {
    if (of_.chosen_.count({seen.flow.key, seen.flow.life}) == 0) return;
    Track& track = track_of(seen.flow);
    if (seen.copy) return;
    if (seen.answer) return answered(track, seen);
    const bool fresh = !track.next || psn_beyond(*track.next, seen.header.psn) >= 0;
    if (!fresh && seen.flow.service != Service::ud) return;
    track.next = seen.flow.next_psn;
    const Operation o = seen.header.operation;
    if (begins(o))
      begin(track, seen);
    else if (!track.within)
      ++cut_;
    track.within = begins(o) || track.within;
    if (!track.within || track.open.empty()) return;
    Open& message = track.open.back();
    message.last_psn = psn_after(*track.next, -1);
    if (Held* held = ranks_[track.from].find(message.number); held && is_send(o))
      held->step.bytes += Bytes(seen.header.payload);
    if (!ends(o)) return;
    track.within = false;
    message.ended = true;
    if (is_send(o) || is_write(o)) arrived(track, seen);
    if (seen.flow.service == Service::rc || seen.flow.service == Service::xrc) return;
    if (Held* held = ranks_[track.from].find(message.number)) held->whole = true;  // nobody answers
    track.open.pop_back();
  }

  void begin(Track& track, const Seen& seen) {
    if (track.within && !track.open.empty()) ++cut_;
    const Header& h = seen.header;
    Rank& rank = ranks_[track.from];
    Step& step = add(track.from, track.to, track, action_of(h.operation), seen.frame.number);
    sends += is_send(h.operation), writes += is_write(h.operation);
    step.bytes = h.reth ? Bytes(h.reth->length) : h.atomic ? 8_B : Bytes{};
    step.began = since(first_ns, seen.frame.ns);
    const auto before = rank.seen.find(track.to);
    if (before == rank.seen.end()) {
      step.gap = *step.began;
    } else {
      step.needs.push_back(before->second.need);
      step.gap = since(before->second.ns, std::max(seen.frame.ns, before->second.ns));
    }
    rank.seen.insert_or_assign(track.to, Event{seen.frame.ns, {step.number, Need::Until::started}});
    track.open.push_back({step.number, h.psn, false});
    if (track.open.size() <= most_open) return;
    if (Held* held = rank.find(track.open.front().number)) held->whole = true;
    track.open.pop_front();
  }

  /// Its last packet has passed: whoever waits for it can go on.
  void arrived(Track& track, const Seen& seen) {
    Step& step = add(track.to, track.from, track, Action::recv, seen.frame.number);
    step.ended = since(first_ns, seen.frame.ns);
    ranks_[track.to].steps.back().whole = true;
    ranks_[track.to].seen.insert_or_assign(track.from, Event{seen.frame.ns, {step.number, Need::Until::ended}});
  }

  /// An answer is one to all before it, too; a NAK isn't one to what it is about.
  void answered(Track& track, const Seen& seen) {
    const Header& h = seen.header;
    if (h.operation == Operation::response_first || h.operation == Operation::response_middle) return;
    const bool refused = h.aeth && answer_of(h.aeth->syndrome) != Answer::ack;
    Rank& rank = ranks_[track.from];
    while (!track.open.empty() && track.open.front().ended) {
      const std::int64_t beyond = psn_beyond(track.open.front().last_psn, h.psn);
      if (beyond < 0 || (refused && beyond == 0)) return;
      const std::uint64_t number = track.open.front().number;
      if (Held* held = rank.find(number)) held->step.ended = since(first_ns, seen.frame.ns), held->whole = true;
      rank.seen.insert_or_assign(track.to, Event{seen.frame.ns, {number, Need::Until::ended}});
      track.open.pop_front();
    }
  }

  void finish() {
    whole_ = true;
    for (const auto& [flow, track] : tracks_) cut_ += track.within;
  }

  const CaptureSchedule& of_;
  stream::Unpacked in_;
  Capture capture_;
  std::vector<Rank> ranks_;
  std::map<const Flow*, Track> tracks_;
  std::size_t held_ = 0;
  std::uint64_t cut_ = 0;
  bool whole_ = false;
};

CaptureSchedule::~CaptureSchedule() = default;

CaptureSchedule::CaptureSchedule(std::string file) : file_(std::move(file)) {
  stream::Unpacked in = opened(file_);
  Capture capture(in, file_);
  Survey survey;
  survey.read(capture);
  format_ = "RoCEv2 capture (" + capture.format() + ")";
  for (const auto& flow : survey.flows()) {
    chosen_.emplace(flow->key, flow->life);
    for (const IpAddress& address : {flow->key.from, flow->key.to}) addresses_.push_back(address);
  }
  std::sort(addresses_.begin(), addresses_.end());
  addresses_.erase(std::unique(addresses_.begin(), addresses_.end()), addresses_.end());
  for (const NotUsed& one : survey.not_used()) unused_.push_back({one.why, one.frames, one.first});
  for (const auto& flow : survey.flows())
    for (std::size_t opcode = 0; opcode < flow->opcodes.size(); ++opcode) {
      const auto o = static_cast<Operation>(opcode & 0x1f);
      if (!begins(o)) continue;
      sends_ += is_send(o) ? flow->opcodes[opcode] : 0;
      writes_ += is_write(o) ? flow->opcodes[opcode] : 0;
    }
  rewind();
}

void CaptureSchedule::rewind() { reader_ = std::make_unique<Reader>(*this); }
std::string CaptureSchedule::format() const { return format_; }
bool CaptureSchedule::next(std::size_t rank, Step& step) { return reader_->next(rank, step); }
bool CaptureSchedule::ready(std::size_t rank) { return reader_->ready(rank); }

std::vector<std::string> CaptureSchedule::hosts() const {
  std::vector<std::string> all;
  for (const IpAddress& address : addresses_) all.push_back(to_text(address));
  return all;
}

std::vector<schedule::Unused> CaptureSchedule::unused() const {
  std::vector<schedule::Unused> all = unused_;
  if (reader_->cut() > 0)
    all.push_back({"messages of which the capture lacks the begin or the end", reader_->cut(), 0});
  return all;
}

std::vector<std::string> CaptureSchedule::notes() const {
  std::vector<std::string> all{
      "what a message waited for isn't in a capture: taken is what was seen last between the two "
      "hosts, at its poster's side"};
  if (sends_ > 0 && writes_ > 0)
    all.push_back(std::to_string(sends_) + " SENDs and " + std::to_string(writes_) + " WRITEs, all played as " +
                  (sends() ? "SENDs" : "WRITEs"));
  return all;
}

double CaptureSchedule::progress() const { return reader_->progress(); }

Location CaptureSchedule::location(std::size_t, const Step& step) const {
  return {file_ + " (frame " + std::to_string(step.place) + ")", 0, 0};
}

}  // namespace gicsim::roce
