// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/chakra/node.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "models/base/errors.h"
#include "traces/stream/plain.h"

namespace gicsim::chakra {
namespace {

struct Named {
  std::string_view name;
  std::optional<std::int64_t> Node::*to;
};
constexpr std::array integers{
    Named{"num_ops", &Node::num_ops},     Named{"tensor_size", &Node::tensor_size},
    Named{"comm_type", &Node::comm_type}, Named{"comm_size", &Node::comm_size},
    Named{"comm_src", &Node::comm_src},   Named{"comm_dst", &Node::comm_dst},
    Named{"comm_tag", &Node::comm_tag},   Named{"comm_root", &Node::root},
    Named{"root", &Node::root},           Named{"root_rank", &Node::root},
    Named{"stream", &Node::stream},       Named{"tid", &Node::tid},
};

/// In the order of their codes.
constexpr std::array<std::string_view, 10> types{
    "ALL_REDUCE", "REDUCE",         "ALL_GATHER",           "GATHER", "SCATTER", "BROADCAST",
    "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER"};
using schedule::Operation;
constexpr std::array<Operation, 10> operations{
    Operation::all_reduce,     Operation::reduce,    Operation::all_gather, Operation::gather,
    Operation::scatter,        Operation::broadcast, Operation::all_to_all, Operation::reduce_scatter,
    Operation::reduce_scatter, Operation::barrier};

}  // namespace

void Node::set(std::string_view attribute, std::int64_t value) {
  if (attribute == "is_cpu_op") is_cpu_op = value != 0;
  if (attribute == "pg_name") pg_name = std::to_string(value);
  for (const Named& named : integers)
    if (named.name == attribute) this->*named.to = value;
}

void Node::set(std::string_view attribute, std::string_view value) {
  if (attribute == "pg_name") {
    pg_name = value;
  } else if (attribute == "comm_type") {
    const auto found = std::find(types.begin(), types.end(), value);
    if (found != types.end()) comm_type = found - types.begin();
  } else {
    stream::Value number;
    number.kind = stream::Value::Kind::text;
    number.text = value;
    if (const auto n = number.integer()) set(attribute, *n);
  }
}

std::optional<Operation> operation_of(const Node& node) {
  if (node.comm_type) {
    if (*node.comm_type < 0 || *node.comm_type >= static_cast<std::int64_t>(operations.size())) return std::nullopt;
    return operations[static_cast<std::size_t>(*node.comm_type)];
  }
  constexpr std::array<std::pair<std::string_view, Operation>, 9> by_name{{
      {"allreduce", Operation::all_reduce},
      {"reducescatter", Operation::reduce_scatter},
      {"allgather", Operation::all_gather},
      {"alltoall", Operation::all_to_all},
      {"sendrecv", Operation::all_to_all},  // NCCL has no kernel of its own for it
      {"broadcast", Operation::broadcast},
      {"barrier", Operation::barrier},
      {"scatter", Operation::scatter},
      {"reduce", Operation::reduce},
  }};
  const std::string name = stream::plain(node.name);
  for (const auto& [part, operation] : by_name)
    if (name.find(part) != name.npos) return operation;
  return name.find("gather") != name.npos ? std::optional(Operation::gather) : std::nullopt;
}

std::vector<ProcessGroup> process_groups_of(std::string_view inputs, std::size_t world) {
  // A JSON list inside of a text inside of a list as Python or JSON prints it: quotes and what escapes them vary.
  std::string text(inputs);
  std::erase(text, '\\');
  const auto from = text.find("[{"), to = text.rfind("}]");
  if (from == text.npos || to == text.npos || to < from) return {};
  stream::Value list;
  try {
    list = stream::parse_value(std::string_view(text).substr(from, to + 2 - from), "", 0);
  } catch (const ConfigError&) {
    return {};
  }
  std::vector<ProcessGroup> groups;
  for (const stream::Value& group : list.values) {
    ProcessGroup made{std::string(stream::word_of(group, "pg_name")), {}};
    const stream::Value* ranks = group.find("ranks");
    const auto size = stream::integer_of(group, "group_size");
    if (made.name.empty() || !ranks) continue;
    for (const stream::Value& rank : ranks->values)
      if (const auto n = rank.integer(); n && *n >= 0) made.ranks.push_back(static_cast<std::uint32_t>(*n));
    if (made.ranks.empty() && size && *size == static_cast<std::int64_t>(world))
      for (std::uint32_t r = 0; r < world; ++r) made.ranks.push_back(r);
    groups.push_back(std::move(made));
  }
  return groups;
}

}  // namespace gicsim::chakra
