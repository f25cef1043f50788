// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/reference/measured.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "traces/result/read.h"
#include "validate/reference/detail/tree.h"

namespace gicsim::reference {
namespace {

namespace fs = std::filesystem;

std::string text_of(const Record::Plain& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number ? std::to_string(*number) : std::get<std::string>(value);
}

/// Words that a record's pattern, path, quantity and keys must equal; a list: any of it.
struct Filter {
  std::vector<std::pair<std::string, std::vector<std::string>>> words;

  bool agrees(const Record& record) const {
    return std::all_of(words.begin(), words.end(), [&](const auto& word) {
      std::string given;
      if (word.first == "pattern") given = to_name(record.pattern);
      else if (word.first == "path") given = to_name(record.path);
      else if (word.first == "quantity") given = to_name(record.quantity);
      for (const auto& [key, value] : record.where)
        if (key == word.first) given = text_of(value);
      return std::find(word.second.begin(), word.second.end(), given) != word.second.end();
    });
  }
};

struct Rule {
  Filter filter;
  Use use = Use::check;
  std::string why;
  std::map<std::string, std::string> keys;  ///< laid over the scenario's
};

/// What the file says beside its records.
struct Rules {
  std::vector<std::string> ignored;
  std::map<std::string, std::string> renamed;
  std::vector<Rule> uses, not_expressed, given;
};

class Reader {
 public:
  explicit Reader(std::vector<Mistake>& mistakes) : mistakes_(mistakes) {}

  /// @param word  what each rule must have: use, why or keys
  void rules(const Node& list, const std::string& word, std::vector<Rule>& into) {
    if (!is_list(list)) return wrong(list.at, "not a list; write '- {" + word + ": ..., pattern: fence}'");
    for (const Node& item : list.items) {
      Rule rule;
      for (const Member& member : item.members) {
        if (member.key == "why") rule.why = reference::text_of(member.value);
        else if (member.key == "use") rule.use = use(member.value);
        else if (member.key == "keys")
          for (const Member& key : member.value.members) rule.keys[key.key] = reference::text_of(key.value);
        else rule.filter.words.emplace_back(member.key, words(member.value));
      }
      if (item.find(word) == nullptr) wrong(item.at, word + ": missing; write '{" + word + ": ..., pattern: fence}'");
      into.push_back(std::move(rule));
    }
  }
  std::vector<std::string> words(const Node& node) {
    if (is_scalar(node)) return {node.value};
    std::vector<std::string> all;
    for (const Node& item : node.items) all.push_back(item.value);
    if (all.empty()) wrong(node.at, "neither a word nor a list of words");
    return all;
  }
  void wrong(const Location& at, std::string what) { mistakes_.push_back({at, std::move(what)}); }

 private:
  Use use(const Node& node) {
    const auto names = names_of(Use{});
    const auto found = std::find(names.begin(), names.end(), node.value);
    if (found == names.end()) wrong(node.at, "use: '" + node.value + "' is none of fit, check, note");
    return found == names.end() ? Use::check : static_cast<Use>(found - names.begin());
  }
  std::vector<Mistake>& mistakes_;
};

/// Bytes carry their unit in a scenario, all else is a plain word or count.
std::string as_scenario_value(const std::string& key, const Record::Plain& value) {
  const bool size = key == "bytes" || key == "footprint" || key == "stride";
  return text_of(value) + (size && std::holds_alternative<std::int64_t>(value) ? " B" : "");
}

std::string label_of(const Record& record) {
  std::string label(to_name(record.pattern));
  if (record.path != Path::none) label += " " + std::string(to_name(record.path));
  for (const auto& [key, value] : record.where) label += " " + key + "=" + text_of(value);
  return label;
}

MeasuredRow row_of(const Record& record, const Rules& rules, const std::string& system) {
  MeasuredRow row;
  row.label = label_of(record) + ": " + std::string(to_name(record.quantity));
  row.quantity = record.quantity;
  for (const Rule& rule : rules.not_expressed)
    if (row.why.empty() && rule.filter.agrees(record)) row.why = rule.why;
  const auto found = std::find_if(rules.uses.begin(), rules.uses.end(), [&](const Rule& r) { return r.filter.agrees(record); });
  row.use = found == rules.uses.end() ? Use::check : found->use;
  if (static_cast<std::size_t>(record.pattern) >= simulated_patterns && row.why.empty())
    row.why = "the simulator has no pattern '" + std::string(to_name(record.pattern)) + "'";
  row.run.keys = {{"system", system},
                  {"pattern", std::string(to_name(record.pattern))},
                  {"path", std::string(to_name(record.path))}};
  for (const auto& [key, value] : record.where) {
    if (std::find(rules.ignored.begin(), rules.ignored.end(), key) != rules.ignored.end()) continue;
    const auto other = rules.renamed.find(key);
    row.run.keys[other == rules.renamed.end() ? key : other->second] = as_scenario_value(key, value);
  }
  for (const Rule& rule : rules.given)
    if (rule.filter.agrees(record))
      for (const auto& [key, value] : rule.keys) row.run.keys[key] = value;
  return row;
}

double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::vector<Record> read(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw ConfigError({file, 0, 0}, "can't be read");
  return read_records(in, file);
}

/// Of records that nobody wrote a file for: enough rounds for a model that has no spread, few for what takes long.
Rules usual() {
  Rules rules;
  rules.ignored = {"mapping", "before", "footprint", "stride", "partner"};
  rules.renamed = {{"operation", "atomic"}};
  rules.not_expressed.push_back({{{{"pattern", {"host_store", "host_atomic"}}, {"quantity", {"message_rate"}}}},
                                 Use::check,
                                 "the simulator has no rate of stores or atomics that each leave the GPU by themselves",
                                 {}});
  const auto given = [&](Filter filter, const char* iterations, const char* warmup) {
    rules.given.push_back({std::move(filter), Use::check, "", {{"iterations", iterations}, {"warmup", warmup}}});
  };
  given({}, "20", "4");
  given({{{"pattern", {"put_bw", "message_rate"}}}}, "200", "100");
  given({{{"pattern", {"host_load", "host_store"}}, {"quantity", {"bandwidth", "message_rate"}}}}, "32", "16");
  given({{{"bytes", {"4194304", "8388608", "16777216", "33554432", "67108864"}}}}, "2", "1");
  given({{{"bytes", {"134217728", "268435456", "536870912", "1073741824"}}}}, "1", "0");
  return rules;
}

/// A table a pattern, rows in order of their first appearance.
std::vector<MeasuredTable> tables(const std::vector<std::vector<Record>>& runs, const Rules& rules, const std::string& about,
                                  const std::string& system_given, const std::string& name = "") {
  struct Group {
    const Record* first;
    std::vector<double> values;
    double low, high;
  };
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;
  for (const std::vector<Record>& run : runs)
    for (const Record& r : run) {
      const double low = r.repeats ? r.repeats->low : r.value, high = r.repeats ? r.repeats->high : r.value;
      const auto [at, is_new] =
          known.try_emplace(r.system + " " + label_of(r) + " " + std::string(to_name(r.quantity)), groups.size());
      if (is_new) groups.push_back({&r, {}, low, high});
      Group& group = groups[at->second];
      group.values.push_back(r.value);
      group.low = std::min(group.low, low), group.high = std::max(group.high, high);
    }
  std::vector<MeasuredTable> all;
  for (const Group& group : groups) {
    const std::string system = system_given.empty() ? group.first->system : system_given;
    const std::string id = (name.empty() ? system : name) + "." + std::string(to_name(group.first->pattern));
    auto table = std::find_if(all.begin(), all.end(), [&](const MeasuredTable& t) { return t.id == id; });
    if (table == all.end()) table = all.insert(all.end(), {id, about, system, {}});
    MeasuredRow row = row_of(*group.first, rules, system);
    row.value = middle(group.values), row.low = group.low, row.high = group.high;
    row.runs = static_cast<std::int64_t>(group.values.size());
    table->rows.push_back(std::move(row));
  }
  return all;
}

}  // namespace

std::vector<MeasuredTable> load_measured(const std::string& file) {
  const Node root = text::load(file);
  std::vector<Mistake> mistakes;
  Reader reader(mistakes);
  Rules rules;
  std::string system, about, name;
  std::vector<std::string> records;
  for (const Member& member : root.members) {
    if (member.key == "system") system = reference::text_of(member.value);
    else if (member.key == "name") name = reference::text_of(member.value);
    else if (member.key == "about") about = reference::text_of(member.value);
    else if (member.key == "records" && is_list(member.value) && member.value.items.empty()) return {};  // none yet
    else if (member.key == "records") records = reader.words(member.value);
    else if (member.key == "ignored") rules.ignored = reader.words(member.value);
    else if (member.key == "renamed")
      for (const Member& name : member.value.members) rules.renamed[name.key] = reference::text_of(name.value);
    else if (member.key == "use") reader.rules(member.value, "use", rules.uses);
    else if (member.key == "not_expressed") reader.rules(member.value, "why", rules.not_expressed);
    else if (member.key == "given") reader.rules(member.value, "keys", rules.given);
    else reader.wrong(member.at, member.key + ": no such key; known are system, name, about, records, ignored, renamed, given, use, not_expressed");
  }
  if (system.empty()) reader.wrong(root.at, "system: missing; write the name of configs/systems/NAME.yaml");
  if (records.empty()) reader.wrong(root.at, "records: missing; write '[NAME.jsonl]', files beside this one");
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
  std::vector<std::vector<Record>> runs;
  for (const std::string& name : records) runs.push_back(read((fs::path(file).parent_path() / name).string()));
  return tables(runs, rules, about, system, name);
}

std::vector<MeasuredTable> load_all_measured(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  std::vector<MeasuredTable> all;
  for (const std::string& file : files)
    for (MeasuredTable& table : load_measured(file)) all.push_back(std::move(table));
  return all;
}

std::vector<MeasuredTable> from_records(const std::vector<std::string>& files, const std::string& system) {
  std::vector<std::vector<Record>> runs;
  for (const std::string& file : files) runs.push_back(read(file));
  return tables(runs, usual(), "records given", system);
}

}  // namespace gicsim::reference
