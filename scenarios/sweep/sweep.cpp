// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/sweep/sweep.h"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <system_error>
#include <tuple>

#include "scenarios/report/sums.h"
#include "scenarios/sweep/pool.h"
#include "traces/result/read.h"

namespace gicsim::sweep {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_points = 1'000'000;

std::size_t size_of(const std::vector<Axis>& axes) {
  std::size_t size = 1;
  for (const Axis& axis : axes) {
    size *= axis.values.size();
    if (size > most_points)
      throw ConfigError({"--vary " + axis.key, 0, 0}, "makes more than " + std::to_string(most_points) + " points");
  }
  return size;
}

std::vector<std::string> values_at(const std::vector<Axis>& axes, std::size_t number) {
  std::vector<std::string> values(axes.size());
  for (std::size_t i = axes.size(); i-- > 0; number /= axes[i].values.size())
    values[i] = axes[i].values[number % axes[i].values.size()];
  return values;
}

class Mistakes {
 public:
  void add(const Mistake& mistake) {
    const Location& at = mistake.at;
    if (said_.emplace(at.file, at.line, at.column, mistake.what).second) all_.push_back(mistake);
  }
  /// That it can't be expressed says nothing about a value.
  void try_to_load(const Request& request, const std::vector<std::string>& values) {
    try {
      schema::load_scenario(request.scenario, overrides(request, values), request.root);
    } catch (const schema::Inexpressible&) {
    } catch (const ConfigError& error) {
      for (const Mistake& mistake : error.mistakes()) add(mistake);
    }
  }
  void throw_if_any() {
    if (!all_.empty()) throw ConfigError(std::move(all_));
  }

 private:
  std::vector<Mistake> all_;
  std::set<std::tuple<std::string, int, int, std::string>> said_;
};

/// A scenario key's value is read by itself; a parameter's is tried with the first values of the other axes.
void check_axes(const Request& request) {
  Mistakes mistakes;
  const std::vector<std::string> first = values_at(request.axes, 0);
  mistakes.try_to_load(request, first);
  for (std::size_t i = 0; i < request.axes.size(); ++i) {
    const Axis& axis = request.axes[i];
    const int place = schema::scenario_block().find(axis.key);
    const schema::Field* key = place < 0 ? nullptr : &schema::scenario_block().fields[static_cast<std::size_t>(place)];
    for (const std::string& value : axis.values) {
      std::vector<std::string> values = first;
      values[i] = value;
      if (!key || key->type == schema::Type::word) mistakes.try_to_load(request, values);
      else if (const std::string wrong = key->read(value, nullptr); !wrong.empty())
        mistakes.add({{"--vary " + axis.key + "=" + value, 0, 0}, axis.key + ": " + wrong});
    }
  }
  mistakes.throw_if_any();
}

void check_keys(const Request& request) {
  std::set<std::string> keys;
  for (const Axis& axis : request.axes) {
    const Location at{"--vary " + axis.key, 0, 0};
    if (!keys.insert(axis.key).second) throw ConfigError(at, "given twice; write its values in one list");
    for (const schema::Override& set : request.set)
      if (set.key == axis.key) throw ConfigError(at, "is set, too; drop '--set " + set.key + "=" + set.value + "'");
  }
}

Point failed(int code, const std::string& why) {
  return {{}, code, "error", Quantity::put_completion, {}, why};
}

std::string why_not_done(const report::Finished& run) {
  if (run.diagnosis) return run.diagnosis->what;
  return "ended '" + std::string(to_name(run.status)) + "', not '" + std::string(to_name(run.expected)) + "'";
}

Point outcome(const Request& request, const std::vector<std::string>& values, const Simulate& simulate) {
  const report::Finished run =
      simulate(schema::load_scenario(request.scenario, overrides(request, values), request.root));
  Point point{{}, 0, std::string(to_name(run.status)), run.headline, run.results};
  if (const auto wrong = report::imbalances(run); !wrong.empty()) {
    point.code = 3;
    point.error = wrong.front();
  } else if (run.status != run.expected) {
    point.code = 1;
    point.error = why_not_done(run);
  }
  return point;
}

/// A point's own process catches what cli/ would: another point's figures must not be lost with it.
Point tried(const Request& request, const std::vector<std::string>& values, const Simulate& simulate) {
  try {
    return outcome(request, values, simulate);
  } catch (const ConfigError& error) {
    return failed(2, error.mistakes().front().what);
  } catch (const HardwareError& error) {
    return failed(4, error.what());
  } catch (const std::system_error& error) {
    return failed(4, error.what());
  } catch (const std::bad_alloc&) {
    return failed(4, "out of memory");
  } catch (const std::exception& error) {
    return failed(3, std::string("bug: ") + error.what());
  }
}

std::string packed(const Point& point) {
  const Json head = {{"code", point.code},
                     {"status", point.status},
                     {"headline", static_cast<int>(point.headline)},
                     {"error", point.error}};
  std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (const Record& record : point.results) text += to_json_line(record) + "\n";
  return text;
}

Point unpacked(const Ended& ended) {
  if (!ended.broke_off.empty()) return failed(3, ended.broke_off);
  std::istringstream in(ended.said);
  std::string head;
  std::getline(in, head);
  const Json json = Json::parse(head);
  return {{},
          json.at("code"),
          json.at("status"),
          static_cast<Quantity>(json.at("headline").get<int>()),
          read_records(in, "a point"),
          json.at("error")};
}

bool alike(const Point& a, const Point& b) {
  const auto figures = [](const Record& r) { return std::tie(r.quantity, r.value, r.p50, r.p99, r.min, r.max, r.n); };
  return a.code == b.code && a.error == b.error &&
         std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(),
                    [&](const Record& x, const Record& y) { return figures(x) == figures(y); });
}

/// Points that differ in one axis alone stand `stride` apart.
std::vector<std::string> idle_axes(const Swept& swept) {
  std::vector<std::string> notes;
  std::size_t stride = swept.points.size();
  for (const Axis& axis : swept.axes) {
    const std::size_t length = axis.values.size();
    stride /= length;
    bool idle = length > 1;
    for (std::size_t i = 0; i < swept.points.size() && idle; ++i)
      if (i / stride % length != 0) idle = alike(swept.points[i], swept.points[i - stride]);
    if (idle) notes.push_back(axis.key + " changes nothing: all its values give the same figures");
  }
  return notes;
}

/// Nothing was run: the first point's mistakes are the user's.
void refuse_if_none(const Request& request, const Swept& swept) {
  const bool none = std::all_of(swept.points.begin(), swept.points.end(), [](const Point& p) { return p.code == 2; });
  if (none) schema::load_scenario(request.scenario, overrides(request, swept.points.front().values), request.root);
}

std::string name_of(const std::string& name_or_file) {
  const std::string file = name_or_file.substr(name_or_file.rfind('/') + 1);
  return file.ends_with(".yaml") ? file.substr(0, file.size() - 5) : file;
}

}  // namespace

std::vector<schema::Override> overrides(const Request& request, const std::vector<std::string>& values) {
  std::vector<schema::Override> all = request.set;
  for (std::size_t i = 0; i < values.size(); ++i) all.push_back({request.axes[i].key, values[i], "--vary"});
  return all;
}

Swept run(const Request& request, const Simulate& simulate, const Progress& progress) {
  check_keys(request);
  Swept swept;
  swept.scenario = name_of(request.scenario);
  swept.axes = request.axes;
  swept.points.resize(size_of(request.axes));
  check_axes(request);
  std::size_t done = 0, failures = 0;
  run_apart(
      swept.points.size(), request.jobs,
      [&](std::size_t i) { return packed(tried(request, values_at(request.axes, i), simulate)); },
      [&](std::size_t i, const Ended& ended) {
        swept.points[i] = unpacked(ended);
        failures += swept.points[i].code != 0;
        progress(++done, failures, swept.points.size());
      });
  for (std::size_t i = 0; i < swept.points.size(); ++i) swept.points[i].values = values_at(request.axes, i);
  refuse_if_none(request, swept);
  swept.notes = idle_axes(swept);
  return swept;
}

int exit_code(const Swept& swept) {
  int worst = 0;
  const auto rank = [](int code) { return code == 3 ? 3 : code == 4 ? 2 : code != 0 ? 1 : 0; };
  for (const Point& point : swept.points)
    if (rank(point.code) > rank(worst)) worst = point.code == 2 ? 1 : point.code;
  return worst;
}

}  // namespace gicsim::sweep
