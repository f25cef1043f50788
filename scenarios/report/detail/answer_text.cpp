// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/detail/answer_text.h"

#include <fmt/format.h>

#include <string_view>

#include "scenarios/report/detail/format.h"
#include "scenarios/report/sums.h"

namespace gicsim::report::detail {
namespace {

std::string key(const Finished& run, std::string_view name) {
  for (const auto& [key, value] : run.keys)
    if (key == name) return value;
  return "";
}

std::string what_ran(const Finished& run) {
  const std::optional<Pattern> pattern = pattern_of(run);
  const std::string name = pattern ? std::string(to_name(*pattern)) : key(run, "pattern");
  const std::string bytes = key(run, "bytes");
  const std::string operation = key(run, "operation");
  const std::string many = operation.empty() ? "puts" : operation + "s";
  if (name == "message_rate") return fmt::format("{} of {} as fast as they go", many, bytes);
  if (name == "put_bw") return fmt::format("{} of {} in a row", many, bytes);
  const bool sends = operation == to_name(Verb::send);
  const std::string pattern_text = name == "ping_pong"     ? (sends ? "ping-pong of SENDs" : "ping-pong")
                                   : sends                 ? "SEND"
                                   : name == "copy_engine" ? "copy"
                                   : name == "atomic"      ? key(run, "atomic")
                                   : name == "put_signal"  ? "put and signal (" + key(run, "signal") + ")"
                                   : name == "quiet"       ? "put and quiet (" + key(run, "scope") + ")"
                                                           : name;
  return bytes.empty() ? pattern_text : fmt::format("one {} {}", bytes, pattern_text);
}

/// What sets this run apart from another of the same pattern, as far as it isn't the usual.
std::string setting(const Finished& run) {
  std::string out;
  if (const std::string path = key(run, "path"); path != to_name(Path::none)) out += ", " + path;
  for (const char* name : {"proxy", "ordering", "direction", "staging", "payload"})
    if (const std::string value = key(run, name); !value.empty()) out += ", " + value;
  if (const std::string gdr = key(run, "gdr"); !gdr.empty()) out += ", GPUDirect " + gdr;
  if (const std::string queues = key(run, "queues"); queues == "host")
    out += ", queues in host memory";
  if (const std::string library = key(run, "library"); !library.empty() && library != "minimal")
    out += ", as " + library + " does";
  for (const auto& [name, plural] : {std::pair{"threads", "threads"}, std::pair{"qps", "QPs"}})
    if (const std::string n = key(run, name); !n.empty() && n != "1")
      out += ", " + n + " " + plural;
  if (const std::string n = key(run, "batch"); !n.empty() && n != "1")
    out += ", " + n + " WQEs a doorbell";
  if (const std::string push = key(run, "push"); !push.empty()) out += ", WQE pushed by a " + push;
  if (const std::string kernel = key(run, "beside"); !kernel.empty()) out += ", beside " + kernel;
  if (const std::string copies = key(run, "copy_load"); !copies.empty()) out += ", beside copies " + copies;
  if (const std::string storage = key(run, "storage"); !storage.empty()) out += ", beside storage " + storage + "s";
  if (const std::string share = key(run, "cpu_load"); !share.empty())
    out += ", a load of " + share + " on each " + key(run, "cpu_load_at");
  return out;
}

std::string figure(const Record& record) {
  return figure_text(record.p50.value_or(record.value), unit_of(record.quantity));
}

std::string beside(const Finished& run, const Record& main) {
  std::string out;
  for (const Record& record : run.results)
    if (record.quantity != main.quantity)
      out += (out.empty() ? "" : ", ") + words(run, record.quantity) + " " + figure(record);
  return out.empty() ? "" : " (" + out + ")";
}

}  // namespace

std::string diagnosis_text(const Finished& run) {
  std::string status(to_name(run.status)), expected(to_name(run.expected));
  std::string out;
  if (run.diagnosis) {
    out = wrapped(
        fmt::format("{}: {} at {}{}: {}", run.scenario, status, time_text(run.diagnosis->at),
                    status == expected ? ", as expected" : "", run.diagnosis->what),
        2);
    for (const std::string& waiting : run.diagnosis->waits_for)
      out += wrapped("  waits: " + waiting, 9);
  } else if (run.status != Status::done) {
    out = wrapped(fmt::format("{}: {}", run.scenario, status), 2);
  }
  if (status != expected)
    out += wrapped(
        fmt::format("  The scenario expects '{}'; this run ended '{}'.", expected, status), 2);
  return out;
}

std::string answer_text(const Finished& run) {
  std::string sentence =
      fmt::format("{}: {} on {}{}", run.scenario, what_ran(run), run.system, setting(run));
  const Record* record = answer(run);
  if (record == nullptr) return wrapped(sentence + ": no figure", 2);
  sentence +=
      fmt::format(": {} {}{}", figure(*record), words(run, record->quantity), beside(run, *record));
  if (record->n > 0) sentence += fmt::format(", {} {}", record->p50 ? "p50 of" : "over", record->n);
  if (record->p99) sentence += ", p99 " + figure_text(*record->p99, unit_of(record->quantity));
  return wrapped(sentence, 2);
}

}  // namespace gicsim::report::detail
