// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/detail/nccl_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "traces/profile/words.h"

namespace gicsim::profile::detail {

void NcclRank::rewind() {
  calls_->rewind();
  clock_ = 0;
}

Location NcclRank::location(std::uint64_t place) const { return {fmt::format("{}: byte {}", calls_->file(), place)}; }

bool NcclRank::next(Work& work) {
  for (Call call; calls_->next(call); call = Call{}) {
    const auto who = members_->find(file_, call.communicator, call.rank);
    if (!who && self_ == 0)
      common_->unused.add("calls of a process's smaller communicator, where it can't be told which of its GPUs it is",
                          call.place);
    if (who != self_) continue;
    take(call, work);
    return true;
  }
  return false;
}

void NcclRank::take(const Call& call, Work& work) {
  work.begin = call.begin.value_or(clock_);
  work.end = work.begin + call.length;
  work.timed = call.timed;
  if (!call.begin) clock_ = std::min(work.end, std::int64_t{1} << 62);
  work.lane = "communicator " + call.communicator;
  work.name = call.what;
  work.place = call.place;
  const auto stays = [&](const std::string& why) {
    common_->unused.add(why + ": it takes the time that it took", call.place);
  };
  const auto meant = meaning_of(call.what);
  if (!meant) return stays(fmt::format("a call of '{}'", call.what));
  if (meant->message != Message::collective) {
    const auto peer = call.peer ? members_->find(call.communicator, *call.peer) : std::nullopt;
    if (!peer || !call.bytes) return stays("a message whose other rank isn't given, or whose size isn't known");
    work.kind = meant->message == Message::send ? Work::Kind::send : Work::Kind::receive;
    work.peer = *peer;
    work.bytes = Bytes(*call.bytes);
    work.group = common_->groups.find(call.communicator);
    return;
  }
  work.group = common_->groups.find(call.communicator);
  if (!work.group || !schedule::place_of(self_, *work.group)) {
    work.group = nullptr;
    return stays("a collective among ranks whose files aren't given");
  }
  using schedule::Operation;
  const bool comes_out = meant->operation == Operation::reduce_scatter || meant->operation == Operation::scatter;
  const auto none = std::optional<std::int64_t>();
  const auto whole = whole_of(meant->operation, comes_out ? none : call.bytes, comes_out ? call.bytes : none,
                              work.group->ranks.size());
  if (!whole) return stays("a collective whose size isn't known");
  work.kind = Work::Kind::collective;
  work.operation = meant->operation;
  work.bytes = *whole;
  if (call.root > 0 && static_cast<std::size_t>(call.root) < work.group->ranks.size())
    work.root = static_cast<std::size_t>(call.root);
}

}  // namespace gicsim::profile::detail
