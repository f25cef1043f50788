// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/survey.h"

#include <algorithm>

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
    for (const auto& flow : flows_) flow->end();
    return false;
  }
  take(frame);
  return true;
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
  const FlowKey key{datagram.from, datagram.to, header.qp, header.deth ? header.deth->source : 0};
  Flow*& flow = by_request_[key];
  if (!flow) {
    if (flows_.size() == most_flows) {
      by_request_.erase(key);
      --used;
      return pass(frame, "more than 65,536 flows: not followed");
    }
    flow = &add(key, header, 1);
  }
  if (!flow->request(header, datagram, frame.ns)) {  // the number is used again
    flow->end();
    std::erase_if(by_answer_, [&](const auto& entry) { return entry.second == flow; });
    flow = &add(key, header, flow->life + 1);
    flow->request(header, datagram, frame.ns);
  }
  flow->octets += frame.length;
  on_packet({frame, datagram, header, *flow, false});
}

/// The flow that an answer is about: one whose packets have that PSN; of several, one from the same source port, then
/// one whose answers nobody has seen so far.
Flow* Survey::asked_by(const Datagram& datagram, const Header& header) {
  Flow* best = nullptr;
  int merit = -1;
  for (auto i = by_request_.lower_bound({datagram.to, datagram.from, 0, 0}); i != by_request_.end(); ++i) {
    Flow* flow = i->second;
    if (flow->key.from != datagram.to || flow->key.to != datagram.from) break;
    if (flow->service != header.service || !flow->asked(header.psn)) continue;
    const int m = 2 * (flow->source_port == datagram.source_port) + !flow->answers_to;
    if (flow->answers_to && *flow->answers_to != header.qp) continue;
    if (m > merit) best = flow, merit = m;
  }
  return best;
}

void Survey::answer(const Frame& frame, const Datagram& datagram, const Header& header) {
  const AnswerKey key{datagram.from, datagram.to, header.qp};
  Flow*& flow = by_answer_[key];
  if (!flow || !flow->asked(header.psn)) {
    Flow* const found = asked_by(datagram, header);
    if (found) {
      flow = found;
      flow->answers_to = header.qp;
    } else if (!flow) {  // its requests weren't captured
      flow = &add({datagram.to, datagram.from, 0, 0}, header, 1);
      flow->answers_to = header.qp;
    }
  }
  flow->answer(header, frame.ns);
  flow->octets += frame.length;
  on_packet({frame, datagram, header, *flow, true});
}

/// A CNP goes to the queue pair that is to slow down, as answers do.
void Survey::notify(const Frame& frame, const Datagram& datagram, const Header& header) {
  const auto known = by_answer_.find({datagram.from, datagram.to, header.qp});
  if (known == by_answer_.end()) {
    --used;
    return pass(frame, "a CNP to a queue pair of which nothing else is known");
  }
  ++known->second->cnps;
  ++known->second->opcodes[header.opcode];
  (void)frame;
}

}  // namespace gicsim::roce
