// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "traces/schedule/goal.h"

namespace gicsim::schedule {
namespace {

constexpr std::size_t flush_at = 1 << 16;
constexpr std::uint32_t gap_core = 255;  ///< LogGOPSim keeps a core in 8 bits
constexpr std::int64_t put_tag = 0x7fff'ffff;
constexpr std::size_t most_runs = 1 << 20;

std::string_view verb(Need::Until until) { return until == Need::Until::ended ? "requires" : "irequires"; }

}  // namespace

struct GoalWriter::State {
  std::ostream& out;
  std::shared_ptr<const GoalPuts> puts{};
  std::size_t rank = 0;
  fmt::memory_buffer text{};
  std::uint64_t step = 0;
  std::vector<Unused> lost{};
  /// Needs of steps that stand ahead, by these.
  std::unordered_map<std::uint64_t, std::vector<std::pair<std::string, Need::Until>>> ahead{};

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
  }
  void flush() {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  }
  void lose(std::string_view why) {
    const auto known = std::find_if(lost.begin(), lost.end(), [why](const Unused& one) { return one.why == why; });
    if (known != lost.end())
      ++known->count;
    else
      lost.push_back({std::string(why), 1, step});
  }
  std::int64_t nanoseconds(Picoseconds time) {
    if (time.count() % 1000 != 0) lose("times that aren't whole ns were rounded");
    return time.count() / 1000 + (time.count() % 1000 >= 500 ? 1 : 0);
  }
  std::uint32_t core(std::uint32_t lane) {
    if (lane > gap_core) lose("LogGOPSim keeps cpu and nic in 8 bits, these are larger");
    return lane;
  }
  void needs_of(const std::string& label, const std::vector<Need>& needs) {
    for (const Need& need : needs) {
      if (need.until == Need::Until::issued) lose("needs of a post became needs of its begin (irequires)");
      if (need.step > step)
        ahead[need.step].emplace_back(label, need.until);
      else
        add("{} {} l{}\n", label, verb(need.until), need.step);
    }
  }
  void operation(const Step& one);
};

void GoalWriter::State::operation(const Step& one) {
  add("l{}: ", one.number);
  if (one.action == Action::send || one.action == Action::recv) {
    const bool sends = one.action == Action::send;
    add("{} {}b {} ", name_of(one.action), one.bytes.count(), sends ? "to" : "from");
    if (one.peer == any_rank)
      add("-1");
    else
      add("{}", one.peer);
    add(" tag {}", one.tag);
    if (one.lane > 0) add(" nic {}", core(one.lane));
  } else if (one.action == Action::calc) {
    add("calc {}", nanoseconds(one.time));
    if (one.lane > 0) add(" cpu {}", core(one.lane));
  } else if (one.action == Action::put && puts) {
    lose("puts became sends, with a receive at the other end");
    add("send {}b to {} tag {}", one.bytes.count(), one.peer, put_tag);
    if (one.lane > 0) add(" nic {}", core(one.lane));
  } else {
    lose("one-sided operations (put, get, atomics) became calc 0, their needs kept");
    add("calc 0 cpu {}", gap_core);
  }
  add("\n");
}

GoalWriter::GoalWriter(std::ostream& out, std::size_t ranks, std::shared_ptr<const GoalPuts> puts)
    : state_(new State{.out = out, .puts = std::move(puts)}) {
  state_->add("num_ranks {}\n", ranks);
  state_->flush();
}

GoalWriter::~GoalWriter() = default;

void GoalWriter::begin(std::size_t rank) {
  state_->rank = rank;
  state_->add("\nrank {} {{\n", rank);
}

/// txt2bin wants both labels of a need before it, and no comment behind a statement.
void GoalWriter::add(const Step& step) {
  State& s = *state_;
  s.step = step.number;
  if (!step.name.empty()) {
    std::string name = step.name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }, ' ');
    s.add("// {}\n", name);
  }
  if (step.began || step.ended) s.lose("captured times");
  const std::string label = fmt::format("l{}", step.number);
  if (step.gap > Picoseconds{0}) {
    s.lose("gaps became a calc each, on a cpu of their own");
    const std::string gap = fmt::format("g{}", step.number);
    s.add("{}: calc {} cpu {}\n", gap, s.nanoseconds(step.gap), gap_core);
    s.needs_of(gap, step.needs);
    s.operation(step);
    s.add("{} requires {}\n", label, gap);
  } else {
    s.operation(step);
    s.needs_of(label, step.needs);
  }
  if (const auto waiting = s.ahead.extract(step.number))
    for (const auto& [who, until] : waiting.mapped()) s.add("{} {} {}\n", who, verb(until), label);
  if (s.text.size() > flush_at) s.flush();
}

void GoalWriter::end() {
  if (state_->puts)
    for (const GoalPuts::Run& run : state_->puts->to[state_->rank])
      for (std::uint64_t i = 0; i < run.count; ++i) {
        state_->add("recv {}b from {} tag {}\n", run.bytes.count(), run.from, put_tag);
        if (state_->text.size() > flush_at) state_->flush();
      }
  for (const auto& [number, needs] : state_->ahead)
    for (std::size_t i = 0; i < needs.size(); ++i) state_->lose("needs of steps that never come");
  state_->ahead.clear();
  state_->add("}}\n");
  state_->flush();
}

const std::vector<Unused>& GoalWriter::lost() const { return state_->lost; }

std::shared_ptr<const GoalPuts> collect_puts(Source& source) {
  auto puts = std::make_shared<GoalPuts>();
  puts->to.resize(source.ranks());
  std::size_t runs = 0;
  std::vector<std::size_t> left(source.ranks());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (Step step; !left.empty();)
    std::erase_if(left, [&](std::size_t rank) {
      if (!source.next(rank, step)) return true;
      if (step.action != Action::put || step.peer >= puts->to.size() || runs > most_runs) return false;
      auto& to = puts->to[step.peer];
      const auto from = static_cast<std::uint32_t>(rank);
      if (!to.empty() && to.back().from == from && to.back().bytes == step.bytes)
        ++to.back().count;
      else if (++runs <= most_runs)
        to.push_back({from, step.bytes, 1});
      return false;
    });
  if (runs == 0 || runs > most_runs) return nullptr;
  return puts;
}

std::vector<Unused> write_goal(Source& source, std::ostream& out, bool puts) {
  source.rewind();
  std::shared_ptr<const GoalPuts> all = puts ? collect_puts(source) : nullptr;
  if (puts) source.rewind();
  GoalWriter writer(out, source.ranks(), std::move(all));
  Step step;
  for (std::size_t rank = 0; rank < source.ranks(); ++rank) {
    writer.begin(rank);
    while (source.next(rank, step)) writer.add(step);
    writer.end();
  }
  return writer.lost();
}

}  // namespace gicsim::schedule
