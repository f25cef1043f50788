// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/chakra/rank.h"

#include <fmt/format.h>

namespace gicsim::chakra {
namespace {

using namespace std::chrono_literals;
using schedule::Action;
using Type = Node::Type;

constexpr std::int64_t most_us = 50LL * 86'400 * 1'000'000;  // of the 106 days that a time in picoseconds holds
constexpr std::int64_t most_bytes = std::int64_t{1} << 50;

bool in_place(const std::optional<std::int64_t>& rank, std::uint32_t ranks) {
  return rank && *rank >= 0 && *rank < ranks;
}

}  // namespace

void Rank::fail(const Node& node, const std::string& what) const {
  nodes_.fail(node, fmt::format("node {} '{}': {}", node.id, node.name, what));
}

Rank::Step Rank::step_of(const Node& node, Action action) {
  if (node.duration_us < 0 || node.duration_us > most_us || node.start_us < 0 ||
      (node.start_us > 0 && node.start_us - common_.base_us > most_us))
    fail(node, fmt::format("it begins at {} us and takes {} us", node.start_us, node.duration_us));
  Step step;
  step.action = action;
  step.name = node.name;
  step.place = node.at;
  if (node.start_us > 0) {
    step.began = 1us * (node.start_us - common_.base_us);
    step.ended = *step.began + 1us * node.duration_us;
  }
  return step;
}

void Rank::take_calc(const Node& node, const std::string& why_no_message) {
  if (!why_no_message.empty()) common_.unused.add(why_no_message, node.at);
  Step step = step_of(node, Action::calc);
  step.time = 1us * node.duration_us;
  const bool cpu = node.is_cpu_op.value_or(true);
  step.lane =
      lane(cpu ? fmt::format("thread {}", node.tid.value_or(0)) : fmt::format("stream {}", node.stream.value_or(0)));
  const bool works = node.type == Type::compute || node.type == Type::memory_load || node.type == Type::memory_store;
  if (works && node.duration_us == 0 && (node.num_ops.value_or(0) > 0 || node.tensor_size.value_or(0) > 0))
    common_.unused.add("operations or bytes of memory without a time: the node takes none", node.at);
  if (!feed_.add(std::move(step), node.id, node.needs)) fail(node, "there is one of that id already");
}

bool Rank::take_message(const Node& node) {
  const bool send = node.type == Type::send;
  const auto& peer = send ? node.comm_dst : node.comm_src;
  const std::string_view what = send ? "send" : "receive", which = send ? "comm_dst" : "comm_src";
  if (!peer) {
    take_calc(node, fmt::format("a {} without {}: it takes the time that it took", what, which));
    return false;
  }
  if (!in_place(peer, common_.ranks()) || !common_.given(static_cast<std::uint32_t>(*peer))) {
    take_calc(node, fmt::format("a {} whose other rank isn't given: it takes the time that it took", what));
    return false;
  }
  const auto bytes = node.comm_size ? node.comm_size : node.tensor_size;
  if (!bytes || *bytes < 0 || *bytes > most_bytes)
    fail(node, bytes ? fmt::format("comm_size: {} B can't be", *bytes) : fmt::format("a {} without comm_size", what));
  Step step = step_of(node, send ? Action::send : Action::recv);
  step.peer = static_cast<std::uint32_t>(*peer);
  step.tag = node.comm_tag.value_or(0);
  step.bytes = Bytes(*bytes);
  step.lane = lane(node.stream ? fmt::format("messages of stream {}", *node.stream) : "messages");
  if (!feed_.add(std::move(step), node.id, node.needs)) fail(node, "there is one of that id already");
  return true;
}

std::shared_ptr<const schedule::Communicator> Rank::group_of(const Node& node) {
  const auto own = own_groups_.find(node.pg_name);
  auto group = common_.groups.find(own == own_groups_.end() ? node.pg_name : own->second);
  if (!group && common_.look_for_groups) {
    common_.look_for_groups();
    group = common_.groups.find(node.pg_name);
  }
  if (group && !schedule::place_of(self_, *group))
    fail(node, fmt::format("rank {} isn't in its group '{}'", self_, node.pg_name));
  return group;
}

bool Rank::take_collective(const Node& node) {
  const auto operation = operation_of(node);
  if (!operation) {
    take_calc(node, fmt::format("a collective of a kind that isn't known{}: it takes the time that it took",
                                node.comm_type ? fmt::format(" (comm_type {})", *node.comm_type) : ""));
    return false;
  }
  const auto group = group_of(node);
  bool all = group && group->ranks.size() > 1;
  if (all)
    for (const std::uint32_t rank : group->ranks) all = all && common_.given(rank);
  if (!all) {
    take_calc(node, "a collective among ranks whose traces aren't given: it takes the time that it took");
    return false;
  }
  if (node.some_dimensions)
    common_.unused.add(
        "involved_dim: a machine here has no dimensions; the collective is among its pg_name's ranks, or all", node.at);
  const std::int64_t bytes = node.comm_size.value_or(0), n = static_cast<std::int64_t>(group->ranks.size());
  if (bytes < 0 || bytes > most_bytes / n) fail(node, fmt::format("comm_size: {} B can't be", bytes));
  if (!node.comm_size && *operation != schedule::Operation::barrier) fail(node, "a collective without comm_size");
  schedule::Collective collective;
  collective.what = *operation;
  collective.name = node.name;
  collective.lane = lane("group " + node.pg_name);
  using schedule::Operation;
  // comm_size is what each rank puts in.
  const bool shares = *operation == Operation::all_gather || *operation == Operation::gather;
  collective.bytes = Bytes(shares ? bytes * n : bytes);
  const bool rooted = *operation == Operation::broadcast || *operation == Operation::reduce ||
                      *operation == Operation::gather || *operation == Operation::scatter;
  if (rooted) {
    const auto& root = node.root ? node.root : node.comm_src;
    if (!root) common_.notes.add("broadcasts and the like don't say their root: it is the first rank of the group");
    const auto place =
        root ? schedule::place_of(static_cast<std::uint32_t>(*root), *group) : std::optional<std::size_t>(0);
    if (!place) fail(node, fmt::format("its root, rank {}, isn't in its group", *root));
    collective.root = *place;
  }
  const Step like = step_of(node, Action::calc);
  if (!feed_.add(std::move(collective), group, self_, like, node.id, node.needs))
    fail(node, "there is one of that id already");
  return true;
}

void Rank::take(const Node& node) {
  if (node.name.find(process_groups) != node.name.npos && !node.inputs.empty())
    for (ProcessGroup& group : process_groups_of(node.inputs, common_.ranks())) {
      if (group.ranks.empty()) continue;
      const std::string key = fmt::format("{} of ranks {}", group.name, fmt::join(group.ranks, ","));
      common_.groups.set(key, group.ranks);
      own_groups_.insert_or_assign(group.name, key);
    }
  switch (node.type) {
    case Type::send:
    case Type::receive:
      take_message(node);
      break;
    case Type::collective:
      take_collective(node);
      break;
    case Type::memory_load:
    case Type::memory_store:
      common_.notes.add("memory nodes take the time that the trace gives them; remote memory isn't modelled");
      take_calc(node);
      break;
    case Type::storage:
    case Type::batch:
    case Type::checkpoint:
      common_.notes.add("storage, batch and checkpoint nodes take the time that the trace gives them");
      take_calc(node);
      break;
    default:
      take_calc(node);
      break;
  }
}

}  // namespace gicsim::chakra
