// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "scenarios/report/detail/answer_text.h"
#include "scenarios/report/detail/format.h"
#include "scenarios/report/detail/ledger_text.h"
#include "scenarios/report/ports.h"
#include "scenarios/report/sums.h"

namespace gicsim::report {
namespace {

using detail::heading;
using detail::percent;
using detail::wrapped;

std::string opening(const Finished& run) {
  std::string out = detail::diagnosis_text(run);
  if (!out.empty() && !run.results.empty()) out += "\n";
  if (out.empty() || !run.results.empty()) out += detail::answer_text(run);
  for (const std::string& note : run.system_notes) out += wrapped("  note: " + note, 8);
  for (const std::string& warning : run.warnings) out += wrapped("  warning: " + warning, 11);
  return out;
}

std::string binds(const Finished& run) {
  if (!run.bound_by) return "";
  const Bound& bound = *run.bound_by;
  const Record* record = answer(run);
  const std::string figure = detail::words(run, record != nullptr ? record->quantity : run.headline);
  std::string line = bound.throughput
                         ? fmt::format("  {}, busy for {} of the measured window.", bound.resource,
                                       percent(bound.share))
                         : fmt::format("  {}, {} of {}.", bound.resource, percent(bound.share),
                                       detail::words(run, run.headline));
  if (bound.gain)
    line += fmt::format(" Twice as fast{}, {} improves by {}.",
                        bound.widened.empty() ? "" : " (" + bound.widened + ")", figure,
                        percent(*bound.gain));
  else
    line += " What widening it would gain was not measured.";
  return heading("What binds") + wrapped(line, 2);
}

std::string results(const Finished& run) {
  if (run.results.empty()) return "";
  const bool all_p50 = std::all_of(run.results.begin(), run.results.end(),
                                   [](const Record& record) { return record.p50.has_value(); });
  const bool p99 = std::any_of(run.results.begin(), run.results.end(),
                               [](const Record& record) { return record.p99.has_value(); });
  const auto line = [p99](const std::string& quantity, const std::string& value,
                          const std::string& min, const std::string& max, const std::string& tail,
                          const std::string& n, std::string_view unit) {
    return fmt::format("  {:<18}{:>12}{:>12}{:>12}{}{:>12}  {}\n", quantity, value, min, max,
                       p99 ? fmt::format("{:>12}", tail) : "", n, unit);
  };
  const auto figure = [](const std::optional<double>& value) {
    return value ? detail::four_digits(*value) : std::string("-");
  };
  std::string out = heading("Results") +
                    line("quantity", all_p50 ? "p50" : "value", "min", "max", "p99", "n", "unit");
  for (const Record& record : run.results)
    out += line(detail::words(run, record.quantity), figure(record.p50 ? record.p50 : record.value),
                figure(record.min), figure(record.max), figure(record.p99),
                detail::grouped(record.n), unit_of(record.quantity));
  return out;
}

std::string shares(const Finished& run) {
  if (run.shares.empty()) return "";
  std::string out = heading("Who was busy");
  const auto count = [](Count n, const char* one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); };
  for (const Share& share : run.shares) {
    std::string line = "  " + share.node + ": ";
    if (share.cores > 0)
      line +=
          fmt::format("{}, busy {} of the time, else polling", count(share.cores, "core"), percent(share.core_busy));
    if (share.gpu_threads > 0)
      line += fmt::format("{}{}, issuing {} of the time, waiting {}", share.cores > 0 ? "; " : "",
                          count(share.gpu_threads, "GPU thread"), percent(share.gpu_issuing),
                          percent(share.gpu_waiting));
    out += wrapped(line, 4);
  }
  return out;
}

std::string flows(const Finished& run) {
  if (run.flows.empty()) return "";
  std::string out = heading(run.flows_to_their_end ? "What each flow got until its own end, as one had ended before another was warm"
                                                   : "What each flow got");
  const auto rate = [](double gbps) {
    return gbps < 1 ? detail::four_digits(gbps * 1000) + " Mb/s" : detail::four_digits(gbps) + " Gb/s";
  };
  for (const FlowShare& share : run.flows) {
    std::string met;
    if (share.priority > 0) met += fmt::format(", priority {}", share.priority);
    if (share.resent > 0) met += fmt::format(", {} packets sent again", detail::grouped(share.resent));
    if (share.cnps > 0) met += fmt::format(", {} CNPs", detail::grouped(share.cnps));
    if (share.lowest && share.cnps > 0) met += ", down to " + rate(*share.lowest);
    out += fmt::format("  {:<18}{:>12}  GB/s{}\n", share.flow, detail::four_digits(share.bandwidth), met);
  }
  out += fmt::format("  {:<18}{:>12.4f}  1: all alike, {:.4f}: one has all\n", "Jain's index", jain(run.flows),
                     1.0 / static_cast<double>(run.flows.size()));
  std::string by_ms;
  for (const double index : run.jain_by_ms) by_ms += fmt::format(" {:.4f}", index);
  if (by_ms.empty()) return out;
  const auto alike = std::find_if(run.jain_by_ms.begin(), run.jain_by_ms.end(), [](double index) { return index >= 0.95; });
  std::string when = ": never 0.95";
  if (alike != run.jain_by_ms.end())
    when = fmt::format(": 0.95 or more the first time in millisecond {}", alike - run.jain_by_ms.begin() + 1);
  return out + wrapped("  by millisecond, of what each sent in it, until one had sent all:" + by_ms + when, 4);
}

std::string counter_value(const Counter& counter) {
  if (counter.unit == "ps") return detail::time_text(Picoseconds{counter.value});
  return detail::grouped(counter.value) + (counter.unit.empty() ? "" : " " + counter.unit);
}

std::string counters(const Finished& run) {
  std::string out, module;
  for (const Counter& counter : run.counters) {
    if (counter.value == 0) continue;
    if (counter.module != module) out += fmt::format("  {}\n", module = counter.module);
    out += wrapped(
        fmt::format("    {:<22}{:>18}  {}", counter.name, counter_value(counter), counter.sentence),
        46);
  }
  return out.empty() ? "" : heading("Counters that aren't zero") + out;
}

std::string values(const Finished& run) {
  std::string list;
  for (std::size_t i = 0; i < std::size(provenance_names); ++i)
    if (const Count n = run.provenance.count[i]; n != 0)
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", n, provenance_names[i]);
  return list.empty() ? "" : "\n" + wrapped("values: " + list, 8);
}

std::string evidence(const Finished& run) {
  if (run.evidence.empty()) return "";
  std::string out = heading("How far from hardware");
  for (const std::string& line : run.evidence) out += wrapped("  " + line, 4);
  return out;
}

std::string asked(const Finished& run) {
  std::string keys;
  for (const auto& [key, value] : run.keys)
    keys += fmt::format("{}{} {}", keys.empty() ? "" : ", ", key, value);
  const auto named = [](const std::string& name, const std::string& about) {
    return name + (about.empty() ? "" : ": " + about);
  };
  return "\n" + wrapped("scenario " + named(run.scenario, run.about), 2) + wrapped("  " + keys, 2) +
         wrapped("system " + named(run.system, run.system_about), 2) +
         fmt::format("seed {}, gicsim {}\n", run.seed, run.version);
}

}  // namespace

std::string counters_text(const Finished& run) { return opening(run) + port_counters_text(run) + asked(run); }

std::string text(const Finished& run) {
  return opening(run) + detail::ledger_text(run) + sent_again_text(run) + detail::fork_text(run) + binds(run) +
         results(run) + flows(run) + shares(run) + counters(run) + evidence(run) + values(run) + asked(run);
}

}  // namespace gicsim::report
