// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "scenarios/catalog/catalog.h"
#include "scenarios/schema/block.h"
#include "scenarios/schema/config_text.h"
#include "scenarios/schema/hint.h"
#include "scenarios/schema/load.h"
#include "traces/text/node.h"

namespace gicsim::catalog {
namespace {

namespace fs = std::filesystem;
using schema::Block;
using schema::Field;

struct Entry {
  std::string name, about;
};

std::vector<Entry> entries(const std::string& folder) {
  std::vector<Entry> found;
  std::error_code failed;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, failed)) {
    if (file.path().extension() != ".yaml") continue;
    std::vector<Mistake> ignored;
    const auto root = text::load(file.path().string(), ignored);
    const text::Member* about = root ? root->find("about") : nullptr;
    found.push_back({file.path().stem().string(), !root   ? "(can't be read)"
                                                  : about ? about->value.value
                                                          : ""});
  }
  std::sort(found.begin(), found.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return found;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 2, width), ' ');
  return text;
}

std::string row(const std::string& path, const std::string& value, const std::string& bounds,
                const std::string& source, std::string_view sentence) {
  std::string line = padded(path, 34) + padded(value, 16);
  line += bounds.empty() ? source : padded(bounds, 30) + source;
  return line + "\n    " + std::string(sentence) + "\n";
}

/// "nic" is the beginning of "nic.decode" and of "nic.port.mps", not of "nicer.x".
bool begins(const std::string& path, const std::string& filter) {
  return filter.empty() || path == filter || path.starts_with(filter + ".");
}

std::string of_kinds(const std::string& filter) {
  std::string text;
  for (const Block& block : schema::blocks()) {
    std::string rows;
    for (const Field& field : block.fields) {
      const std::string path = std::string(block.kind) + "." + std::string(field.name);
      if (!begins(path, filter)) continue;
      const std::string bounds =
          field.choices.empty() ? field.bounds : "one of " + schema::listed(field.choices);
      rows += row(path, field.source.by_part ? "by part" : field.default_text, bounds,
                  field.source.by_part ? ""
                                       : std::string(name_of(field.source.kind)) + ": " +
                                             std::string(field.source.text),
                  field.sentence);
    }
    if (rows.empty()) continue;
    text += (text.empty() ? "" : "\n") + std::string(block.kind) + ": " +
            std::string(block.sentence) + "\n" + rows;
  }
  return text;
}

std::string source_of(const schema::Resolved& value) {
  std::string text = std::string(name_of(value.provenance)) + ": " + value.source;
  if (!value.at.file.empty()) text += " (" + to_text(value.at) + ")";
  return text;
}

/// How near the NICs of a node are to its first GPU.
std::string distances(const schema::SystemSpec& system) {
  std::string text = "distance of gpu0 in node0:";
  if (system.gpus == 0 || system.nics == 0) return {};
  for (std::size_t i = 0; i < static_cast<std::size_t>(system.nics); ++i)
    text +=
        (i == 0 ? " nic" : ", nic") + std::to_string(i) + " " +
        std::string(schema::names_of(schema::Distance{})[static_cast<std::size_t>(schema::distance(system, 0, 0, i))]);
  return text + "\n";
}

std::string of_machine(const schema::Scenario& scenario, const std::string& filter) {
  std::string text = filter.empty() ? distances(scenario.system) : "";
  for (const schema::Group& group : schema::grouped(scenario.parameters))
    if (begins(group.path, filter) || (group.first->kind == filter))
      text += row(group.path, group.first->value, group.first->bounds, source_of(*group.first),
                  group.first->sentence);
  if (text.empty())
    for (const schema::Resolved& value : scenario.parameters)
      if (begins(value.instance + "." + value.name, filter))
        text += row(value.instance + "." + value.name, value.value, value.bounds, source_of(value),
                    value.sentence);
  return text;
}

bool has(const std::string& root, const std::string& folder, const std::string& name) {
  std::error_code ignored;
  return fs::exists(root + "/" + folder + "/" + name + ".yaml", ignored);
}

bool is_file(const std::string& word) {
  return word.find('/') != word.npos || word.ends_with(".yaml");
}

/// A name of ours, or a file with a pattern in it.
bool is_scenario(const std::string& root, const std::string& word) {
  if (!is_file(word)) return !word.empty() && has(root, "scenarios/runs", word);
  std::vector<Mistake> ignored;
  const auto file = text::load(word, ignored);
  return file && file->find("pattern");
}

}  // namespace

std::string list(const std::string& root) {
  static constexpr std::string_view folders[][2] = {{"scenarios", "scenarios/runs"},
                                                    {"systems", "configs/systems"},
                                                    {"parts", "configs/parts"},
                                                    {"libraries", "configs/parts/libraries"},
                                                    {"proxies", "configs/parts/proxies"},
                                                    {"verbs", "configs/parts/verbs"},
                                                    {"runtimes", "configs/parts/runtimes"}};
  std::string text;
  for (const auto& [title, folder] : folders) {
    const std::vector<Entry> found = entries(root + "/" + std::string(folder));
    if (found.empty()) continue;
    text += (text.empty() ? "" : "\n") + std::string(title) + " (" + std::string(folder) + ")\n";
    for (const Entry& entry : found) text += "  " + padded(entry.name, 28) + entry.about + "\n";
  }
  return text;
}

std::string params(const std::string& root, const std::vector<std::string>& words) {
  const std::string first = words.empty() ? "" : words.front();
  const std::string second = words.size() > 1 ? words[1] : "";
  std::string text;
  if (is_scenario(root, first)) {
    text = of_machine(schema::load_scenario(first, {}, root), second);
  } else if (is_file(first) || has(root, "configs/systems", first)) {
    text = of_machine(schema::load_system(first, {}, root), second);
  } else if (second.empty()) {
    text = of_kinds(first);
  }
  if (!text.empty()) return text;
  std::vector<std::string> names;
  for (const char* folder : {"configs/systems", "scenarios/runs"})
    for (const Entry& entry : entries(root + "/" + folder)) names.push_back(entry.name);
  for (const Block& block : schema::blocks()) {
    names.emplace_back(block.kind);
    for (const Field& field : block.fields)
      names.push_back(std::string(block.kind) + "." + std::string(field.name));
  }
  const std::string& wrong = second.empty() ? first : second;
  throw ConfigError({"params " + wrong, 0, 0}, "no system, kind or parameter has that name" +
                                                   schema::did_you_mean(wrong, names));
}

}  // namespace gicsim::catalog
