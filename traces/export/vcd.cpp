// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/vcd.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "models/base/errors.h"

namespace gicsim::exports {
namespace {

constexpr std::string_view own_choice =
    "*.busy,*_headers,*_data,*.tags,*.rung,*.fetched,*.completed,*.paused,*.waiting";

constexpr Count shortest_line = 4;

/// Of printable characters, the first signals' of one.
std::string code_of(std::size_t number) {
  std::string code;
  do code += static_cast<char>('!' + number % 94);
  while ((number /= 94) > 0);
  return code;
}

std::string line_of(std::size_t number, int width, std::int64_t value) {
  if (width == 1) return (value != 0 ? "1" : "0") + code_of(number) + "\n";
  return fmt::format("b{:b} {}\n", static_cast<std::uint64_t>(value), code_of(number));
}

std::vector<std::string> parts_of(std::string_view text, char mark) {
  std::vector<std::string> parts;
  for (std::size_t from = 0, to = 0; to != text.npos; from = to + 1) {
    to = text.find(mark, from);
    parts.emplace_back(text.substr(from, to == text.npos ? to : to - from));
  }
  return parts;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = pattern.npos, mark = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') star = p++, mark = n;
    else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) ++p, ++n;
    else if (star != pattern.npos) p = star + 1, n = ++mark;
    else return false;
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

std::vector<std::string> Vcd::patterns() const {
  return parts_of(options_.signals.empty() ? own_choice : std::string_view(options_.signals), ',');
}

void Vcd::listen(const Probes& probes) {
  signals_.clear(), of_link_.clear(), changes_.clear();
  of_gauge_.assign(probes.gauges.size(), std::nullopt);
  pending_.clear(), newest_.clear();
  held_ = 0;
  written_ = left_out_ = 0;
  begun_ = full_ = false;
  last_ = {};
  const std::vector<std::string> wanted = patterns();
  std::vector<bool> used(wanted.size());
  std::set<std::string> kinds;
  const auto choose = [&](const std::string& name, int width) -> std::optional<std::size_t> {
    kinds.insert(name.substr(name.rfind('.') + 1));
    bool chosen = false;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (matches(wanted[i], name)) chosen = used[i] = true;
    if (!chosen) return std::nullopt;
    signals_.push_back({name, width});
    return signals_.size() - 1;
  };
  for (std::size_t i = 0; i < probes.gauges.size(); ++i) {
    const Gauge& gauge = probes.gauges[i];
    if (!gauge.busy) {
      of_gauge_[i] = choose(gauge.module + "." + gauge.what, gauge.unit == "bool" ? 1 : gauge.unit.empty() ? 32 : 64);
    } else if (gauge.what == "pcie" || gauge.what == "link" || gauge.what == "upi") {
      if (const auto signal = choose(gauge.module + ".busy", 1)) of_link_.emplace(gauge.module, *signal);
    }
  }
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!used[i] && !options_.signals.empty()) {
      std::string known;
      for (const std::string& kind : kinds) known += (known.empty() ? "" : ", ") + kind;
      throw ConfigError(Location{"gicsim"},
                        "--signals: '" + wanted[i] + "' matches no signal; this machine has MODULE." + known);
    }
  head_size_ = header().size();
  probes.tlps.listen([this](const TlpSent& sent) { busy(sent.link, sent.begin, sent.end); });
  probes.packets.listen([this](const PacketSent& sent) { busy(sent.wire, sent.begin, sent.end); });
}

/// What there is no room for, however short its line, isn't kept.
void Vcd::set(std::size_t signal, Picoseconds at, std::int64_t value) {
  if (held_ * shortest_line > options_.limit.count()) {
    ++left_out_;
    return;
  }
  pending_.add(at, {at, signal, value});
  ++held_;
}

void Vcd::busy(std::string_view link, Picoseconds begin, Picoseconds end) {
  const auto found = of_link_.find(link);
  if (found == of_link_.end()) return;
  set(found->second, begin, 1);
  set(found->second, end, 0);
}

void Vcd::sample(const Sample& sample) {
  for (std::size_t i = 0; i < of_gauge_.size(); ++i) {
    if (!of_gauge_[i]) continue;
    Signal& signal = signals_[*of_gauge_[i]];
    const std::int64_t before = std::exchange(signal.sampled, sample.values[i]);
    if (!begun_) signal.initial = signal.value = signal.sampled;
    else if (signal.sampled != before) set(*of_gauge_[i], sample.at, signal.sampled);
  }
  begun_ = true;
}

/// The newest value counts: what follows without a gap never ends.
void Vcd::write_instant() {
  std::string lines;
  Count changed = 0;
  for (const auto& [number, value] : newest_) {
    Signal& signal = signals_[number];
    if (std::exchange(signal.value, value) == value) continue;
    lines += line_of(number, signal.width, value);
    ++changed;
  }
  newest_.clear();
  if (changed == 0) return;
  const std::string stamp = fmt::format("#{}\n", instant_.count());
  full_ = full_ ||
      static_cast<std::int64_t>(head_size_ + changes_.size() + stamp.size() + lines.size()) > options_.limit.count();
  if (full_) {
    left_out_ += changed;
    return;
  }
  changes_ += stamp + lines;
  last_ = instant_;
  written_ += changed;
}

/// Scopes by the dots in modules' names.
std::string Vcd::header() const {
  std::string out = "$comment gicsim.vcd/1: links' busy is exact, all else is sampled $end\n$timescale 1 ps $end\n";
  std::vector<std::size_t> order(signals_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return parts_of(signals_[a].name, '.') < parts_of(signals_[b].name, '.');
  });
  std::vector<std::string> open;
  for (const std::size_t i : order) {
    std::vector<std::string> scope = parts_of(signals_[i].name, '.');
    const std::string leaf = scope.back();
    scope.pop_back();
    std::size_t same = 0;
    while (same < open.size() && same < scope.size() && open[same] == scope[same]) ++same;
    for (; open.size() > same; open.pop_back()) out += "$upscope $end\n";
    for (; open.size() < scope.size(); open.push_back(scope[open.size()]))
      out += "$scope module " + scope[open.size()] + " $end\n";
    const int width = signals_[i].width;
    out += fmt::format("$var {} {} {} {}{} $end\n", width == 1 ? "wire" : "reg", width, code_of(i), leaf,
                       width == 1 ? "" : fmt::format(" [{}:0]", width - 1));
  }
  for (std::size_t i = 0; i < open.size(); ++i) out += "$upscope $end\n";
  out += "$enddefinitions $end\n#0\n$dumpvars\n";
  for (std::size_t i = 0; i < signals_.size(); ++i) out += line_of(i, signals_[i].width, signals_[i].initial);
  return out + "$end\n";
}

void Vcd::finish(const Outcome& outcome) {
  pending_.before(never, [this](const Change& change) {
    if (change.at != instant_) write_instant();
    instant_ = change.at;
    newest_[change.signal] = change.value;
  });
  write_instant();
  text_ = header() + changes_;
  if (left_out_ == 0 && outcome.elapsed > last_) text_ += fmt::format("#{}\n", outcome.elapsed.count());
}

std::vector<LeftOut> Vcd::left_out() const {
  if (left_out_ == 0) return {};
  return {{"signals.vcd", "changes", left_out_, left_out_ + written_}};
}

}  // namespace gicsim::exports
