// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/metrics.h"

#include <fmt/format.h>

#include <map>

#include "traces/export/places.h"

namespace gicsim::exports {
namespace {

constexpr std::string_view end = "# EOF\n";

/// In a label's value and in HELP.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') out += "\\n";
    else out += c;
  }
  return out;
}

/// A family's name ends with its unit, if it has one.
std::string family_of(const Counter& counter, bool queue_pair) {
  return (queue_pair ? "qp_" : "") + counter.name +
         (counter.unit == "B"    ? "_bytes"
          : counter.unit == "ps" ? "_seconds"
                                 : "");
}

std::string value_of(const Counter& counter) {
  if (counter.unit != "ps") return std::to_string(counter.value);
  return fmt::format("{}.{:012}", counter.value / 1'000'000'000'000, counter.value % 1'000'000'000'000);
}

}  // namespace

/// All of one name stand together; first those of ports, which are sums over their queue pairs.
void Metrics::finish(const Outcome& outcome) {
  text_.clear();
  written_ = left_out_ = 0;
  if (outcome.ports.empty()) return;
  std::vector<std::string> order;
  std::map<std::string, std::string> families;
  std::map<std::string, Count> samples;
  for (const Counter& counter : outcome.ports) {
    const Place place = place_of(counter.module);
    const std::size_t dot = place.name.find(".qp");
    const bool queue_pair = dot != place.name.npos;
    const std::string family = family_of(counter, queue_pair);
    std::string& lines = families[family];
    if (lines.empty()) {
      order.push_back(family);
      lines = fmt::format("# TYPE {} counter\n", family);
      if (counter.unit == "B" || counter.unit == "ps")
        lines += fmt::format("# UNIT {} {}\n", family, counter.unit == "B" ? "bytes" : "seconds");
      lines += fmt::format("# HELP {} {}\n", family, escaped(counter.sentence));
    }
    lines += fmt::format("{}_total{{node=\"{}\",device=\"{}\",port=\"1\"{}}} {}\n", family, escaped(place.process),
                         escaped(place.name.substr(0, dot)),
                         queue_pair ? fmt::format(",qp=\"{}\"", escaped(place.name.substr(dot + 3))) : "",
                         value_of(counter));
    ++samples[family];
  }
  text_ = fmt::format("# TYPE gicsim_run info\n# HELP gicsim_run what these counters are of\n"
                      "gicsim_run_info{{scenario=\"{}\",system=\"{}\",status=\"{}\"}} 1\n",
                      escaped(machine_.scenario), escaped(machine_.system), escaped(outcome.status));
  for (const std::string& family : order) {
    const bool room = left_out_ == 0 &&
                      static_cast<std::int64_t>(text_.size() + families[family].size() + end.size()) <= limit_.count();
    if (room) text_ += families[family];
    (room ? written_ : left_out_) += samples[family];
  }
  text_ += end;
}

Files Metrics::files() {
  if (text_.empty()) return {};
  return {{"metrics.txt", std::move(text_)}};
}

std::vector<LeftOut> Metrics::left_out() const {
  if (left_out_ == 0) return {};
  return {{"metrics.txt", "counters", left_out_, left_out_ + written_}};
}

}  // namespace gicsim::exports
