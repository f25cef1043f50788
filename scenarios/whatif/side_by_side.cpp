// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/side_by_side.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>

#include "models/units/text.h"
#include "scenarios/report/sums.h"
#include "scenarios/schema/hint.h"
#include "scenarios/whatif/run.h"

namespace gicsim::whatif {
namespace {

constexpr Bytes smallest = 8_B;

/// All threads together; a stream fills its link long before.
Bytes largest(const schema::Scenario& s) {
  const Bytes together = is_stream(s.pattern) ? 1_MiB : 64_MiB;
  return std::max(4_KiB, Bytes(std::bit_floor(static_cast<std::uint64_t>(together / Bytes(s.threads)))));
}

/// A latency at another size is a median of messages that are alike: a few will do. A stream's window needs some
/// hundred, or several batches that fill the link by themselves.
void shorten(schema::Scenario& s) {
  const Count fit = (is_stream(s.pattern) ? 64_MiB : 4_MiB) / (s.bytes * s.threads);
  if (is_stream(s.pattern)) {
    s.iterations = std::clamp<Count>(fit, 8 * s.batch, std::max<Count>(2000, 8 * s.batch));
    s.warmup = s.iterations / 4;
  } else {
    s.iterations = std::min(s.iterations, std::clamp<Count>(fit, 2, s.threads > 64 ? 4 : 20));
    s.warmup = std::min<Count>(s.warmup, std::max<Count>(1, s.iterations / 4));
  }
}

/// Headlines this near to each other are equal: which one is ahead says nothing.
constexpr double near = 0.001;

class Runs {
 public:
  Runs(const std::string& name, const std::vector<schema::Override>& set, const std::string& root)
      : name_(name), set_(set), root_(root) {}

  /// A payload that the file wants inline is read where it doesn't fit; `note` then says so.
  schema::Scenario load(Path path, std::optional<Bytes> bytes = {}, std::string* note = nullptr) const {
    std::vector<schema::Override> given = set_;
    given.push_back({"path", std::string(to_name(path)), "--paths"});
    if (bytes) given.push_back({"bytes", text::write(*bytes), "--paths"});
    const bool free = std::none_of(set_.begin(), set_.end(), [](const auto& one) { return one.key == "payload"; });
    try {
      return schema::load_scenario(name_, given, root_);
    } catch (const schema::Inexpressible& error) {
      if (!free || !error.mistakes().front().what.starts_with("payload: inline")) throw;
    }
    given.push_back({"payload", "read", "--paths"});
    if (note) *note = "the payload is read, as it doesn't go inline here";
    return schema::load_scenario(name_, given, root_);
  }

  /// The headline at another size; nothing where the path can't express it or doesn't end well.
  std::optional<double> headline(Path path, Bytes bytes) {
    const auto [known, is_new] = headlines_.try_emplace({path, bytes.count()});
    if (!is_new) return known->second;
    std::optional<schema::Scenario> scenario = at(path, bytes);
    if (!scenario) return std::nullopt;
    shorten(*scenario);
    const report::Finished run = run_scenario(*scenario, {.gain = false});
    const Record* record = report::answer(run);
    if (run.status == Status::done && record) known->second = record->value;
    return known->second;
  }

 private:
  std::optional<schema::Scenario> at(Path path, Bytes bytes) const {
    try {
      return load(path, bytes);
    } catch (const schema::Inexpressible&) {
      return std::nullopt;
    }
  }

  const std::string& name_;
  const std::vector<schema::Override>& set_;
  const std::string& root_;
  std::map<std::pair<Path, std::int64_t>, std::optional<double>> headlines_;
};

/// What a path alone doesn't know is not worth a word; what none of them knows is.
std::vector<std::string> common(const std::vector<report::PathRun>& paths) {
  std::optional<std::vector<std::string>> all;
  for (const report::PathRun& path : paths) {
    if (!path.run) continue;
    if (!all) all = path.run->warnings;
    std::erase_if(*all, [&](const std::string& said) {
      const auto key = said.substr(0, said.find(':'));
      return std::none_of(path.run->warnings.begin(), path.run->warnings.end(),
                          [&](const std::string& other) { return other.substr(0, other.find(':')) == key; });
    });
  }
  return all.value_or(std::vector<std::string>{});
}

std::optional<int> better(std::optional<double> a, std::optional<double> b, bool rate) {
  if (!a || !b) return std::nullopt;
  if (std::abs(*a - *b) <= near * std::max(*a, *b)) return 0;
  return (*a < *b) == rate ? 1 : -1;
}

}  // namespace

std::vector<Path> paths_from(const std::string& names) {
  std::vector<std::string_view> known;  // all that submit something: `none` comes last
  for (const std::string_view name : names_of(Path{}))
    if (name != to_name(Path::none)) known.push_back(name);
  std::vector<Path> paths;
  if (names == "all") {
    for (std::size_t i = 0; i < known.size(); ++i) paths.push_back(static_cast<Path>(i));
    return paths;
  }
  for (std::size_t start = 0;;) {
    const std::size_t comma = std::min(names.find(',', start), names.size());
    const std::string name = names.substr(start, comma - start);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      std::vector<std::string> all(known.begin(), known.end());
      all.insert(all.begin(), "all");
      throw ConfigError({"--paths " + names, 0, 0},
                        "'" + name + "' is none of " + schema::listed(all) + schema::did_you_mean(name, all));
    }
    const Path path = static_cast<Path>(found - known.begin());
    if (std::find(paths.begin(), paths.end(), path) != paths.end())
      throw ConfigError({"--paths " + names, 0, 0}, "'" + name + "' is given twice");
    paths.push_back(path);
    if (comma == names.size()) return paths;
    start = comma + 1;
  }
}

report::Crossover crossover(Path first, Path second, Bytes low, Bytes high, const Order& order) {
  report::Crossover found{first, second, {}, std::nullopt, ""};
  const auto ahead = [&](int sign) { return sign < 0 ? first : second; };
  std::optional<Bytes> last;  // the largest size so far at which one is ahead
  int sign = 0;
  std::size_t known = 0;
  const auto compare = [&](Bytes at) -> int {
    const auto now = order(at);
    if (now) ++known;
    return now.value_or(0);
  };
  for (Bytes at = low;; at = std::min(at * 8, high)) {
    const int now = compare(at);
    if (last && now * sign < 0) {
      Bytes before = *last, after = at;
      while (before * 2 < after) {
        const int steps = std::bit_width(static_cast<std::uint64_t>(after / before)) - 1;
        const Bytes middle = before * (Count{1} << steps / 2);
        const int there = compare(middle);
        if (there * sign > 0) before = middle;
        else if (there * now > 0) after = middle;
        else break;  // equal in between: the flip has a width
      }
      found.flips.push_back({ahead(sign), ahead(now), before, after});
    }
    if (now != 0) last = at, sign = now;
    if (at == high) break;
  }
  if (known < 2) found.why_not = "not looked for: both know this size alone";
  if (found.flips.empty() && sign != 0) found.ahead = ahead(sign);
  return found;
}

report::SideBySide side_by_side(const std::string& name, const std::vector<schema::Override>& set,
                                const std::vector<Path>& paths, const std::string& root) {
  Runs runs(name, set, root);
  report::SideBySide table;
  std::optional<schema::Inexpressible> refused;
  std::vector<Path> able;
  bool rate = false;
  table.smallest = smallest;
  for (const Path path : paths) {
    report::PathRun& row = table.paths.emplace_back();
    row.path = path;
    try {
      const schema::Scenario scenario = runs.load(path, {}, &row.note);
      row.run = run_scenario(scenario, {.gain = false});
      rate = is_stream(scenario.pattern);
      table.largest = largest(scenario);
      able.push_back(path);
    } catch (const schema::Inexpressible& error) {
      row.why_not = error.mistakes().front().what;
      refused = error;
    }
  }
  if (able.empty()) throw *refused;
  const auto any =
      std::find_if(table.paths.begin(), table.paths.end(), [](const auto& row) { return row.run.has_value(); });
  table.scenario = any->run->scenario;
  table.about = any->run->about;
  table.system = any->run->system;
  table.seed = any->run->seed;
  table.warnings = common(table.paths);
  for (std::size_t i = 0; i < able.size(); ++i)
    for (std::size_t j = i + 1; j < able.size(); ++j)
      table.crossovers.push_back(crossover(able[i], able[j], table.smallest, table.largest, [&](Bytes bytes) {
        return better(runs.headline(able[i], bytes), runs.headline(able[j], bytes), rate);
      }));
  return table;
}

}  // namespace gicsim::whatif
