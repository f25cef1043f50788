// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/files.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "models/gpu/params.h"
#include "scenarios/schema/block.h"
#include "scenarios/schema/hint.h"

namespace gicsim::schema::detail {
namespace fs = std::filesystem;

namespace {
std::string there_are(const std::vector<std::string>& names) {
  return names.empty() ? ", which holds none" : "; there are " + listed(names);
}
}  // namespace

std::string shown(const std::string& path) {
  std::error_code ignored;
  if (!fs::path(path).is_absolute()) return fs::path(path).lexically_normal().string();
  const fs::path near = fs::path(path).lexically_proximate(fs::current_path(ignored));
  return *near.begin() == ".." ? fs::path(path).lexically_normal().string() : near.string();
}

bool is_path(const std::string& name) {
  return name.find('/') != name.npos || name.ends_with(".yaml") || name.ends_with(".yml");
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string stem_of(const std::string& path) { return fs::path(path).stem().string(); }

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string Files::find(const std::string& folder, const std::string& name,
                        const std::string& beside, const Location& at, const std::string& what) {
  if (is_path(name)) return (fs::path(beside) / name).string();  // reading says what is wrong
  const std::string file = path(folder + "/" + name + ".yaml");
  std::error_code ignored;
  if (!name.empty() && fs::exists(file, ignored)) return file;
  const std::vector<std::string> names = names_in(path(folder));
  const std::string near = did_you_mean(name, names);
  mistakes_.push_back({at, what + ": no '" + name + "' in " + folder +
                               (near.empty() ? there_are(names) : near)});
  return {};
}

std::string Files::find_profile(const std::string& folder, const std::string& name,
                                const std::string& architecture, const std::string& beside,
                                const Location& at, const std::string& what) {
  std::error_code ignored;
  const std::string own = path(folder + "/" + name + "_" + architecture + ".yaml");
  if (!is_path(name) && fs::exists(own, ignored)) return own;
  if (is_path(name) || fs::exists(path(folder + "/" + name + ".yaml"), ignored))
    return find(folder, name, beside, at, what);
  std::set<std::string> names;
  std::vector<std::string> others;
  for (std::string stem : names_in(path(folder))) {
    for (const std::string_view other : names_of(gpu::Architecture{})) {
      const std::string suffix = "_" + std::string(other);
      if (!stem.ends_with(suffix)) continue;
      stem.resize(stem.size() - suffix.size());
      if (stem == name) others.emplace_back(other);
    }
    names.insert(stem);
  }
  const std::vector<std::string> all(names.begin(), names.end());
  const std::string near = did_you_mean(name, all);
  if (!others.empty())
    mistakes_.push_back(
        {at, what + ": '" + name + "' exists for " + listed(others) + ", not for " + architecture});
  else
    mistakes_.push_back({at, what + ": no '" + name + "' in " + folder +
                                 (near.empty() ? there_are(all) : near)});
  return {};
}

const PartFile& Files::part(const std::string& path) {
  const auto [place, is_new] = parts_.try_emplace(path);
  PartFile& part = place->second;
  if (!is_new) return part;
  part.shown = shown(path);
  const std::optional<text::Node> root = text::load(path, mistakes_, part.shown);
  part.good = root.has_value();
  if (!root) return part;
  std::optional<Origin> source;
  if (const text::Member* member = root->find("source")) source = origin(*member, mistakes_);
  std::vector<std::string> kinds{"about", "source"};
  for (const Block& block : blocks()) kinds.emplace_back(block.kind);
  if (root->kind != text::Node::Kind::map)
    mistakes_.push_back({root->at, "not a part; write a block like 'nic:' with its values"});
  for (const text::Member& member : root->members) {
    if (member.key == "source") continue;
    if (member.key == "about") {
      part.about = scalar(member, mistakes_).value_or("");
      continue;
    }
    const Block* block = block_of(member.key);
    if (!block) {
      mistakes_.push_back({member.at, member.key + ": no such kind of part" +
                                          did_you_mean(member.key, kinds) + " (" + listed(kinds) +
                                          ")"});
      continue;
    }
    PartFile::Block& values = part.blocks[member.key];
    values.at = member.at;
    values.values = all_given(member, Layer::part, source, mistakes_);
    if (member.value.kind == text::Node::Kind::map)
      for (const text::Member& given : member.value.members)  // a bad one isn't missing too
        if (std::none_of(values.values.begin(), values.values.end(),
                         [&](const Given& value) { return value.key == given.key; })) {
          Given bad;
          bad.key = given.key;
          bad.key_at = given.at;
          bad.layer = Layer::part;
          bad.good = false;
          values.values.push_back(bad);
        }
    for (Given& value : values.values) {
      const int field = block->find(value.key);
      if (field < 0) {
        mistakes_.push_back({value.key_at, member.key + "." + value.key + ": no such parameter" +
                                               did_you_mean(value.key, block->names())});
      } else if (value.good) {
        const std::string wrong =
            block->fields[static_cast<std::size_t>(field)].read(value.value, nullptr);
        if (wrong.empty()) continue;
        mistakes_.push_back({value.at, member.key + "." + value.key + ": " + wrong});
      }
      value.good = false;
    }
  }
  return part;
}

SystemFile Files::system(const std::string& path) {
  const std::string name = shown(path);
  const std::optional<text::Node> root = text::load(path, mistakes_, name);
  SystemFile system;
  if (root) system = this->system(*root, folder_of(path));
  if (system.keys.name.empty()) system.keys.name = stem_of(path);
  system.good = system.good && root.has_value();
  return system;
}

SystemFile Files::system(const text::Node& map, const std::string& folder) {
  SystemFile system;
  system.folder = folder;
  system.parts_at = map.at;
  if (map.kind != text::Node::Kind::map) {
    mistakes_.push_back({map.at, "not a system; write 'nodes:', 'attach:', 'parts:'"});
    system.good = false;
    return system;
  }
  std::vector<std::string> keys = system_block().names();
  keys.insert(keys.end(), {"notes", "source", "parts", "set"});
  std::optional<Origin> source;
  if (const text::Member* member = map.find("source")) source = origin(*member, mistakes_);
  for (const text::Member& member : map.members) {
    if (member.key == "source") continue;
    if (member.key == "notes") {
      if (member.value.kind != text::Node::Kind::list)
        mistakes_.push_back({member.value.at, "notes: write a list, one '- sentence' a line"});
      for (const text::Node& note : member.value.items) system.notes.push_back(note.value);
    } else if (member.key == "set") {
      for (Given& value : all_given(member, Layer::system, source, mistakes_))
        system.set.push_back(std::move(value));
    } else if (member.key == "parts") {
      system.parts_at = member.at;
      if (member.value.kind != text::Node::Kind::map)
        mistakes_.push_back({member.value.at, "parts: write one 'kind: NAME' a line"});
      for (const text::Member& part : member.value.members)
        if (auto name = scalar(part, mistakes_))
          system.parts.push_back({part.key, *name, part.at, part.value.at});
    } else if (member.key == "tree" && member.value.kind == text::Node::Kind::map) {
      system.keys_at[member.key] = member.value.at;
      for (const text::Member& item : member.value.members) {
        system.tree_at[item.key] = item.at;
        if (const auto where = scalar(item, mistakes_))
          system.keys.tree += (system.keys.tree.empty() ? "" : ", ") + item.key + ": " + *where;
      }
    } else if (const int field = system_block().find(member.key); field >= 0) {
      system.keys_at[member.key] = member.value.at;
      const std::optional<std::string> value = scalar(member, mistakes_);
      if (!value) continue;
      const std::string wrong =
          system_block().fields[static_cast<std::size_t>(field)].read(*value, &system.keys);
      if (!wrong.empty()) mistakes_.push_back({member.value.at, member.key + ": " + wrong});
    } else {
      mistakes_.push_back({member.at, member.key + ": no such key of a system" +
                                          did_you_mean(member.key, keys) + " (" + listed(keys) +
                                          ")"});
    }
  }
  for (const Field& field : system_block().fields)
    if (field.source.by_part && !map.find(field.name))
      mistakes_.push_back({map.at, std::string(field.name) + ": missing; write '" +
                                       std::string(field.name) + ": " + field.example + "' (" +
                                       std::string(field.sentence) + ")"});
  return system;
}

}  // namespace gicsim::schema::detail
