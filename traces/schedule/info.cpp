// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/info.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/units/text.h"

namespace gicsim::schedule {
namespace {

constexpr std::size_t depths_in_all = 1 << 22, shown_unmatched = 4, shown_hosts = 4;

/// How deep each of a rank's last steps stands.
class Depths {
 public:
  std::uint64_t add(const Step& step, std::size_t most, bool& exact) {
    std::uint64_t depth = 1;
    for (const Need& need : step.needs) {
      const std::uint64_t back = step.number - need.step;
      if (need.step >= step.number || back > last_.size())
        exact = false;
      else
        depth = std::max(depth, 1 + last_[(step.number - back) % most]);
    }
    if (last_.size() < most)
      last_.push_back(depth);
    else
      last_[step.number % most] = depth;
    return depth;
  }

 private:
  std::vector<std::uint64_t> last_;
};

struct Reading {
  std::uint64_t steps = 0, sent_to_it = 0, receives = 0;
  Picoseconds calculated{};
  Depths depths;
};

void count(Info& info, std::vector<Reading>& all, std::size_t rank, const Step& step, std::size_t depths) {
  Reading& of = all[rank];
  ++of.steps;
  ++info.steps[static_cast<std::size_t>(step.action)];
  info.needs += step.needs.size();
  of.calculated += step.time;
  if (step.began || step.ended) ++info.captured;
  for (const auto& at : {step.began, step.ended}) {
    if (!at) continue;
    info.began = std::min(info.began.value_or(*at), *at);
    info.ended = std::max(info.ended.value_or(*at), *at);
  }
  if (step.action == Action::recv) {
    ++of.receives;
    if (step.peer == any_rank) ++info.any_source;
  }
  if (is_message(step.action)) {
    info.least = info.messages == 0 ? step.bytes : std::min(info.least, step.bytes);
    info.largest = std::max(info.largest, step.bytes);
    ++info.messages;
    info.bytes += step.bytes;
    if (step.action == Action::send && step.peer < all.size()) ++all[step.peer].sent_to_it;
  }
  const std::uint64_t depth = of.depths.add(step, depths, info.chain_exact);
  if (depth <= info.chain) return;
  info.chain = depth;
  info.chain_rank = rank;
}

std::string counted(std::uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

void line(std::string& text, std::string_view name, const std::string& what) {
  text += fmt::format("  {:<12} {}\n", name, what);
}

}  // namespace

std::uint64_t Info::all_steps() const { return std::accumulate(steps.begin(), steps.end(), std::uint64_t{0}); }

Info read_info(Source& source, std::string file) {
  Info info;
  info.file = std::move(file);
  info.format = source.format();
  info.ranks = source.ranks();
  std::vector<Reading> all(info.ranks);
  std::vector<std::size_t> left(info.ranks);
  std::iota(left.begin(), left.end(), std::size_t{0});
  const std::size_t depths =
      std::clamp<std::size_t>(depths_in_all / std::max<std::size_t>(info.ranks, 1), 64, Source::reach);
  for (Step step; !left.empty();)
    std::erase_if(left, [&](std::size_t rank) {
      if (!source.next(rank, step)) return true;
      count(info, all, rank, step, depths);
      return false;
    });
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Reading& of = all[rank];
    if (of.steps == 0) ++info.silent_ranks;
    info.most_steps = std::max(info.most_steps, of.steps);
    info.calculated += of.calculated;
    if (of.calculated > info.most_calculated) info.busiest = rank;
    info.most_calculated = std::max(info.most_calculated, of.calculated);
    if (of.sent_to_it == of.receives) continue;
    if (++info.unmatched_ranks <= shown_unmatched) info.unmatched.push_back({rank, of.sent_to_it, of.receives});
  }
  info.hosts = source.hosts();
  info.notes = source.notes();
  info.unused = source.unused();
  return info;
}

std::string to_text(const Info& info) {
  std::string text =
      fmt::format("{}: {}; {}, {}; {}, {}\n", info.file, info.format, counted(info.ranks, "rank"),
                  counted(info.all_steps(), "step"), counted(info.messages, "message"), text::write(info.bytes));
  std::string kinds;
  for (std::size_t i = 0; i < info.steps.size(); ++i)
    if (info.steps[i] > 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", info.steps[i], action_names[i]);
  line(text, "steps",
       kinds.empty()
           ? "none"
           : fmt::format("{}; at most {} of a rank, {}", kinds, info.most_steps, counted(info.needs, "need")));
  if (info.silent_ranks > 0) line(text, "silent", fmt::format("{} without a step", counted(info.silent_ranks, "rank")));
  if (info.messages > 0)
    line(text, "messages",
         fmt::format("{} .. {}, {:.0f} B on average", text::write(info.least), text::write(info.largest),
                     static_cast<double>(info.bytes.count()) / static_cast<double>(info.messages)));
  if (info.calculated > Picoseconds{0})
    line(text, "calculated",
         fmt::format("{} in all, {} by rank {}", text::write(info.calculated), text::write(info.most_calculated),
                     info.busiest));
  line(text, "span",
       info.began ? fmt::format("{}, {} with captured times", text::write(*info.ended - *info.began),
                                counted(info.captured, "step"))
                  : std::string("not captured; a replay says"));
  if (info.chain > 0)
    line(text, "chain",
         fmt::format("{}{} behind one another, of rank {}", info.chain_exact ? "" : "at least ",
                     counted(info.chain, "step"), info.chain_rank));
  for (const Unmatched& one : info.unmatched)
    line(text, "unmatched",
         fmt::format("rank {}: {} sent to it, {}", one.rank, counted(one.sent_to_it, "message"),
                     counted(one.receives, "receive")));
  if (info.unmatched_ranks > info.unmatched.size())
    line(text, "", fmt::format("and {} more ranks", info.unmatched_ranks - info.unmatched.size()));
  if (!info.hosts.empty()) {
    const std::size_t shown = std::min(info.hosts.size(), shown_hosts);
    line(text, "hosts",
         fmt::format("{}{}",
                     fmt::join(info.hosts.begin(), info.hosts.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < info.hosts.size() ? ", ..." : ""));
  }
  for (const Unused& one : info.unused)
    line(text, "not used", fmt::format("{} (first at {}): {}", one.count, one.first, one.why));
  for (const std::string& note : info.notes) line(text, "assumed", note);
  return text;
}

}  // namespace gicsim::schedule
