// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "scenarios/catalog/catalog.h"
#include "scenarios/schema/block.h"
#include "scenarios/schema/hint.h"

namespace gicsim::catalog {
namespace {

using schema::Block;
using schema::Field;
using schema::Type;
using Json = nlohmann::ordered_json;

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string units(Type type) {
  switch (type) {
    case Type::time:
      return "ps, ns, us, ms, s";
    case Type::size:
      return "B, KiB, MiB, GiB";
    case Type::rate:
      return "bps, kbps, Mbps, Gbps, Tbps";
    case Type::lane_rate:
      return "MT/s, GT/s";
    case Type::frequency:
      return "Hz, kHz, MHz, GHz";
    case Type::cycles:
      return "cycles";
    default:
      return "";
  }
}

std::string table(const Block& block) {
  std::string text = "| Name | Default | Bounds | Source | Meaning |\n|---|---|---|---|---|\n";
  for (const Field& field : block.fields) {
    std::string bounds = field.bounds;
    if (!field.choices.empty()) bounds = schema::listed(field.choices);
    if (field.type == Type::flag) bounds = "true, false";
    const bool is_key = field.source.kind == Provenance::user;
    std::string origin =
        std::string(name_of(field.source.kind)) + ": " + std::string(field.source.text);
    std::string value = field.default_text;
    if (field.source.by_part) value = is_key ? "required" : "by part";
    if (is_key || field.source.by_part) origin.clear();
    text += "| `" + std::string(field.name) + "` | " + cell(value) + " | " + cell(bounds) + " | " +
            cell(origin) + " | " + cell(std::string(field.sentence)) + " |\n";
  }
  return text;
}

Json property(const Field& field) {
  Json json;
  json["description"] = field.sentence;
  const std::string unit_list = units(field.type);
  if (!field.choices.empty()) {
    json["enum"] = field.choices;
  } else if (field.type == Type::count) {
    json["type"] = "integer";
    if (field.low) json["minimum"] = *field.low;
    if (field.high) json["maximum"] = *field.high;
  } else {
    json["type"] = "string";
  }
  if (!unit_list.empty()) {
    std::string pattern = "^[0-9][0-9_]*(\\.[0-9]+)? *(";
    for (std::size_t at = 0; at < unit_list.size();) {
      const std::size_t end = std::min(unit_list.find(", ", at), unit_list.size());
      pattern += (at == 0 ? "" : "|") + unit_list.substr(at, end - at);
      at = end + 2;
    }
    json["pattern"] = pattern + ")$";
  }
  if (!field.default_text.empty()) {
    if (field.type == Type::count)
      json["default"] = std::stoll(field.default_text);
    else
      json["default"] = field.default_text;
  }
  return json;
}

}  // namespace

std::string parameter_reference() {
  std::string text =
      "# Parameters\n\n"
      "Written by `gicsim params --markdown` from `describe()`; a test keeps it equal.\n"
      "*By part*: a product's own value, which its file in `configs/parts` gives with its source.\n"
      "`A-…` names an entry of [assumptions.md](assumptions.md).\n\n"
      "## Scenario keys\n\n" +
      table(schema::scenario_block()) +
      "\n`set:` holds parameters by path: `nic.decode` is every NIC's, `node1.nic0.decode` that "
      "one's,\n"
      "`nic.pcie.lanes` all NICs' PCIe links'. Within one file the narrower path wins; a "
      "scenario's\n"
      "`set:` wins over its system's, `--set` over both.\n\n"
      "## System keys\n\n" +
      table(schema::system_block()) +
      "\nBeside these: `parts:` (kind or path to the name of a part), `set:`, `source:`, "
      "`notes:`.\n";
  for (const Block& block : schema::blocks())
    text += "\n## " + std::string(block.kind) + "\n\nOf " + std::string(block.sentence) + ".\n\n" +
            table(block);
  return text;
}

std::string scenario_json_schema() {
  Json schema;
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "gicsim scenario";
  schema["type"] = "object";
  Json required = Json::array();
  Json properties;
  for (const Field& field : schema::scenario_block().fields) {
    properties[std::string(field.name)] = property(field);
    if (field.source.by_part) required.push_back(field.name);
  }
  properties["system"]["type"] = {"string", "object"};
  Json sourced;
  sourced["type"] = "object";
  sourced["required"] = {"is"};
  sourced["properties"]["is"]["type"] = {"string", "number", "boolean"};
  for (const std::string_view source : provenance_names)
    sourced["properties"][std::string(source)]["type"] = "string";
  sourced["additionalProperties"] = false;
  Json plain;
  plain["type"] = {"string", "number", "boolean"};
  properties["set"]["description"] = "parameters of the system, by their name in `gicsim params`";
  properties["set"]["type"] = "object";
  properties["set"]["additionalProperties"]["anyOf"] = {plain, sourced};
  schema["properties"] = std::move(properties);
  schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema.dump(2) + "\n";
}

}  // namespace gicsim::catalog
