// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/jsonl.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "traces/schedule/file.h"
#include "traces/schedule/interleaved.h"

namespace gicsim::schedule {
namespace {

using Json = nlohmann::json;

constexpr std::string_view schema = "gicsim.schedule/1";
constexpr std::int64_t most_ranks = 1 << 20, most = std::numeric_limits<std::int64_t>::max();

struct Field {
  std::string_view name;
  std::int64_t most;
  void (*set)(Step&, std::int64_t);
};
constexpr Field fields[] = {
    {"peer", most_ranks, [](Step& step, std::int64_t n) { step.peer = static_cast<std::uint32_t>(n); }},
    {"tag", most, [](Step& step, std::int64_t n) { step.tag = n; }},
    {"bytes", std::int64_t{1} << 60, [](Step& step, std::int64_t n) { step.bytes = Bytes{n}; }},
    {"time_ps", most, [](Step& step, std::int64_t n) { step.time = Picoseconds{n}; }},
    {"gap_ps", most, [](Step& step, std::int64_t n) { step.gap = Picoseconds{n}; }},
    {"lane", 0xffff'ffff, [](Step& step, std::int64_t n) { step.lane = static_cast<std::uint32_t>(n); }},
    {"began_ps", most, [](Step& step, std::int64_t n) { step.began = Picoseconds{n}; }},
    {"ended_ps", most, [](Step& step, std::int64_t n) { step.ended = Picoseconds{n}; }},
};

class Schedule final : public Interleaved {
 public:
  Schedule(const std::string& file, std::size_t look_ahead) : Interleaved(look_ahead), lines_(file) { read_header(); }

  std::string format() const override { return std::string(schema); }
  std::size_t ranks() const override { return ranks_; }
  std::vector<std::string> hosts() const override { return hosts_; }
  std::vector<std::string> notes() const override { return notes_; }
  Keys keys() const override { return keys_; }
  double progress() const override { return lines_.progress(); }
  Location location(std::size_t, const Step& step) const override { return {lines_.file(), line_of(step.place), 1}; }

 private:
  void begin_again() override {
    lines_.rewind();
    steps_ = 0;
    ended_ = false;
    read_header();
  }
  bool read_on() override;
  [[noreturn]] void fail_apart(std::size_t rank, std::size_t look_ahead) override {
    lines_.fail(
        fmt::format("rank {}'s next step is more than {} steps of other ranks away; mix the ranks' steps, by when "
                    "they begin",
                    rank, look_ahead));
  }

  Json parsed(const char* instead);
  void read_header();
  void read_end(const Json& json);
  void read_step(const Json& json);
  void read_needs(const Json& json, Step& step);
  std::int64_t number(const Json& value, const char* name, std::int64_t least, std::int64_t highest) const;
  std::vector<std::string> texts(const Json& value, const char* name) const;
  Keys pairs(const Json& value, const char* name) const;

  Lines lines_;
  std::string line_;
  std::size_t ranks_ = 0;
  std::uint64_t steps_ = 0;
  bool ended_ = false;
  std::vector<std::string> hosts_, notes_;
  Keys keys_;
};

std::int64_t Schedule::number(const Json& value, const char* name, std::int64_t least, std::int64_t highest) const {
  const bool fits =
      value.is_number_integer() && (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{most});
  if (!fits || value.get<std::int64_t>() < least || value.get<std::int64_t>() > highest)
    lines_.fail(
        fmt::format("\"{}\": {}; write a whole number, {} .. {}", name, value.dump().substr(0, 60), least, highest));
  return value.get<std::int64_t>();
}

std::vector<std::string> Schedule::texts(const Json& value, const char* name) const {
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_string(); }))
    lines_.fail(fmt::format("\"{}\": write a list of texts", name));
  return value.get<std::vector<std::string>>();
}

Keys Schedule::pairs(const Json& value, const char* name) const {
  Keys keys;
  if (!value.is_object()) lines_.fail(fmt::format("\"{}\": write texts by name", name));
  for (const auto& [key, of] : value.items()) {
    if (!of.is_string()) lines_.fail(fmt::format("\"{}\": {} isn't a text", name, key));
    keys.emplace_back(key, of.get<std::string>());
  }
  return keys;
}

Json Schedule::parsed(const char* instead) {
  try {
    Json json = Json::parse(line_);
    if (json.is_object()) return json;
  } catch (const Json::parse_error& error) {
    lines_.fail(fmt::format("no JSON, or cut off; write {}", instead),
                static_cast<int>(std::min<std::size_t>(error.byte, line_.size() + 1)));
  }
  lines_.fail(fmt::format("no object; write {}", instead));
}

void Schedule::read_header() {
  constexpr auto instead = R"({"schema":"gicsim.schedule/1","ranks":2})";
  if (!lines_.next(line_)) lines_.fail("is empty");
  const Json json = parsed(instead);
  if (json.value("schema", Json()) != schema)
    lines_.fail(fmt::format("the first line is no header; write {}", instead));
  for (const auto& [name, value] : json.items())
    if (name == "ranks")
      ranks_ = static_cast<std::size_t>(number(value, "ranks", 1, most_ranks));
    else if (name == "hosts")
      hosts_ = texts(value, "hosts");
    else if (name == "notes")
      notes_ = texts(value, "notes");
    else if (name == "keys")
      keys_ = pairs(value, "keys");
    else if (name != "schema")
      lines_.fail(fmt::format("\"{}\" means nothing in the header; it has schema, ranks, hosts, notes and keys", name));
  if (ranks_ == 0) lines_.fail(fmt::format("the header has no \"ranks\"; write {}", instead));
  if (!hosts_.empty() && hosts_.size() != ranks_)
    lines_.fail(fmt::format("{} hosts of {} ranks; write one for each", hosts_.size(), ranks_));
}

bool Schedule::read_on() {
  if (ended_) return false;
  if (!lines_.next(line_))
    lines_.fail(R"(the file ends behind this line without {"end":"gicsim.schedule/1","steps":N}; it was cut off)");
  const Json json = parsed(R"({"rank":0,"step":0,"action":"send","peer":1,"bytes":64})");
  if (json.contains("end"))
    read_end(json);
  else
    read_step(json);
  return true;
}

void Schedule::read_end(const Json& json) {
  if (json["end"] != schema || !json.contains("steps") || json.size() != 2)
    lines_.fail(fmt::format(R"(write {{"end":"{}","steps":N}})", schema));
  if (number(json["steps"], "steps", 0, most) != static_cast<std::int64_t>(steps_))
    lines_.fail(
        fmt::format("{} steps by the last line, {} in the file; lines are missing", json["steps"].dump(), steps_));
  if (lines_.next(line_)) lines_.fail("this stands behind the end");
  ended_ = true;
}

void Schedule::read_step(const Json& json) {
  if (!json.contains("rank") || !json.contains("action")) lines_.fail("no \"rank\" or no \"action\"");
  const auto rank = static_cast<std::size_t>(number(json["rank"], "rank", 0, static_cast<std::int64_t>(ranks_) - 1));
  const std::uint64_t count = given(rank);
  Step step;
  step.number = count;
  step.place = lines_.number();
  const auto action = std::find(action_names.begin(), action_names.end(), json["action"]);
  if (action == action_names.end())
    lines_.fail(fmt::format("\"action\": {}; write one of {}", json["action"].dump().substr(0, 60),
                            fmt::join(action_names, ", ")));
  step.action = static_cast<Action>(action - action_names.begin());
  for (const auto& [name, value] : json.items()) {
    if (name == "rank" || name == "action") continue;
    if (name == "step") {
      if (number(value, "step", 0, most) != static_cast<std::int64_t>(count))
        lines_.fail(fmt::format("\"step\": {}, but it is step {} of rank {}; each rank's steps stand in order, from 0",
                                value.dump(), count, rank));
    } else if (const auto field = std::find_if(std::begin(fields), std::end(fields),
                                               [&](const Field& one) { return one.name == name; });
               field != std::end(fields)) {
      const std::int64_t least = name == "tag" && step.action == Action::recv ? any_tag : 0;
      const std::int64_t highest = name == "peer" ? static_cast<std::int64_t>(ranks_) - 1 : field->most;
      field->set(step, number(value, name.c_str(), least, highest));
    } else if (name == "needs") {
      read_needs(value, step);
    } else if (name == "name" && value.is_string()) {
      step.name = value.get<std::string>();
    } else {
      lines_.fail(fmt::format(
          "\"{}\" means nothing here; a step has rank, step, action, peer, tag, bytes, time_ps, gap_ps, lane, "
          "needs, began_ps, ended_ps and name (a text)",
          name));
    }
  }
  if (step.peer == any_rank && step.action != Action::calc && step.action != Action::recv)
    lines_.fail(fmt::format("a {} without \"peer\"", name_of(step.action)));
  ++steps_;
  give(rank, std::move(step));
}

void Schedule::read_needs(const Json& json, Step& step) {
  constexpr auto instead = R"(write "needs":[0,[1,"issued"],[2,"started"]])";
  if (!json.is_array()) lines_.fail(instead);
  const auto highest = static_cast<std::int64_t>(step.number + reach - 1);
  for (const Json& one : json) {
    Need need;
    const bool pair = one.is_array() && one.size() == 2;
    need.step = static_cast<std::uint64_t>(number(pair ? one[0] : one, "needs", 0, highest));
    if (pair && one[1] == "issued")
      need.until = Need::Until::issued;
    else if (pair && one[1] == "started")
      need.until = Need::Until::started;
    else if (pair && one[1] != "ended")
      lines_.fail(instead);
    if (need.step == step.number) lines_.fail(fmt::format("step {} needs itself and would never begin", step.number));
    step.needs.push_back(need);
  }
}

}  // namespace

bool looks_like_schedule(std::string_view begin) {
  return begin.substr(0, begin.find('\n')).find("\"gicsim.schedule/1\"") != std::string_view::npos;
}

std::unique_ptr<Source> read_schedule(const std::string& file, std::size_t look_ahead) {
  return std::make_unique<Schedule>(file, look_ahead);
}

}  // namespace gicsim::schedule
