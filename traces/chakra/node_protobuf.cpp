// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "traces/chakra/node.h"
#include "traces/chakra/wire.h"

namespace gicsim::chakra {
namespace {

/// A list of truth values, packed or not.
void take_dimensions(std::string_view list, std::uint64_t at, Node& node) {
  Fields field(list, at);
  while (field.next()) {
    if (field.number != 1) continue;
    const bool packed = field.kind == Fields::Kind::octets;
    if (packed ? field.octets.find('\0') != field.octets.npos : field.value == 0) node.some_dimensions = true;
  }
}

/// An attribute's value by the number of its field: whole numbers of all kinds, floating ones as far as they are whole.
std::string decode_attribute(std::string_view message, std::uint64_t at, Node& node) {
  std::string_view name;
  Fields field(message, at);
  while (field.next()) {
    using Kind = Fields::Kind;
    if (field.kind == Kind::octets) {
      if (field.number == 1) name = field.octets;
      if (field.number == 29 || field.number == 31) node.set(name, field.octets);
      if (field.number == 28 && name == "involved_dim") take_dimensions(field.octets, field.place(), node);
      continue;
    }
    const auto number = static_cast<std::int64_t>(field.value);
    switch (field.number) {
      case 3:
        if (field.kind == Kind::fixed64) {
          const auto v = std::bit_cast<double>(field.value);
          if (v > -9e18 && v < 9e18) node.set(name, static_cast<std::int64_t>(v));
        }
        break;
      case 5:
        if (field.kind == Kind::fixed32) {
          const auto v = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
          if (v > -9e18f && v < 9e18f) node.set(name, static_cast<std::int64_t>(v));
        }
        break;
      case 15:
      case 17:
        node.set(name, zigzag(field.value));
        break;
      case 23:
        node.set(name, std::int64_t{static_cast<std::int32_t>(field.value)});
        break;
      case 7:
      case 9:
      case 11:
      case 13:
      case 19:
      case 21:
      case 25:
      case 27:
        node.set(name, number);
        break;
      default:
        break;
    }
  }
  return field.why();
}

/// A repeated number, packed or not.
std::string decode_needs(const Fields& field, std::vector<std::uint64_t>& needs) {
  if (field.kind == Fields::Kind::varint) needs.push_back(field.value);
  if (field.kind != Fields::Kind::octets) return {};
  for (std::size_t i = 0; i < field.octets.size();) {
    std::uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (i == field.octets.size() || shift > 63)
        return "byte " + std::to_string(field.place() + i) + ": a dependency that isn't whole";
      const auto c = static_cast<unsigned char>(field.octets[i++]);
      v |= std::uint64_t{c & 0x7fu} << shift;
      if (c < 0x80) break;
    }
    needs.push_back(v);
  }
  return {};
}

}  // namespace

bool is_metadata(std::string_view message, std::uint64_t at) {
  Fields field(message, at);
  while (field.next())
    if (field.number > 2 || field.kind != Fields::Kind::octets) return false;  // a node has a type, and most an id
  return !field.broken();
}

std::string decode(std::string_view message, std::uint64_t at, Node& node) {
  node = Node{};
  node.at = at;
  Fields field(message, at);
  while (field.next()) {
    const bool number = field.kind == Fields::Kind::varint, octets = field.kind == Fields::Kind::octets;
    std::string why;
    switch (field.number) {
      case 1:
        if (number) node.id = field.value;
        break;
      case 2:
        if (octets) node.name = field.octets;
        break;
      case 3:
        if (number && field.value <= static_cast<std::uint64_t>(Node::Type::checkpoint))
          node.type = static_cast<Node::Type>(field.value);
        break;
      case 4:
      case 5:
        why = decode_needs(field, node.needs);
        break;
      case 6:
        if (number) node.start_us = static_cast<std::int64_t>(field.value);
        break;
      case 7:
        if (number) node.duration_us = static_cast<std::int64_t>(field.value);
        break;
      case 8:
        if (octets && node.name.find(process_groups) != node.name.npos) {
          Fields inside(field.octets, field.place());
          while (inside.next())
            if (inside.number == 1 && inside.kind == Fields::Kind::octets) node.inputs = inside.octets;
          why = inside.why();
        }
        break;
      case 10:
        if (octets) why = decode_attribute(field.octets, field.place(), node);
        break;
      default:
        break;
    }
    if (!why.empty()) return why;
  }
  return field.why();
}

}  // namespace gicsim::chakra
