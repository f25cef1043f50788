// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/units/text.h"
#include "scenarios/report/detail/format.h"
#include "scenarios/report/tlp_replay.h"

namespace gicsim::report {
namespace {

using detail::exact_ns;
using detail::grouped;
using detail::heading;
using detail::percent;
using detail::time_text;
using detail::wrapped;

double fraction_of(Picoseconds part, Picoseconds whole) {
  return whole == Picoseconds{} ? 0 : static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

std::string tlps_opening(const TlpReplay& r) {
  std::string out;
  if (r.diagnosis) {
    out = wrapped(fmt::format("{}: {} at {}: {}", r.files.front(), to_name(r.status), time_text(r.diagnosis->at),
                              r.diagnosis->what),
                  2);
    for (const std::string& line : r.diagnosis->waits_for) out += wrapped("  " + line, 4);
    out += wrapped("  what follows is of the requests that had begun by then", 2);
  } else {
    std::string against;
    if (r.captured > Picoseconds{})
      against = fmt::format("; captured {}, so {:+.1f} %", time_text(r.captured),
                            100 * (fraction_of(r.makespan, r.captured) - 1));
    out = wrapped(fmt::format("{}: {} on {}{}", r.files.front(), time_text(r.makespan), r.system, against), 2);
  }
  out += wrapped(fmt::format("  read as {}: {} requests, each once, of {} kind{} of requester and TLP", r.format,
                             grouped(r.requests), r.classes.size(), r.classes.size() == 1 ? "" : "s"),
                 4);
  out += r.start == "captured"
             ? "  each request begins when it did in the trace\n"
             : wrapped(
                   "  each request begins as long after what had come to its requester last as in the trace, which "
                   "is a guess of why it was made",
                   4);
  for (const auto& [why, n] : r.unused) out += wrapped(fmt::format("  not played: {} x {}", grouped(n), why), 4);
  if (r.unanswered > 0)
    out += wrapped(fmt::format("  {} requests have no answer in the trace", grouped(r.unanswered)), 4);
  for (const auto& [how, n] : r.failures) out += wrapped(fmt::format("  failed: {} x {}", grouped(n), how), 4);
  for (const std::string& note : r.notes) out += wrapped("  note: " + note, 8);
  for (const std::string& warning : r.warnings) out += wrapped("  warning: " + warning, 11);
  return out;
}

std::string time_at(const Quantiles& q, double fraction) {
  return q.n() == 0 ? "-" : time_text(Picoseconds{static_cast<std::int64_t>(q.at(fraction))});
}

std::string by_class(const TlpReplay& r) {
  std::string out =
      heading("Requests: from where they were seen first until the last of the answer (posted: until the last link)") +
      fmt::format("  {:<27}{:<9}{:>11}{:>13}{:>13}{:>13}{:>13}\n", "", "", "", "captured", "", "simulated", "") +
      fmt::format("  {:<27}{:<9}{:>11}{:>13}{:>13}{:>13}{:>13}\n", "link", "type", "n", "p50", "p99", "p50", "p99");
  for (const TlpClass& one : r.classes) {
    out += fmt::format("  {:<27}{:<9}{:>11}{:>13}{:>13}{:>13}{:>13}\n", one.link + " " + one.direction, one.type,
                       grouped(one.n), time_at(one.captured, 0.5), time_at(one.captured, 0.99),
                       time_at(one.simulated, 0.5), time_at(one.simulated, 0.99));
    std::string more =
        fmt::format("    requester {}, played by {}, {}", one.requester, one.by, gicsim::text::write(one.bytes));
    if (r.start == "captured" && one.late.most() > 0)
      more += fmt::format("; began later than captured by p50 {}, p99 {}, most {}", time_at(one.late, 0.5),
                          time_at(one.late, 0.99), time_at(one.late, 1));
    if (one.failed + one.captured_failed > 0)
      more += fmt::format("; without success: captured {}, simulated {}", grouped(one.captured_failed),
                          grouped(one.failed));
    out += wrapped(more, 6);
  }
  return out;
}

std::string by_link(const TlpReplay& r) {
  std::string out =
      heading("Links") +
      fmt::format("  {:<30}{:>12}{:>14}{:>12}{:>14}{:>9}\n", "", "captured", "", "simulated", "", "") +
      fmt::format("  {:<30}{:>12}{:>14}{:>12}{:>14}{:>9}\n", "link", "TLPs", "payload/B", "TLPs", "payload/B", "busy");
  for (const TlpLink& one : r.links) {
    out += fmt::format("  {:<30}{:>12}{:>14}", one.link + " " + one.direction, grouped(one.captured_tlps),
                       grouped(one.captured_payload.count()));
    out += one.as.empty()
               ? std::string("  the machine has none like it\n")
               : fmt::format("{:>12}{:>14}{:>9}\n", grouped(one.tlps), grouped(one.payload.count()), percent(one.busy));
  }
  return out;
}

std::string part_words(const std::string& stage) {
  if (stage == "gap") return "gaps of the trace";
  if (stage == "remote_read") return "until an answer came";
  if (stage == "remote_write") return "until a request came";
  return "for the port, the lanes";
}

std::string chain(const TlpReplay& r) {
  if (r.path_rows.empty()) return "";
  std::string out = heading("Where the time went: the chain of requests that led to the last TLP");
  for (const Row& row : r.path_rows)
    out += fmt::format("  {:<26}{:>18} ns{:>9}  {}\n", part_words(row.stage), exact_ns(row.time),
                       percent(fraction_of(row.time, r.makespan)), detail::bar(fraction_of(row.time, r.makespan)));
  return out + fmt::format("  {:<26}{:>18} ns, the makespan\n", "sum", exact_ns(total(r.path_rows)));
}

std::string binding(const TlpReplay& r) {
  if (!r.bound_by) return "";
  const Bound& bound = *r.bound_by;
  const std::string what =
      bound.throughput ? bound.resource : part_words(bound.resource.substr(bound.resource.find('.') + 1));
  std::string line = bound.throughput ? fmt::format("  {}, busy for {} of the time.", what, percent(bound.share))
                                      : fmt::format("  {}: {} of the chain.", what, percent(bound.share));
  if (bound.gain)
    line += fmt::format(" Twice as fast ({}), the makespan falls by {}.", bound.widened, percent(*bound.gain));
  if (bound.resource == "gap")
    line +=
        " It is the time that devices, processors and the network took between requests, which this replay doesn't "
        "change.";
  if (!bound.throughput)
    line += fmt::format(" The busiest resource: {}, {} of the time.", r.busiest, percent(r.busiest_share));
  return heading("What binds") + wrapped(line, 2);
}

}  // namespace

std::string text(const TlpReplay& r) {
  std::int64_t all = 0;
  for (const std::int64_t n : r.provenance.count) all += n;
  return tlps_opening(r) + by_class(r) + by_link(r) + chain(r) + binding(r) +
         fmt::format("\n{} events, {} of {} parameters assumed; seed {}, gicsim {}\n", grouped(r.events),
                     r.provenance.count[static_cast<int>(Provenance::assumed)], all, r.seed, r.version);
}

}  // namespace gicsim::report
