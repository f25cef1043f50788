// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/survey.h"

#include <algorithm>
#include <tuple>

#include "models/base/errors.h"
#include "traces/roce/icrc.h"

namespace gicsim::roce {
namespace {

constexpr std::size_t most_flows = 65'536;

}  // namespace

void Survey::read(Capture& capture) {
  while (read_one(capture)) continue;
}

bool Survey::read_one(Capture& capture) {
  Frame frame;
  if (!capture.next(frame)) {
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i].name = capture.places()[i];
    for (const auto& flow : flows_) flow->end();
    settle();
    return false;
  }
  if (places_.size() <= frame.place) places_.resize(frame.place + 1);
  ++places_[frame.place].frames;
  take(frame);
  return true;
}

/// Of each flow keeps the one that its requester saw.
void Survey::settle() {
  using Same = std::tuple<IpAddress, IpAddress, std::uint32_t, std::uint32_t, int, std::uint32_t>;
  std::map<Same, Flow*> best;
  const auto same = [](const Flow& f) {
    return Same{f.key.from, f.key.to, f.key.qp, f.key.source, f.life, f.first_psn ? 0 : f.answers_to.value_or(0)};
  };
  const auto nearer = [](const Flow& a, const Flow& b) {
    return (a.left > 0) != (b.left > 0) ? a.left > 0 : a.first_ns < b.first_ns;
  };
  for (const auto& flow : flows_) {
    Flow*& one = best[same(*flow)];
    if (!one || nearer(*flow, *one)) one = flow.get();
  }
  const auto others = std::stable_partition(flows_.begin(), flows_.end(),
                                            [&](const auto& flow) { return best[same(*flow)] == flow.get(); });
  for (auto other = others; other != flows_.end(); ++other) {
    best[same(**other)]->elsewhere.push_back(other->get());
    elsewhere_.push_back(std::move(*other));
  }
  flows_.erase(others, flows_.end());
}

void Survey::pass(const Frame& frame, std::string_view why) {
  auto found = std::find_if(not_used_.begin(), not_used_.end(), [&](const NotUsed& one) { return one.why == why; });
  if (found == not_used_.end()) found = not_used_.insert(found, {std::string(why), 0, frame.number});
  ++found->frames;
}

void Survey::take(const Frame& frame) {
  if (frames++ == 0) first_ns = last_ns = frame.ns;
  first_ns = std::min(first_ns, frame.ns);
  last_ns = std::max(last_ns, frame.ns);
  octets += frame.length;
  cut_short += frame.octets.size() < frame.length;
  const auto datagram = dissect(frame);
  if (const auto* unused = std::get_if<Unused>(&datagram)) return pass(frame, unused->why);
  const auto& of = std::get<Datagram>(datagram);
  const auto right = roce::icrc_right(of);
  ++(!right ? icrc_unknown : *right ? icrc_right : icrc_wrong);
  if (right == false && first_wrong == 0) first_wrong = frame.number;
  const auto header = decode(of);
  if (const auto* unused = std::get_if<Unused>(&header)) return pass(frame, unused->why);
  const auto& h = std::get<Header>(header);
  if (right == false) return pass(frame, "a wrong ICRC: no NIC would take it");
  ++used;
  if (h.service == Service::cnp) return notify(frame, of, h);
  return is_answer(h.operation) ? answer(frame, of, h) : request(frame, of, h);
}

Flow& Survey::add(const FlowKey& key, const Header& header, int life) {
  Flow& flow = *flows_.emplace_back(std::make_unique<Flow>(key, header.service));
  flow.life = life;
  return flow;
}

void Survey::request(const Frame& frame, const Datagram& datagram, const Header& header) {
  const FlowKey key{datagram.from, datagram.to, header.qp, header.deth ? header.deth->source : 0, frame.place};
  Flow*& flow = by_request_[key];
  if (!flow) {
    if (flows_.size() == most_flows) {
      by_request_.erase(key);
      --used;
      return pass(frame, "more than 65,536 flows: not followed");
    }
    flow = &add(key, header, 1);
  }
  std::uint64_t copies = flow->copies;
  if (!flow->request(header, datagram, frame.ns)) {  // the number is used again
    flow->end();
    std::erase_if(by_answer_, [&](const auto& entry) { return entry.second == flow; });
    flow = &add(key, header, flow->life + 1);
    flow->request(header, datagram, frame.ns);
    copies = 0;
  }
  flow->octets += frame.length;
  flow->left += frame.direction == Direction::out;
  on_packet({frame, datagram, header, *flow, false, flow->copies > copies});
}

/// The flow that an answer is about: one whose packets have that PSN; of several, one that was seen at the same place (the
/// ports of a bond may differ), then one from the same source port, then one whose answers nobody has seen so far.
Flow* Survey::asked_by(const Datagram& datagram, const Header& header, std::uint32_t place) {
  Flow* best = nullptr;
  int merit = -1;
  for (auto i = by_request_.lower_bound({datagram.to, datagram.from, 0, 0}); i != by_request_.end(); ++i) {
    Flow* flow = i->second;
    if (flow->key.from != datagram.to || flow->key.to != datagram.from) break;
    if (flow->service != header.service || !flow->asked(header.psn)) continue;
    const int m = 4 * (flow->key.place == place) + 2 * (flow->source_port == datagram.source_port) + !flow->answers_to;
    if (flow->answers_to && *flow->answers_to != header.qp) continue;
    if (m > merit) best = flow, merit = m;
  }
  return best;
}

void Survey::answer(const Frame& frame, const Datagram& datagram, const Header& header) {
  const AnswerKey key{datagram.from, datagram.to, header.qp, frame.place};
  Flow*& flow = by_answer_[key];
  if (!flow || !flow->asked(header.psn)) {
    Flow* const found = asked_by(datagram, header, frame.place);
    if (found) {
      flow = found;
      flow->answers_to = header.qp;
    } else if (!flow) {  // its requests weren't captured
      flow = &add({datagram.to, datagram.from, 0, 0, frame.place}, header, 1);
      flow->answers_to = header.qp;
    }
  }
  const std::uint64_t copies = flow->copies;
  flow->answer(header, datagram, frame.ns);
  flow->octets += frame.length;
  flow->answers_left += frame.direction == Direction::out;
  on_packet({frame, datagram, header, *flow, true, flow->copies > copies});
}

/// A CNP goes to the queue pair that is to slow down, as answers do.
void Survey::notify(const Frame& frame, const Datagram& datagram, const Header& header) {
  const auto known = by_answer_.find({datagram.from, datagram.to, header.qp, frame.place});
  if (known == by_answer_.end()) {
    --used;
    return pass(frame, "a CNP to a queue pair of which nothing else is known");
  }
  ++known->second->cnps;
  ++known->second->opcodes[header.opcode];
}

}  // namespace gicsim::roce
