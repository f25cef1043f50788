// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/packets.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/units/text.h"

namespace gicsim::exports {
namespace {

using pcapng::Direction;
using pcapng::Resolution;

constexpr std::int64_t cut_comment = 128;  ///< octets that the section's takes at most, beyond `comment_`
constexpr std::int64_t statistics_block = 52;

/// Whose packet it is, which the wire doesn't say.
std::string comment_of(const Packet& packet, const AskedFor::Found& found, bool lost) {
  std::string text;
  if (is_request(packet.kind)) {
    text = found.asked ? fmt::format("qp{} WQE {}", packet.source_qpn, found.asked->index)
                       : fmt::format("qp{}", packet.source_qpn);
    if (packet.kind == PacketKind::connect) text += ", DC connect";
    if (found.sent > 1) text += fmt::format(", sent {} times", found.sent);
  } else if (packet.kind == PacketKind::barrier) {
    text = packet.first ? "barrier: a member arrives" : "barrier: ends";
  } else if (!is_link_control(packet.kind)) {
    text = fmt::format("qp{}", packet.source_qpn);
    if (found.asked) text += fmt::format(" to qp{} WQE {}", found.asked->qpn, found.asked->index);
    if (packet.missing > 0) text += fmt::format(", {} missing from PSN {}", packet.missing, packet.gap);
  }
  return lost ? text + (text.empty() ? "lost" : ", lost") : text;
}

}  // namespace

void PcapWriter::listen(const Probes& probes) {
  *this = PcapWriter(Options{limit_});
  infiniband_ = probes.machine.infiniband;
  comment_ = fmt::format("{} on {}; time counts from the start of the simulation", probes.machine.scenario,
                         probes.machine.system);
  std::int64_t fixed = static_cast<std::int64_t>(pcapng::section(comment_).size()) + cut_comment;
  for (const PortAt& port : probes.machine.ports) {
    wires_[port.out].out = wires_[port.in].in = static_cast<int>(ports_.size());
    ports_.push_back({port});
    const std::string block = pcapng::interface(interface_of(port), Resolution::nanoseconds);
    fixed += static_cast<std::int64_t>(block.size()) + statistics_block;
  }
  room_ = limit_.count() - fixed;
  probes.packets.listen([this, &kernel = probes.kernel](const PacketSent& sent) { note(sent, kernel.now()); });
}

pcapng::Interface PcapWriter::interface_of(const PortAt& port) const {
  if (infiniband_)
    return {port.name, fmt::format("LID {}", lid_of(port.number)), pcapng::Link::erf, port.rate};
  return {port.name, "RoCEv2", pcapng::Link::ethernet, port.rate, mac_of(port.number), ipv4_of(port.number)};
}

/// It has come to the wire's end, or is known to be lost before it has left.
void PcapWriter::note(const PacketSent& sent, Picoseconds now) {
  const Packet& packet = sent.packet;
  if (sent.again || packet.kind == PacketKind::credit) return;
  const auto wire = wires_.find(sent.wire);
  if (wire == wires_.end()) return;
  const Wire& ends = wire->second;
  if (left_out_ > 0) {  // all that is still to be known is how many
    if (ends.out >= 0) add(ends.out, sent.begin, Direction::outbound, {}, {});
    if (ends.in >= 0 && !sent.lost) add(ends.in, now, Direction::inbound, {}, {});
    return;
  }
  const bool control = is_link_control(packet.kind) || packet.kind == PacketKind::barrier;
  const AskedFor::Found found = control                    ? AskedFor::Found{}
                                : is_request(packet.kind) ? asked_.request(packet, ends.out >= 0)
                                                          : asked_.answer(packet);
  const std::string frame = frame_of(packet, found, ends, ends.out < 0), comment = comment_of(packet, found, false);
  if (ends.out >= 0)
    add(ends.out, sent.begin, Direction::outbound, frame, sent.lost ? comment_of(packet, found, true) : comment);
  if (ends.in >= 0 && !sent.lost) add(ends.in, now, Direction::inbound, frame, comment);
}

std::string PcapWriter::frame_of(const Packet& packet, const AskedFor::Found& found, const Wire& wire,
                                 bool inbound) const {
  if (packet.kind == PacketKind::pause)
    return pfc_frame(packet, ports_[static_cast<std::size_t>(inbound ? wire.in : wire.out)].at.number, inbound);
  const std::string transport = transport_octets(packet, found.asked, found.payload, infiniband_);
  return infiniband_ ? infiniband_frame(packet, transport) : rocev2_frame(packet, transport);
}

void PcapWriter::add(int port, Picoseconds at, Direction direction, std::string frame, const std::string& comment) {
  const auto number = static_cast<std::uint32_t>(port);
  if (left_out_ == 0) {
    if (infiniband_) frame = erf_record(frame, at, number);
    const std::string block = pcapng::packet(number, frame, direction, comment);
    room_ -= static_cast<std::int64_t>(block.size());
    if (room_ >= 0) {
      records_.push_back({at, blocks_.size(), number});
      blocks_ += block;
      return;
    }
  }
  ++left_out_;
  ++ports_[number].dropped;
  full_from_ = std::min(full_from_, at);
}

/// Packets are announced late: some that began after one that is left out are here. The file ends where it has gaps.
void PcapWriter::cut() {
  while (!records_.empty() && records_.back().at >= full_from_) {
    ++left_out_;
    ++ports_[records_.back().port].dropped;
    records_.pop_back();
  }
}

void PcapWriter::finish(const Outcome&) {
  of_ = static_cast<Count>(records_.size()) + left_out_;
  std::stable_sort(records_.begin(), records_.end(), [](const Record& a, const Record& b) { return a.at < b.at; });
  cut();
  const Picoseconds last = records_.empty() ? Picoseconds{} : records_.back().at;
  const bool fine = last <= pcapng::longest_in_picoseconds;
  const Resolution resolution = fine ? Resolution::picoseconds : Resolution::nanoseconds;
  text_ = pcapng::section(left_out_ == 0 ? comment_
                                         : comment_ + fmt::format("; cut at {}: {} of {} packets are left out",
                                                                  text::write(limit_), left_out_, of_));
  for (const Port& port : ports_) text_ += pcapng::interface(interface_of(port.at), resolution);
  text_.reserve(text_.size() + blocks_.size() + ports_.size() * statistics_block);
  for (const Record& record : records_) {
    pcapng::stamp(blocks_.data() + record.begin, record.at, resolution);
    text_.append(blocks_, record.begin, pcapng::length(blocks_.data() + record.begin));
    ++ports_[record.port].received;
  }
  for (std::size_t i = 0; i < ports_.size(); ++i)
    text_ += pcapng::statistics(static_cast<std::uint32_t>(i), last, resolution,
                                static_cast<std::uint64_t>(ports_[i].received + ports_[i].dropped),
                                static_cast<std::uint64_t>(ports_[i].dropped));
  blocks_ = {};
}

std::vector<LeftOut> PcapWriter::left_out() const {
  if (left_out_ == 0) return {};
  return {LeftOut{name(), "packets", left_out_, of_}};
}

}  // namespace gicsim::exports
