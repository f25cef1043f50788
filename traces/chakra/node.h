// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/schedule/collectives.h"
#include "traces/stream/value.h"

namespace gicsim::chakra {

/// A node of an execution trace, whichever form it was written in.
/// Source: mlcommons/chakra, schema/protobuf/et_def.proto
struct Node {
  enum class Type : std::uint8_t {
    invalid,
    metadata,
    memory_load,
    memory_store,
    compute,
    send,
    receive,
    collective,
    storage,
    batch,
    checkpoint
  };

  std::uint64_t id = 0;
  std::string name;
  Type type = Type::invalid;
  std::vector<std::uint64_t> needs;  ///< of data and of control
  std::int64_t start_us = 0, duration_us = 0;
  // Attributes, by the names that Chakra's feeder knows.
  std::optional<bool> is_cpu_op;
  std::optional<std::int64_t> num_ops, tensor_size, comm_type, comm_size, comm_src, comm_dst, comm_tag, root, stream,
      tid;
  bool some_dimensions = false;  ///< involved_dim leaves some of a network's out
  std::string pg_name;
  std::string inputs;    ///< values, of a node that sets up process groups
  std::uint64_t at = 0;  ///< octet of its file

  /// What is set by an attribute of any integer kind, or a text.
  void set(std::string_view attribute, std::int64_t value);
  void set(std::string_view attribute, std::string_view value);
};

inline constexpr std::string_view process_groups = "process_group:init";  ///< part of such a node's name

/// From a protobuf message. @return why it can't be; empty: it is one
std::string decode(std::string_view message, std::uint64_t at, Node& node);
/// Whether a file's first message is its metadata, and no node.
bool is_metadata(std::string_view message, std::uint64_t at);
/// From a JSON object: protobuf's own form of a Node, or the one of Chakra's feeder. @return as above
std::string decode(const stream::Value& object, std::uint64_t at, Node& node);

/// What a collective node does: by its code, else by the kernel's name. None: neither says.
std::optional<schedule::Operation> operation_of(const Node& node);
/// Process groups with the ranks that their set-up lists; without a list: none, and how many there are.
struct ProcessGroup {
  std::string name;
  std::vector<std::uint32_t> ranks;
};
std::vector<ProcessGroup> process_groups_of(std::string_view inputs, std::size_t world);

}  // namespace gicsim::chakra
