// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "traces/fabric/detail/triggers.h"
#include "traces/schedule/source.h"

namespace gicsim::fabric {
namespace {

constexpr std::size_t most = 1 << 23;  ///< flows that fire

}  // namespace

Triggers::Trigger& Triggers::at(const WordLines& in, std::uint64_t id) {
  if (++noted_ > most) in.lines().fail(fmt::format("more than {} uses of triggers", most));
  return all_[id];
}

void Triggers::note(const WordLines& in, const Connection& one) {
  for (const std::uint64_t id : {one.send_done, one.recv_done})
    if (id > 0) at(in, id).fired.push_back({one.from, one.to, one.place});
  if (one.trigger > 0) at(in, one.trigger).begins_at.insert(one.from);
}

void Triggers::declare(const WordLines& in, std::uint64_t id, Type type, std::uint64_t count) {
  Trigger& trigger = at(in, id);
  if (trigger.type != Type::none) in.lines().fail(fmt::format("trigger {} is declared twice", id));
  trigger.type = type;
  trigger.count = count;
}

bool Triggers::received(const Connection& one) const {
  for (const std::uint64_t id : {one.send_done, one.recv_done}) {
    const auto found = all_.find(id);
    if (id == 0 || found == all_.end()) continue;
    if (found->second.begins_at.count(one.to) > 0) return true;
  }
  return false;
}

void Triggers::set(const Connection& one, std::uint64_t sent, std::uint64_t received) {
  for (const std::uint64_t id : {one.send_done, one.recv_done}) {
    if (id == 0) continue;
    auto& all = all_.at(id).fired;
    const auto fired = std::lower_bound(all.begin(), all.end(), one.place,
                                        [](const Fired& of, std::uint64_t place) { return of.place < place; });
    fired->sent = sent;
    fired->received = received;
  }
}

std::vector<schedule::Need> Triggers::needs(const WordLines& in, const Connection& one, std::uint64_t number) const {
  const Trigger& trigger = all_.at(one.trigger);
  if (trigger.type == Type::none)
    in.lines().fail(
        fmt::format("trigger {} is nowhere declared; write 'trigger id {} oneshot'", one.trigger, one.trigger));
  if (trigger.fired.empty())
    in.lines().fail(fmt::format("no flow fires trigger {}, so this one would never begin", one.trigger));
  if (trigger.type != Type::barrier && trigger.fired.size() > 1)
    in.lines().fail(fmt::format("{} flows fire trigger {}; a schedule can wait for all (barrier), not for the first",
                                trigger.fired.size(), one.trigger));
  if (trigger.type == Type::barrier && trigger.fired.size() != trigger.count)
    in.lines().fail(
        fmt::format("barrier {} waits for {} flows, {} fire it", one.trigger, trigger.count, trigger.fired.size()));
  std::vector<schedule::Need> needs;
  for (const Fired& fired : trigger.fired) {
    if (fired.from != one.from && fired.to != one.from)
      in.lines().fail(
          fmt::format("trigger {} is fired by the flow {}->{} of line {}, this one begins on {}; a schedule can "
                      "only go on where a flow began or ended",
                      one.trigger, fired.from, fired.to, fired.place, one.from));
    const std::uint64_t needed = fired.to == one.from ? fired.received : fired.sent;
    if (needed == number || needed > number + schedule::Source::reach - 1)
      in.lines().fail(
          fmt::format("trigger {} is fired by a flow that is too far ahead, on line {}", one.trigger, fired.place));
    needs.push_back({needed, schedule::Need::Until::ended});
  }
  return needs;
}

}  // namespace gicsim::fabric
