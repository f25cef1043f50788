// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/machine_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "traces/import/detail/cells.h"

namespace gicsim::imports::detail {
namespace {

constexpr std::array roles = {Role::pcie_switch, Role::gpu, Role::nic, Role::dma};
constexpr std::size_t lines_named = 8;  // of a value that many instances share

/// "lspci.txt:412, :530, LnkSta"
std::string origin_text(const Value& value) {
  std::string text, file;
  for (std::size_t i = 0; i < value.from.size() && i < lines_named; ++i) {
    const Origin& at = value.from[i];
    text += i > 0 ? ", " : "";
    text += at.file == file ? fmt::format(":{}", at.line) : fmt::format("{}:{}", at.file, at.line);
    file = at.file;
  }
  if (value.from.size() > lines_named) text += fmt::format(" and {} more", value.from.size() - lines_named);
  if (!value.from.empty() && !value.from.front().what.empty()) text += ", " + value.from.front().what;
  if (!value.why.empty()) text += (text.empty() ? "" : "; ") + value.why;
  return text;
}

class Settings {
 public:
  Settings(const MachineTree& tree, const MachineValues& values, const MachineSaid& said)
      : tree_(tree), values_(values), said_(said) {}

  std::string write() const {
    std::vector<bool> used(said_.set.size());
    std::string read;
    for (const Role role : roles) {
      const auto nodes = tree_.of(role);
      std::vector<std::string> keys;
      for (const TreeNode* node : nodes)
        for (const Setting& setting : values_.of(*node).set)
          if (std::find(keys.begin(), keys.end(), setting.key) == keys.end()) keys.push_back(setting.key);
      for (const std::string& key : keys) read += group(role, nodes, key, used);
    }
    std::string own;
    for (std::size_t i = 0; i < said_.set.size(); ++i) {
      const std::string& key = said_.set[i].first;
      if (key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") != key.npos)
        throw ConfigError(Location{"gicsim"}, "--set: '" + key + "' is no parameter's name; write it like gpu0.pcie.lanes=16");
      const bool again = std::any_of(said_.set.begin() + static_cast<std::ptrdiff_t>(i) + 1, said_.set.end(),
                                     [&](const auto& later) { return later.first == key; });
      if (used[i] || again) continue;
      check_instance(key);
      own += entry(key, user(said_.set[i].second));
    }
    return read.empty() && own.empty() ? std::string{} : "set:\n" + read + own;
  }

 private:
  static Value user(const std::string& text) { return {text, "user", {}, "--set of 'gicsim import machine'"}; }

  /// One line for all of a kind where they agree, else one each.
  std::string group(Role role, const std::vector<const TreeNode*>& nodes, const std::string& key, std::vector<bool>& used) const {
    std::vector<std::pair<const TreeNode*, Value>> found;
    for (const TreeNode* node : nodes)
      for (const Setting& setting : values_.of(*node).set) {
        if (setting.key != key) continue;
        Value value = setting.value;
        for (std::size_t i = 0; i < said_.set.size(); ++i) {
          if (!means(said_.set[i].first, node->name + "." + key)) continue;
          value = user(said_.set[i].second);
          used[i] = true;
        }
        found.emplace_back(node, std::move(value));
      }
    const Value& first = found.front().second;
    const bool alike = found.size() == nodes.size() && std::all_of(found.begin(), found.end(), [&](const auto& one) {
      return one.second.text == first.text && one.second.word == first.word && one.second.why == first.why &&
             (first.from.empty() || (!one.second.from.empty() && one.second.from.front().what == first.from.front().what));
    });
    std::string text;
    if (!alike) {
      for (const auto& [node, value] : found) text += entry(node->name + "." + key, value);
      return text;
    }
    Value all = first;
    for (std::size_t i = 1; i < found.size(); ++i)
      all.from.insert(all.from.end(), found[i].second.from.begin(), found[i].second.from.end());
    return entry((found.size() == 1 ? found.front().first->name : std::string(kind_of(role))) + "." + key, all);
  }

  static std::string entry(const std::string& key, const Value& value) {
    const bool plain = std::all_of(value.text.begin(), value.text.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '.' || c == ' ' || c == '_' || c == '-';
    });
    return fmt::format("  {}: {{is: {}, {}: {}}}\n", key, plain ? value.text : quoted(value.text), value.word, quoted(origin_text(value)));
  }

  /// "gpu9.pcie.lanes" of a machine with eight.
  void check_instance(const std::string& key) const {
    const std::string name = key.substr(0, key.find('.'));
    for (const Role role : roles) {
      if (!begins(name, kind_of(role)) || !whole(std::string_view(name).substr(kind_of(role).size()))) continue;
      std::string known;
      for (const TreeNode* node : tree_.of(role)) {
        if (node->name == name) return;
        known += (known.empty() ? "" : ", ") + node->name;
      }
      throw ConfigError(Location{"gicsim"}, fmt::format("--set {}: no {} here; there {}", key, name,
                                                        known.empty() ? "is none of the kind" : "are " + known));
    }
  }

  const MachineTree& tree_;
  const MachineValues& values_;
  const MachineSaid& said_;
};

}  // namespace

std::string one_line(std::string_view text) {
  std::string clean;
  for (const char c : text) clean += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
  return clean;
}

std::string quoted(std::string_view text) {
  std::string whole = "'";
  for (const char c : one_line(text)) whole += c == '\'' ? std::string("''") : std::string(1, c);
  return whole + "'";
}

std::string settings_text(const MachineTree& tree, const MachineValues& values, const MachineSaid& said) {
  return Settings(tree, values, said).write();
}

}  // namespace gicsim::imports::detail
