// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "traces/chakra/node.h"

namespace gicsim::chakra {
namespace {

using stream::Value;

constexpr std::array<std::string_view, 11> type_names{
    "INVALID_NODE",   "METADATA_NODE",  "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE",      "COMM_SEND_NODE",
    "COMM_RECV_NODE", "COMM_COLL_NODE", "STORAGE_NODE",  "BATCH_NODE",     "CHECKPOINT_NODE"};

/// The first of several names that is there.
template <class... Names>
const Value* any(const Value& object, Names... names) {
  const Value* found = nullptr;
  ((found = found ? found : object.find(names)), ...);
  return found;
}

void set(Node& node, std::string_view name, const Value& value) {
  if (value.kind == Value::Kind::boolean)
    node.set(name, std::int64_t{value.text == "true"});
  else if (const auto n = value.integer(); n && name != "pg_name")
    node.set(name, *n);
  else if (value.kind == Value::Kind::text)
    node.set(name, value.word());
  else if (value.kind == Value::Kind::number)
    node.set(name, value.word());
}

void take_dimensions(Node& node, const Value* list) {
  if (!list || list->kind != Value::Kind::list) return;
  for (const Value& one : list->values)
    if (one.text == "false" || one.text == "0") node.some_dimensions = true;
}

std::string take_needs(const Value* list, std::vector<std::uint64_t>& needs) {
  if (!list) return {};
  if (list->kind != Value::Kind::list) return "its dependencies are no list";
  for (const Value& value : list->values) {
    const auto id = value.integer();
    if (!id) return "a dependency that is no number: '" + value.text + "'";
    needs.push_back(static_cast<std::uint64_t>(*id));
  }
  return {};
}

}  // namespace

std::string decode(const Value& object, std::uint64_t at, Node& node) {
  node = Node{};
  node.at = at;
  if (object.kind != Value::Kind::object) return "a node is expected: {...}";
  if (const Value* name = any(object, "name", "Name")) node.name = name->word();
  const Value* id = any(object, "id", "Id");
  if (id && !id->integer()) return "its id is no number: '" + id->text + "'";
  node.id = id ? static_cast<std::uint64_t>(*id->integer()) : 0;  // protobuf's JSON leaves out what is 0
  if (const Value* type = any(object, "type", "NodeType")) {
    std::size_t t = 0;
    while (t < type_names.size() && type_names[t] != type->word()) ++t;
    if (const auto n = type->integer(); n && *n >= 0) t = static_cast<std::size_t>(*n);
    if (t < type_names.size()) node.type = static_cast<Node::Type>(t);
  }
  for (const Value* list : {any(object, "ctrlDeps", "ctrl_deps"), any(object, "dataDeps", "data_deps")})
    if (std::string why = take_needs(list, node.needs); !why.empty()) return why;
  if (const Value* us = any(object, "startTimeMicros", "start_time_micros")) node.start_us = us->integer().value_or(0);
  if (const Value* us = any(object, "durationMicros", "duration_micros", "runtime"))
    node.duration_us = us->integer().value_or(0);
  for (const Value& member : object.values)
    if (member.kind != Value::Kind::object && member.kind != Value::Kind::list) set(node, member.name, member);
  take_dimensions(node, object.find("involved_dim"));
  if (const Value* attributes = any(object, "attr", "attrs"))
    for (const Value& attribute : attributes->values)
      for (const Value& value : attribute.values) {
        if (stream::word_of(attribute, "name") == "involved_dim")
          take_dimensions(node, value.find("values") ? value.find("values") : &value);
        else if (value.name.ends_with("Val") || value.name.ends_with("_val") || value.name == "value")
          set(node, stream::word_of(attribute, "name"), value);
      }
  if (const Value* inputs = object.find("inputs"); inputs && node.name.find(process_groups) != node.name.npos)
    node.inputs = stream::word_of(*inputs, "values");
  return {};
}

}  // namespace gicsim::chakra
