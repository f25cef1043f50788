// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/hops.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace gicsim::exports {
namespace {

constexpr Count least_row = 64;  ///< bytes of a hop in the file, at least

hops::Hop hop_of(const TlpSent& sent) {
  const Tlp& tlp = sent.tlp;
  hops::Hop hop{.kind = "tlp",
                .link = std::string(sent.link),
                .type = std::string(name_of(tlp.kind)),
                .stage = {},
                .bytes = tlp.length,
                .begin = sent.begin,
                .end = sent.end,
                .address = static_cast<std::int64_t>(tlp.address),
                .requester = tlp.requester};
  if (tlp.transfer) hop.stage = name_of(tlp.transfer->stage);
  if (flow_of(tlp.kind) != Flow::posted) hop.tag = tlp.tag;
  return hop;
}

hops::Hop hop_of(const PacketSent& sent) {
  const Packet& packet = sent.packet;
  return {.kind = "packet",
          .link = std::string(sent.wire),
          .type = std::string(name_of(packet.kind)),
          .stage = {},
          .bytes = packet.payload,
          .begin = sent.begin,
          .end = sent.end,
          .psn = packet.psn,
          .queue_pair = packet.qpn,
          .lost = sent.lost};
}

}  // namespace

void Hops::listen(const Probes& probes) {
  store_ = std::make_unique<hops::Store>(limit_);
  machine_ = probes.machine;
  under_way_.clear();
  held_ = written_ = left_out_ = 0;
  probes.messages.listen([this](const MessageEnded& ended) { on_message(ended); });
  probes.tlps.listen([this](const TlpSent& sent) {
    on_hop(sent.tlp.transfer ? static_cast<Ledger*>(sent.tlp.transfer->ledger) : nullptr, hop_of(sent));
  });
  probes.packets.listen([this](const PacketSent& sent) { on_hop(sent.packet.ledger, hop_of(sent)); });
}

void Hops::count(bool taken, Count rows) { (taken ? written_ : left_out_) += rows; }

void Hops::on_hop(const Ledger* ledger, hops::Hop hop) {
  if (left_out_ > 0 || held_ * least_row > limit_.count()) return count(false, 1);
  if (!ledger) return count(store_->add(hop), 1);
  under_way_[ledger].push_back(std::move(hop));
  ++held_;
}

void Hops::on_message(const MessageEnded& ended) {
  std::vector<hops::Hop> mine;
  for (const Ledger* ledger : {&ended.message.completion, &ended.message.delivery}) {
    const auto found = under_way_.find(ledger);
    if (found == under_way_.end()) continue;
    for (hops::Hop& hop : found->second) {
      if (hop.begin >= ended.message.begun) mine.push_back(std::move(hop));
      else count(left_out_ == 0 && store_->add(hop), 1);  // came late for the message that had this ledger before
    }
    held_ -= static_cast<Count>(found->second.size());
    under_way_.erase(found);
  }
  std::stable_sort(mine.begin(), mine.end(), [](const hops::Hop& a, const hops::Hop& b) { return a.begin < b.begin; });
  const auto rows = 1 + static_cast<Count>(mine.size());
  if (left_out_ > 0) return count(false, rows);
  count(store_->add({.number = static_cast<std::int64_t>(ended.message.number),
                     .verb = std::string(ended.verb),
                     .poster = std::string(ended.poster),
                     .peer = std::string(ended.peer),
                     .queue_pair = ended.queue_pair,
                     .bytes = ended.bytes,
                     .measured = ended.measured,
                     .begun = ended.message.begun,
                     .completion = ended.completion,
                     .delivery = ended.delivery},
                    mine),
        rows);
}

void Hops::finish(const Outcome& outcome) {
  std::vector<hops::Hop> rest;  // of messages that didn't end
  for (auto& [ledger, hops] : under_way_)
    rest.insert(rest.end(), std::make_move_iterator(hops.begin()), std::make_move_iterator(hops.end()));
  std::sort(rest.begin(), rest.end(), [](const hops::Hop& a, const hops::Hop& b) {
    return std::tie(a.begin, a.end, a.link, a.type, a.bytes, a.address, a.tag, a.psn) <
           std::tie(b.begin, b.end, b.link, b.type, b.bytes, b.address, b.tag, b.psn);
  });
  for (const hops::Hop& hop : rest) count(left_out_ == 0 && store_->add(hop), 1);
  under_way_.clear();
  store_->tell("schema", "gicsim.hops/1");
  store_->tell("scenario", machine_.scenario);
  store_->tell("system", machine_.system);
  store_->tell("status", outcome.status);
  store_->tell("elapsed_ps", std::to_string(outcome.elapsed.count()));
  store_->tell("left_out", std::to_string(left_out_));
  file_ = store_->file();
  store_.reset();
}

std::vector<LeftOut> Hops::left_out() const {
  if (left_out_ == 0) return {};
  return {{"hops.sqlite", "messages, TLPs and packets", left_out_, left_out_ + written_}};
}

}  // namespace gicsim::exports
