// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/config_text.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "scenarios/schema/block.h"
#include "scenarios/schema/detail/fabric.h"
#include "scenarios/schema/detail/tree.h"
#include "scenarios/schema/keys.h"

namespace gicsim::schema {
namespace {

using Rows = std::vector<const Resolved*>;

bool alike(const Rows& rows) {
  const auto what = [](const Resolved& r) {
    return std::tie(r.value, r.provenance, r.source, r.at.file, r.at.line, r.at.column);
  };
  return std::all_of(rows.begin(), rows.end(),
                     [&](const Resolved* row) { return what(*row) == what(*rows.front()); });
}

/// "nic" for node0.nic0.port; nothing when no device owns the instance.
std::string owner(const std::string& instance) {
  const std::size_t last = instance.rfind('.');
  const std::size_t first = instance.find('.');
  if (first == last) return {};
  std::string name = instance.substr(first + 1, last - first - 1);
  name.resize(name.find_last_not_of("0123456789") + 1);
  return name;
}

std::string quoted(const std::string& text) {
  const bool plain =
      std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < ' '; });
  std::string result = plain ? "'" : "\"";
  for (const char c : text) {
    if (plain)
      result += c == '\'' ? "''" : std::string(1, c);
    else if (c == '\n')
      result += "\\n";
    else if (static_cast<unsigned char>(c) < ' ')
      result += ' ';
    else
      result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  }
  return result + (plain ? "'" : "\"");
}

std::string line(const Field& field, const void* params, const std::string& indent) {
  std::string value = field.write(params);
  if (field.type == Type::word) value = quoted(value);
  return indent + std::string(field.name) + ": " + value + "\n";
}

}  // namespace

std::vector<Group> grouped(const std::vector<Resolved>& parameters) {
  std::vector<std::pair<std::string, Rows>> kinds;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> places;
  for (const Resolved& row : parameters) {
    const auto [place, is_new] = places.try_emplace({row.kind, row.name}, kinds.size());
    if (is_new) kinds.push_back({row.kind + "." + row.name, {}});
    kinds[place->second].second.push_back(&row);
  }
  std::vector<Group> groups;
  for (const auto& [path, rows] : kinds) {
    if (alike(rows)) {
      groups.push_back({path, rows.front(), rows.size()});
      continue;
    }
    std::map<std::string, Rows> owners;
    for (const Resolved* row : rows) owners[owner(row->instance)].push_back(row);
    for (const auto& [device, own] : owners) {
      if (!device.empty() && alike(own)) {
        groups.push_back({device + "." + path, own.front(), own.size()});
      } else {
        for (const Resolved* row : own) groups.push_back({row->instance + "." + row->name, row, 1});
      }
    }
  }
  return groups;
}

std::string config_text(const Scenario& scenario) {
  const SystemSpec& spec = scenario.system;
  SystemKeys system{spec.name,
                    spec.about,
                    static_cast<Count>(spec.nodes.size()),
                    std::max<Count>(1, spec.gpus),
                    spec.attach,
                    detail::tree_text(spec.tree),
                    spec.sockets,
                    spec.host_socket,
                    static_cast<Count>(spec.fabric_switches.size())};
  detail::write_fabric(system, spec);
  std::string text = "# A run with every value and its source; it needs no other file.\n";
  for (const Field& field : scenario_block().fields) {
    if (field.name != "system") {
      text += line(field, &scenario, "");
      continue;
    }
    text += "system:\n";
    const std::string_view left_out = spec.attach == Attach::tree ? "pairs" : "tree";
    for (const Field& key : system_block().fields)
      if (key.name != left_out) text += line(key, &system, "  ");
    if (!spec.notes.empty()) text += "  notes:\n";
    for (const std::string& note : spec.notes) text += "    - " + quoted(note) + "\n";
  }
  text += "set:\n";
  for (const Group& group : grouped(scenario.parameters)) {
    const Resolved& row = *group.first;
    if (spec.attach == Attach::tree && row.kind == "slot" && row.name == "socket") continue;
    text += "  " + group.path + ": {is: " + row.value + ", " +
            std::string(name_of(row.provenance)) + ": " + quoted(row.source) + "}";
    text += row.at.file.empty() ? "\n" : "  # " + to_text(row.at) + "\n";
  }
  return text;
}

}  // namespace gicsim::schema
