// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/reference/map.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "validate/reference/detail/layer.h"
#include "validate/reference/detail/tree.h"

namespace gicsim::reference {
namespace {

/// What one entry of `not_expressed` covers: rows and columns given, or all where not given.
struct Excuse {
  std::set<std::size_t> rows;
  std::set<std::string> columns;
  std::string why;
  Location at;
  bool used = false;

  bool covers(const Spot& spot) const {
    return (rows.empty() || (spot.row && rows.count(*spot.row))) &&
           (columns.empty() || columns.count(spot.column));
  }
};

std::vector<Node> one_or_list(const Node* node) {
  if (!node) return {};
  return is_list(*node) ? node->items : std::vector<Node>{*node};
}

/// Reads one map file against its dataset.
class Reader {
 public:
  Reader(const Node& root, const Dataset& dataset, std::vector<Mistake>& mistakes)
      : root_(root), dataset_(dataset), mistakes_(mistakes) {}

  Map read() {
    map_.table = dataset_.id;
    if (const Node* about = field(root_, "about")) map_.about = text_of(*about);
    read_tolerances();
    if (const Node* defaults = field(root_, "defaults")) defaults_.add(*defaults, {}, mistakes_);
    read_columns();
    read_entries();
    read_excuses();
    read_settings();
    for (Spot& spot : spots_of(dataset_)) {
      if (is_setting(spot.column)) continue;
      if (spot.row && !map_.settings.empty())
        spot.label = setting_of(*spot.row) + ": " + spot.column;
      place(std::move(spot));
    }
    for (const Excuse& excuse : excuses_) {
      if (!excuse.used) wrong(excuse.at, "excuses no figure of " + dataset_.id);
    }
    return std::move(map_);
  }

 private:
  void wrong(const Location& at, std::string what) { mistakes_.push_back({at, std::move(what)}); }

  void read_tolerances() {
    const Node* tolerance = field(root_, "tolerance");
    if (!tolerance) return;
    for (const auto& [use, at, node] : tolerance->members) {
      std::string text = text_of(node);
      const bool percent = text.ends_with("%");
      if (percent) text.pop_back();
      try {
        const double fraction = std::stod(text) / 100;
        if (percent && use == "fit")
          map_.tolerance_fit = fraction;
        else if (percent && use == "check")
          map_.tolerance_check = fraction;
        else
          wrong(node.at, "tolerance takes fit and check, each in %");
      } catch (const std::exception&) {
        wrong(node.at, "'" + text + "' is no percentage");
      }
    }
  }

  void read_settings() {
    for (const Node& name : one_or_list(field(root_, "settings"))) {
      if (!dataset_.column(text_of(name)))
        wrong(name.at, dataset_.id + " has no column '" + text_of(name) + "'");
      else
        map_.settings.push_back(text_of(name));
    }
  }

  bool is_setting(const std::string& column) const {
    return std::find(map_.settings.begin(), map_.settings.end(), column) != map_.settings.end();
  }

  /// "threads 32, qps 32, sms 1, batch 16"
  std::string setting_of(std::size_t row) const {
    std::string text = dataset_.columns[0] + " " + dataset_.rows[row][0].text;
    for (const std::string& name : map_.settings) {
      const std::string& value = dataset_.rows[row][*dataset_.column(name)].text;
      if (!value.empty()) text += ", " + name + " " + value;
    }
    return text;
  }

  void read_columns() {
    const Node* columns = field(root_, "columns");
    if (!columns) return;
    for (const auto& [name, at, node] : columns->members) {
      if (!dataset_.column(name)) wrong(node.at, dataset_.id + " has no column '" + name + "'");
      Layer layer = defaults_;
      layer.add(node, {}, mistakes_);
      columns_[name] = layer;
    }
  }

  void read_entries() {
    for (const std::string list : {"rows", "keys"}) {
      const Node* entries = field(root_, list);
      if (!entries) continue;
      for (const Node& entry : entries->items) {
        if (const Node* row = field(entry, "row")) {
          const auto number = index_of(*row);
          if (!number || *number >= dataset_.rows.size())
            wrong(row->at, dataset_.id + " has no such row");
          else if (!rows_.emplace(*number, &entry).second)
            wrong(row->at, "row given twice");
        } else if (const Node* key = field(entry, "key")) {
          if (!dataset_.scalar(text_of(*key)))
            wrong(key->at, dataset_.id + " has no key '" + text_of(*key) + "'");
          else if (!keys_.emplace(text_of(*key), &entry).second)
            wrong(key->at, "key given twice");
        } else {
          wrong(entry.at, "names neither a row nor a key");
        }
      }
    }
  }

  void read_excuses() {
    const Node* list = field(root_, "not_expressed");
    if (!list) return;
    for (const Node& entry : list->items) {
      Excuse excuse;
      excuse.at = entry.at;
      for (const Node& row : one_or_list(field(entry, "row"))) {
        if (const auto number = index_of(row))
          excuse.rows.insert(*number);
        else
          wrong(row.at, "row is a number from 0");
      }
      for (const char* word : {"column", "key"}) {
        for (const Node& name : one_or_list(field(entry, word))) {
          const std::string text = text_of(name);
          if (!dataset_.column(text) && !dataset_.scalar(text)) {
            wrong(name.at, dataset_.id + " has no column or key '" + text + "'");
          }
          excuse.columns.insert(text);
        }
      }
      if (const Node* why = field(entry, "why")) excuse.why = text_of(*why);
      if (excuse.why.empty()) wrong(entry.at, "doesn't say why");
      excuses_.push_back(std::move(excuse));
    }
  }

  void place(Spot spot) {
    int found = 0;
    for (Excuse& excuse : excuses_) {
      if (!excuse.covers(spot)) continue;
      excuse.used = true;
      if (++found == 1)
        map_.not_expressed.push_back({spot, excuse.why});
      else
        wrong(excuse.at, spot.label + " is excused twice");
    }
    if (found) return;
    const Node* entry = nullptr;
    Layer layer = defaults_;
    if (spot.row) {
      const auto row = rows_.find(*spot.row);
      const auto column = columns_.find(spot.column);
      if (row != rows_.end() && column != columns_.end())
        entry = row->second, layer = column->second;
    } else if (const auto key = keys_.find(spot.column); key != keys_.end()) {
      entry = key->second;
    }
    if (!entry) {
      wrong(root_.at, dataset_.id + ", " + spot.label + ": neither expressed nor excused");
      return;
    }
    const Cell& cell = spot.row ? dataset_.rows[*spot.row][*dataset_.column(spot.column)]
                                : *dataset_.scalar(spot.column);
    if (!cell.range && (!cell.number || *cell.number == 0)) {
      wrong(entry->at, spot.label + ": is no number other than zero, so no run can be held to it");
    }
    layer.add(*entry, {"row", "key", "label"}, mistakes_);
    map_.expressed.push_back(to_expressed(layer, std::move(spot), dataset_, entry->at, mistakes_));
  }

  const Node& root_;
  const Dataset& dataset_;
  std::vector<Mistake>& mistakes_;
  Map map_;
  Layer defaults_;
  std::map<std::string, Layer> columns_;
  std::map<std::size_t, const Node*> rows_;
  std::map<std::string, const Node*> keys_;
  std::vector<Excuse> excuses_;
};

}  // namespace

std::vector<Spot> spots_of(const Dataset& dataset) {
  std::vector<Spot> spots;
  for (std::size_t row = 0; row < dataset.rows.size(); ++row) {
    for (std::size_t column = 1; column < dataset.columns.size(); ++column) {
      const Cell& cell = dataset.rows[row][column];
      if (!cell.number) continue;
      const std::string& name = dataset.columns[column];
      spots.push_back(
          {row, name, dataset.rows[row][0].text + ": " + name, dataset.row_use(row), *cell.number, {}});
    }
  }
  for (const auto& [key, cell] : dataset.scalars) {
    Spot spot{std::nullopt, key, key, dataset.key_use(key), cell.number.value_or(0), {}};
    if (cell.range) std::tie(spot.value, spot.most) = *cell.range;
    spots.push_back(std::move(spot));
  }
  return spots;
}

Maps load_maps(const std::string& folder, const std::vector<Dataset>& datasets) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  Maps maps;
  std::vector<Mistake> mistakes;
  std::map<std::string, Location> seen;
  const auto claim = [&](const std::string& table, const Location& at) -> const Dataset* {
    const Dataset* dataset = find(datasets, table);
    if (!dataset)
      mistakes.push_back({at, "no dataset is called '" + table + "'"});
    else if (!seen.emplace(table, at).second)
      mistakes.push_back({at, table + " is given twice (first " + to_text(seen[table]) + ")"});
    else
      return dataset;
    return nullptr;
  };
  for (const std::string& file : files) {
    const Node root = text::load(file);
    if (const Node* none = field(root, "none")) {
      for (const Node& group : none->items) {
        const Node* why = field(group, "why");
        if (!why) mistakes.push_back({group.at, "doesn't say why"});
        for (const Node& table : one_or_list(field(group, "tables"))) {
          if (claim(text_of(table), table.at) && why)
            maps.none.push_back({text_of(table), text_of(*why)});
        }
      }
    } else if (const Node* table = field(root, "table")) {
      if (const Dataset* dataset = claim(text_of(*table), table->at)) {
        maps.maps.push_back(Reader(root, *dataset, mistakes).read());
      }
    } else {
      mistakes.push_back({{file}, "names no table"});
    }
  }
  for (const Dataset& dataset : datasets) {
    if (!seen.count(dataset.id))
      mistakes.push_back({{folder}, dataset.id + " has neither a map nor a reason"});
  }
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
  const auto place_of = [&](const std::string& table) { return find(datasets, table); };
  std::sort(maps.maps.begin(), maps.maps.end(),
            [&](const Map& a, const Map& b) { return place_of(a.table) < place_of(b.table); });
  std::sort(maps.none.begin(), maps.none.end(),
            [&](const NoMap& a, const NoMap& b) { return place_of(a.table) < place_of(b.table); });
  return maps;
}

}  // namespace gicsim::reference
