// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/reference/dataset.h"

#include <algorithm>

#include "validate/reference/detail/tree.h"

namespace gicsim::reference {
namespace {

bool has(const auto& list, const auto& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::optional<Use> use_named(std::string_view name) {
  for (const Use use : {Use::fit, Use::check, Use::note}) {
    if (to_name(use) == name) return use;
  }
  return std::nullopt;
}

Cell cell_of(const Node& node) {
  return {is_scalar(node) ? text_of(node) : std::string(), number_of(node), {}, node.at};
}

/// Lists (a range, more than two figures) keep their place with the text of their members.
Cell listed(const std::string& key, const Node& node) {
  Cell cell{"", {}, {}, node.at};
  for (const Node& item : node.items) cell.text += (cell.text.empty() ? "" : " ") + text_of(item);
  if (!key.ends_with("_range") || node.items.size() != 2) return cell;
  const auto least = number_of(node.items[0]), most = number_of(node.items[1]);
  if (least && most) cell.range = {*least, *most};
  return cell;
}

/// A before and an after, two cases side by side: each is a figure of its own, "key.0" and "key.1".
bool is_pair(const std::string& key, const Node& node) {
  return is_list(node) && node.items.size() == 2 && !key.ends_with("_range") && number_of(node.items[0]) &&
         number_of(node.items[1]);
}

void flatten(const Node& map, const std::string& prefix, Dataset& into) {
  for (const auto& [key, at, node] : map.members) {
    const std::string name = prefix + key;
    if (is_map(node))
      flatten(node, name + ".", into);
    else if (is_pair(key, node))
      for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
        into.scalars.emplace_back(name + "." + std::to_string(i), cell_of(node.items[i]));
    else
      into.scalars.emplace_back(name, is_list(node) ? listed(key, node) : cell_of(node));
  }
}

void read_rows(const Node& data, Dataset& into, std::vector<Mistake>& mistakes) {
  if (const Node* columns = field(data, "columns")) {
    for (const Node& column : columns->items) into.columns.push_back(text_of(column));
  }
  for (const Node& row : field(data, "rows")->items) {
    std::vector<Cell> cells;
    for (const Node& cell : row.items) cells.push_back(cell_of(cell));
    if (cells.size() != into.columns.size()) {
      mistakes.push_back({row.at, into.id + ": " + std::to_string(cells.size()) + " cells under " +
                                      std::to_string(into.columns.size()) + " columns"});
    } else {
      into.rows.push_back(std::move(cells));
    }
  }
}

void read_use(const Node& node, Dataset& into, std::vector<Mistake>& mistakes) {
  const Node* use = field(node, "use");
  if (!use) {
    mistakes.push_back({node.at, into.id + ": has no use; write fit, check, note or mixed"});
    return;
  }
  into.whole = use_named(text_of(*use));
  if (!into.whole && text_of(*use) != "mixed") {
    mistakes.push_back({use->at, into.id + ": use is fit, check, note or mixed"});
  }
  for (const auto& [name, list] :
       {std::pair{"fit_rows", &into.fit_rows}, std::pair{"note_rows", &into.note_rows}}) {
    const Node* rows = field(node, name);
    if (!rows) continue;
    for (const Node& row : rows->items) {
      const auto number = index_of(row);
      if (number && *number < into.rows.size())
        list->push_back(*number);
      else
        mistakes.push_back({row.at, into.id + ": " + name + " names a row that isn't there"});
    }
  }
  if (const Node* keys = field(node, "fit_keys")) {
    for (const Node& key : keys->items) into.fit_keys.push_back(text_of(key));
  }
}

Dataset read_dataset(const Node& node, std::vector<Mistake>& mistakes) {
  Dataset set;
  set.at = node.at;
  for (const auto& [name, text] :
       {std::pair{"id", &set.id}, std::pair{"title", &set.title},
        std::pair{"quantity", &set.quantity}, std::pair{"unit", &set.unit}}) {
    const Node* given = field(node, name);
    if (given)
      *text = text_of(*given);
    else
      mistakes.push_back({node.at, "dataset " + set.id + " has no " + name});
  }
  const Node* data = field(node, "data");
  if (!data || !is_map(*data))
    mistakes.push_back({node.at, set.id + ": has no data"});
  else if (field(*data, "rows"))
    read_rows(*data, set, mistakes);
  else
    flatten(*data, "", set);
  read_use(node, set, mistakes);
  return set;
}

}  // namespace

Use Dataset::row_use(std::size_t row) const {
  if (whole) return *whole;
  return has(fit_rows, row) ? Use::fit : has(note_rows, row) ? Use::note : Use::check;
}

Use Dataset::key_use(std::string_view key) const {
  if (whole) return *whole;
  return has(fit_keys, key) || has(fit_keys, key.substr(0, key.find('.'))) ? Use::fit : Use::check;
}

std::vector<Use> Dataset::uses() const {
  if (whole) return {*whole};
  bool seen[3] = {};
  for (std::size_t row = 0; row < rows.size(); ++row) seen[static_cast<int>(row_use(row))] = true;
  for (const auto& [key, cell] : scalars) seen[static_cast<int>(key_use(key))] = true;
  std::vector<Use> found;
  for (const Use use : {Use::fit, Use::check, Use::note}) {
    if (seen[static_cast<int>(use)]) found.push_back(use);
  }
  return found;
}

std::optional<std::size_t> Dataset::column(std::string_view name) const {
  const auto at_column = std::find(columns.begin(), columns.end(), name);
  if (at_column == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(at_column - columns.begin());
}

const Cell* Dataset::scalar(std::string_view key) const {
  for (const auto& [name, cell] : scalars) {
    if (name == key) return &cell;
  }
  return nullptr;
}

std::vector<Dataset> load_datasets(const std::string& file) {
  const Node root = text::load(file);
  std::vector<Mistake> mistakes;
  std::vector<Dataset> datasets;
  const Node* list = field(root, "datasets");
  if (!list) throw ConfigError({file}, "has no 'datasets'");
  for (const Node& node : list->items) {
    Dataset set = read_dataset(node, mistakes);
    if (const Dataset* first = find(datasets, set.id)) {
      mistakes.push_back({set.at, set.id + ": given twice (first on line " +
                                      std::to_string(first->at.line) + ")"});
    }
    datasets.push_back(std::move(set));
  }
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
  return datasets;
}

const Dataset* find(const std::vector<Dataset>& datasets, std::string_view id) {
  for (const Dataset& set : datasets) {
    if (set.id == id) return &set;
  }
  return nullptr;
}

}  // namespace gicsim::reference
