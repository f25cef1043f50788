// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/detail/nccl_log_source.h"

#include <algorithm>

namespace gicsim::profile::detail {
namespace {

constexpr std::size_t longest_line = 1 << 16;
constexpr std::size_t most_together = 4096;  // of the steps that a feed remembers

}  // namespace

bool read_line(stream::Input& in, std::string& line) {
  line.clear();
  if (in.peek() == stream::Input::end) return false;
  for (int c = in.get(); c != '\n'; c = in.get()) {
    if (c == stream::Input::end) in.cut_off("a line");
    if (line.size() < longest_line) line += static_cast<char>(c);
  }
  return true;
}

void each_line(stream::Input& in, const std::function<void(std::uint64_t number, const std::string& line)>& take) {
  std::uint64_t number = 0;
  for (std::string line; read_line(in, line);) take(++number, line);
}

LogSource::LogSource(std::vector<std::string> files, std::shared_ptr<const Job> job,
                     std::shared_ptr<const schedule::Groups> groups, std::vector<std::string> hosts,
                     schedule::Tally unused, std::vector<std::string> notes)
    : files_(std::move(files)),
      job_(std::move(job)),
      groups_(std::move(groups)),
      hosts_(std::move(hosts)),
      unused_(unused),
      of_lines_(std::move(unused)),
      notes_(std::move(notes)),
      ranks_(job_->ranks()) {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) open(rank);
}

void LogSource::open(std::size_t rank) {
  ranks_[rank] = Rank();
  if (const auto file = job_->file_of(static_cast<std::uint32_t>(rank)))
    ranks_[rank].in = std::make_unique<stream::Input>(files_[*file]);
}

bool LogSource::next(std::size_t rank, schedule::Step& step) {
  Rank& of = ranks_.at(rank);
  std::string line;
  while (of.in && of.feed.room() && of.feed.empty() && read_line(*of.in, line)) {
    ++of.line;
    const auto parsed = parse_log_line(line);
    if (!parsed) continue;
    const auto call = of.reader.read(*parsed);
    if (!call) {
      if (const std::string& why = of.reader.wrong(); !why.empty() && rank == 0) unused_.add(why, of.line);
      continue;
    }
    if (job_->rank_of(call->seat.gpu) == rank) take(static_cast<std::uint32_t>(rank), *call);
  }
  if (of.feed.empty()) return false;
  Ids missing;
  step = of.feed.take(missing);
  return true;
}

void LogSource::take(std::uint32_t self, const LoggedCall& call) {
  Rank& of = ranks_[self];
  Order& order = of.orders[call.seat.communicator];
  schedule::Step step;
  step.name = call.what;
  step.place = of.line;
  step.bytes = call.bytes;
  const auto group = groups_->find(call.seat.communicator);
  if (call.meant.message != Message::collective) {
    const auto peer = job_->rank_of(call.seat.communicator, call.other);
    if (!peer || !job_->file_of(*peer)) return unused_.add("messages to or from a rank whose log isn't given", of.line);
    step.action = call.meant.message == Message::send ? schedule::Action::send : schedule::Action::recv;
    step.peer = *peer;
    step.tag = group ? group->id : 0;
    if (order.together.size() == most_together) order.before = std::exchange(order.together, {});
    of.feed.add(std::move(step), of.calls, order.before);
    order.together.push_back(of.calls++);
    return;
  }
  if (!group) return unused_.add("collectives among ranks whose logs aren't given", of.line);
  schedule::Collective collective;
  collective.what = call.meant.operation;
  collective.how = job_->algorithm_of(call);
  collective.bytes = call.bytes;
  collective.root = static_cast<std::size_t>(call.other);
  collective.name = call.what;
  of.feed.add(std::move(collective), group, self, step, of.calls,
              order.together.empty() ? order.before : order.together);
  order = {{of.calls++}, {}};
}

void LogSource::rewind() {
  unused_ = of_lines_;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) open(rank);
}

double LogSource::progress() const {
  double sum = 0;
  for (const Rank& rank : ranks_) sum += rank.in ? rank.in->progress() : 1;
  return sum / static_cast<double>(ranks_.size());
}

Location LogSource::location(std::size_t rank, const schedule::Step& step) const {
  const auto file = job_->file_of(static_cast<std::uint32_t>(rank));
  return {file ? files_[*file] : "", static_cast<int>(std::min<std::uint64_t>(step.place, 1u << 30)), 1};
}

}  // namespace gicsim::profile::detail
