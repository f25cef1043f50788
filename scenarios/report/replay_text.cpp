// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/units/text.h"
#include "scenarios/report/detail/format.h"
#include "scenarios/report/replay.h"

namespace gicsim::report {
namespace {

using detail::exact_ns;
using detail::grouped;
using detail::heading;
using detail::percent;
using detail::time_text;
using detail::wrapped;

constexpr std::size_t most_ranks = 16;

double share_of(Picoseconds part, Picoseconds whole) {
  return whole == Picoseconds{} ? 0 : static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

std::string opening(const Replay& r) {
  std::string files;
  for (const std::string& file : r.files) files += (files.empty() ? "" : ", ") + file;
  std::string out;
  if (r.diagnosis) {
    out = wrapped(
        fmt::format("{}: {} at {}: {}", files, to_name(r.status), time_text(r.diagnosis->at), r.diagnosis->what), 2);
    for (const std::string& line : r.diagnosis->waits_for) out += wrapped("  " + line, 4);
    out += wrapped(
        fmt::format("  until then {} of its steps had begun, {} messages were complete; what follows is of these alone",
                    grouped(r.steps), grouped(r.messages)),
        2);
  } else {
    std::string against;
    if (r.captured && *r.captured > Picoseconds{})
      against =
          fmt::format("; captured {}, so {:+.1f} %", time_text(*r.captured),
                      100 * (static_cast<double>(r.makespan.count()) / static_cast<double>(r.captured->count()) - 1));
    out = wrapped(fmt::format("{}: {} on {}, {}{}", files, time_text(r.makespan), r.system, r.path, against), 2);
  }
  out += wrapped(fmt::format("  read as {}: {}", r.format, r.read.empty() ? "" : r.read.front()), 4);
  for (std::size_t i = 1; i < r.read.size(); ++i) out += wrapped("  " + r.read[i], 4);
  out += r.start == "captured" ? "  no step begins before it did in the trace\n"
                               : "  steps begin when what they need has come, not when they did in the trace\n";
  for (const schedule::Unused& one : r.unused)
    out += wrapped(
        fmt::format("  not used: {} x {}, the first at {}", grouped(static_cast<Count>(one.count)), one.why, one.first),
        4);
  for (const std::string& note : r.notes) out += wrapped("  note: " + note, 8);
  for (const std::string& warning : r.warnings) out += wrapped("  warning: " + warning, 11);
  return out;
}

std::string rows(const Rows& rows, Picoseconds whole) {
  std::string out;
  for (const Row& row : rows)
    out += fmt::format("  {:<4}{:<18}{:>18} ns{:>9}  {}\n", row.layer, row.stage, exact_ns(row.time),
                       percent(share_of(row.time, whole)), detail::bar(share_of(row.time, whole)));
  return out;
}

std::string path(const Replay& r) {
  if (r.path_rows.empty()) return "";
  return heading("Where the time went: the chain of steps that ended last") + rows(r.path_rows, r.makespan) +
         fmt::format("  {:<22}{:>18} ns, the makespan\n", "sum", exact_ns(total(r.path_rows)));
}

std::string messages(const Replay& r) {
  if (r.spreads.empty()) return "";
  std::string out = heading(fmt::format("Messages: {}, {}", grouped(r.messages), gicsim::text::write(r.bytes))) +
                    fmt::format("  {:<22}{:>12}{:>12}{:>12}{:>12}\n", "", "least", "p50", "p99", "most");
  for (const Spread& spread : r.spreads) {
    const auto at = [](std::uint64_t ps) { return time_text(Picoseconds{static_cast<std::int64_t>(ps)}); };
    out += fmt::format("  {:<22}{:>12}{:>12}{:>12}{:>12}\n", spread.what, at(spread.ps.least()), at(spread.ps.at(0.5)),
                       at(spread.ps.at(0.99)), at(spread.ps.most()));
  }
  if (!r.ratios.empty())
    out += heading("Simulated over captured, message by message, on the wire") +
           fmt::format("  {:<22}{:>12}{:>12}{:>12}{:>12}\n", "sizes", "n", "p10", "p50", "p90");
  for (const Ratio& ratio : r.ratios) {
    const std::string sizes =
        ratio.to == Bytes{} ? "from " + gicsim::text::write(ratio.from) : "below " + gicsim::text::write(ratio.to);
    const auto at = [&](double q) { return detail::four_digits(static_cast<double>(ratio.ppm.at(q)) / 1e6); };
    out += fmt::format("  {:<22}{:>12}{:>12}{:>12}{:>12}\n", sizes, grouped(static_cast<Count>(ratio.ppm.n())), at(0.1),
                       at(0.5), at(0.9));
  }
  return out + heading("All messages' time to their completion, summed") + rows(r.message_rows, total(r.message_rows));
}

std::string binds(const Replay& r) {
  if (!r.bound_by) return "";
  const Bound& bound = *r.bound_by;
  std::string line = bound.throughput
                         ? fmt::format("  {}, busy for {} of the time.", bound.resource, percent(bound.share))
                         : fmt::format("  {}, {} of the longest chain.", bound.resource, percent(bound.share));
  if (bound.gain)
    line += fmt::format(" Twice as fast ({}), the makespan falls by {}.", bound.widened, percent(*bound.gain));
  if (bound.resource == "idle") line += " It is the time that hosts took between messages, which no machine shortens.";
  if (!bound.throughput)
    line += fmt::format(" The busiest resource: {}, {} of the time.", r.busiest, percent(r.busiest_share));
  return heading("What binds") + wrapped(line, 2);
}

std::string ranks(const Replay& r) {
  std::string out = heading("Ranks") + fmt::format("  {:<6}{:<14}{:>12}{:>14}{:>14}{:>14}\n", "rank", "on", "messages",
                                                   "sent", "computing", "ended");
  for (std::size_t i = 0; i < r.ranks.size() && i < most_ranks; ++i) {
    const ReplayRank& rank = r.ranks[i];
    const std::string line =
        fmt::format("  {:<6}{:<14}{:>12}{:>14}{:>14}{:>14}  {}", i, rank.where, grouped(rank.messages),
                    gicsim::text::write(rank.sent), time_text(rank.compute), time_text(rank.ended), rank.host);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  if (r.ranks.size() > most_ranks) out += fmt::format("  and {} more; --json has them\n", r.ranks.size() - most_ranks);
  return out;
}

}  // namespace

std::string text(const Replay& r) {
  return opening(r) + path(r) + messages(r) + binds(r) + ranks(r) +
         fmt::format(
             "\n{} events, {} of {} parameters assumed; seed {}, gicsim {}\n", grouped(r.events),
             r.provenance.count[static_cast<int>(Provenance::assumed)],
             [&] {
               std::int64_t all = 0;
               for (const std::int64_t n : r.provenance.count) all += n;
               return all;
             }(),
             r.seed, r.version);
}

}  // namespace gicsim::report
