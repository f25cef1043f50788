// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/info.h"

#include <fmt/format.h>

#include <algorithm>

#include "traces/roce/opened.h"

namespace gicsim::roce {
namespace {

std::string counted(std::uint64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

/// Three digits or more, in a unit of the right size.
std::string time(std::uint64_t ns) {
  if (ns < 10'000) return fmt::format("{} ns", ns);
  if (ns < 10'000'000) return fmt::format("{:.1f} us", static_cast<double>(ns) / 1e3);
  if (ns < 10'000'000'000) return fmt::format("{:.1f} ms", static_cast<double>(ns) / 1e6);
  return fmt::format("{:.2f} s", static_cast<double>(ns) / 1e9);
}

class Lines {
 public:
  explicit Lines(std::string& text) : text_(text) {}
  void add(std::string_view name, const std::string& what) {
    if (!what.empty()) text_ += fmt::format("  {:<12} {}\n", name, what);
  }

 private:
  std::string& text_;
};

class List {
 public:
  void add(std::string item) { text_ += (text_.empty() ? "" : ", ") + std::move(item); }
  void add(std::uint64_t n, std::string_view what) {
    if (n > 0) add(fmt::format("{} {}", n, what));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string naks(const Flow& flow) {
  List list;
  for (std::size_t i = 0; i < flow.naks.size(); ++i) {
    const std::string name = i < nak_names.size() ? std::string(nak_names[i]) : fmt::format("code {}", i);
    list.add(flow.naks[i], fmt::format("{} (0x{:02x})", name, 0x60 + i));
  }
  for (std::size_t i = 0; i < flow.rnr_naks.size(); ++i)
    list.add(flow.rnr_naks[i], fmt::format("receiver not ready (0x{:02x}: timer {})", 0x20 + i, i));
  return list.text();
}

std::string resends(const Flow& flow) {
  List list;
  if (flow.resent == 0) return {};
  if (flow.answers == 0)
    return counted(flow.resent, "request packet") + "; their answers weren't captured, so nobody can say why";
  list.add(flow.resent_after_nak, "after a NAK");
  list.add(flow.resent - flow.resent_after_nak, "after a time-out");
  return fmt::format("{}: {}; {} had arrived before and were answered again", counted(flow.resent, "request packet"),
                     list.text(), flow.duplicates);
}

std::string gaps(const Flow& flow) {
  List list;
  list.add(flow.late, "PSNs came after later ones: lost before the capture and sent again, or overtaken");
  list.add(flow.missing, "PSNs of requests never seen");
  list.add(flow.answers_missing, "PSNs of READ responses passed over");
  list.add(flow.copies, "frames seen twice (of one IP identification): captured twice, or doubled on their way");
  return list.text();
}

/// What another place saw of it: of what was sent, that is missing there.
std::string elsewhere(const Survey& survey, const Flow& flow) {
  if (survey.places().size() < 2) return {};
  List list;
  list.add(survey.places()[flow.key.place].name);
  for (const Flow* other : flow.elsewhere) {
    const auto missing = [](std::uint64_t sent, std::uint64_t arrived) { return sent > arrived ? sent - arrived : 0; };
    list.add(fmt::format("and at {}: {} of {}, {} of {} didn't get there", survey.places()[other->key.place].name,
                         missing(flow.packets, other->packets), counted(flow.packets, "request"),
                         missing(other->answers, flow.answers), counted(other->answers, "answer")));
  }
  return list.text();
}

void add_flow(std::string& text, const Survey& survey, const Flow& flow) {
  Lines lines(text);
  const std::string from = flow.answers_to ? fmt::format("{} QP {}", to_text(flow.key.from), *flow.answers_to)
                           : flow.key.source ? fmt::format("{} QP {}", to_text(flow.key.from), flow.key.source)
                                             : to_text(flow.key.from);
  text += fmt::format("\n{} -> {}{}, {}{}\n", from, to_text(flow.key.to),
                      flow.first_psn ? fmt::format(" QP {}", flow.key.qp) : " (only its answers were captured)",
                      name_of(flow.service), flow.life > 1 ? fmt::format(", use {} of that number", flow.life) : "");
  lines.add("seen at", elsewhere(survey, flow));
  if (flow.first_psn)
    lines.add("messages", fmt::format("{}{}, {} B; {} and {}{}", flow.messages,
                                      flow.cut > 0 ? fmt::format(" ({} not whole)", flow.cut) : "", flow.payload,
                                      counted(flow.packets, "request packet"), counted(flow.answers, "answer"),
                                      flow.mtu > 0 ? fmt::format(", MTU {}", flow.mtu) : ""));
  List opcodes;
  for (std::size_t i = 0; i < flow.opcodes.size(); ++i)
    opcodes.add(flow.opcodes[i], name_of_opcode(static_cast<std::uint8_t>(i)));
  lines.add("opcodes", opcodes.text());
  lines.add("resent", resends(flow));
  if (flow.responses_again > 0) lines.add("", counted(flow.responses_again, "response") + " to READs and atomics sent again");
  lines.add("NAKs", naks(flow));
  lines.add("gaps", gaps(flow));
  if (flow.congested + flow.cnps > 0)
    lines.add("congestion", fmt::format("{} marked, {}", counted(flow.congested, "request"), counted(flow.cnps, "CNP")));
  if (flow.first_psn)
    lines.add("PSN", fmt::format("from 0x{:06x}, next 0x{:06x}{}{}", *flow.first_psn, *flow.next_psn,
                                 flow.wraps > 0 ? fmt::format(", wraps {}", counted(flow.wraps, "time")) : "",
                                 flow.begins_within ? ", begins within a message" : ""));
  if (const Quantiles& t = flow.answered; t.n() > 0)
    lines.add("to answer", fmt::format("p50 {}, p99 {}, min {}, max {} ({})", time(t.at(0.5)), time(t.at(0.99)),
                                       time(t.least()), time(t.most()), counted(t.n(), "request")));
}

}  // namespace

Info read_info(const std::string& file, const std::string& delivered) {
  Info info;
  info.file = file;
  stream::Unpacked in = opened(file);
  Capture capture(in, file);
  info.survey.read(capture);
  info.format = capture.format();
  info.snaplen = capture.snaplen();
  if (delivered.empty()) return info;
  info.delivered_file = delivered;
  stream::Unpacked once_more = opened(file), behind = opened(delivered);
  Capture ahead(once_more, file), after(behind, delivered);
  info.lost = compare(ahead, after);
  return info;
}

std::string to_text(const Info& info) {
  const Survey& s = info.survey;
  std::string text = fmt::format("{}: {}; {}, {} B, {}; {} used\n", info.file, info.format, counted(s.frames, "frame"),
                                 s.octets, time(static_cast<std::uint64_t>(s.last_ns - s.first_ns)), s.used);
  Lines lines(text);
  if (s.places().size() > 1) {
    List places;
    for (const Survey::Place& place : s.places()) places.add(fmt::format("{} ({})", place.name, counted(place.frames, "frame")));
    lines.add("interfaces", places.text());
  }
  if (s.cut_short > 0)
    lines.add("cut short", fmt::format("{} (snaplen {})", counted(s.cut_short, "frame"), info.snaplen));
  lines.add("ICRC", fmt::format("{} right, {} wrong{}, {} can't be checked", s.icrc_right, s.icrc_wrong,
                                s.icrc_wrong > 0 ? fmt::format(" (first: frame {})", s.first_wrong) : "", s.icrc_unknown));
  for (const NotUsed& one : s.not_used())
    lines.add("not used", fmt::format("{}: {} (first: frame {})", counted(one.frames, "frame"), one.why, one.first));
  if (info.lost) {
    lines.add("lost", fmt::format("{} of {} frames to {}, by {}", info.lost->count(), info.lost->sent, info.lost->to,
                                  info.delivered_file));
    List odd;
    odd.add(info.lost->overtaken, "delivered behind a later one");
    odd.add(info.lost->twice, "delivered once more");
    lines.add("", odd.text());
    for (const LostFrame& one : info.lost->first)
      lines.add("", fmt::format("frame {}: {}, QP {}, PSN 0x{:06x}", one.number, name_of_opcode(one.opcode), one.qp, one.psn));
  }
  for (const auto& flow : s.flows()) add_flow(text, s, *flow);
  return text;
}

}  // namespace gicsim::roce
