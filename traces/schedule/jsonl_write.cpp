// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "traces/schedule/jsonl.h"

namespace gicsim::schedule {
namespace {

using Json = nlohmann::ordered_json;

/// One line; what is no UTF-8 is replaced.
std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

ScheduleWriter::ScheduleWriter(std::ostream& out, std::size_t ranks, const std::vector<std::string>& hosts,
                               const std::vector<std::string>& notes, const Keys& keys)
    : out_(out) {
  Json header{{"schema", "gicsim.schedule/1"}, {"ranks", ranks}};
  if (!hosts.empty()) header["hosts"] = hosts;
  if (!notes.empty()) header["notes"] = notes;
  for (const auto& [key, value] : keys) header["keys"][key] = value;
  out_ << dumped(header) << '\n';
}

void ScheduleWriter::add(std::size_t rank, const Step& step) {
  fmt::memory_buffer line;
  const auto to = std::back_inserter(line);
  fmt::format_to(to, R"({{"rank":{},"step":{},"action":"{}")", rank, step.number, name_of(step.action));
  if (step.action != Action::calc && step.peer != any_rank) fmt::format_to(to, R"(,"peer":{})", step.peer);
  const auto number = [&](const char* name, std::int64_t value) {
    if (value != 0) fmt::format_to(to, R"(,"{}":{})", name, value);
  };
  number("tag", step.tag);
  number("bytes", step.bytes.count());
  number("time_ps", step.time.count());
  number("gap_ps", step.gap.count());
  number("lane", step.lane);
  for (std::size_t i = 0; i < step.needs.size(); ++i) {
    const Need& need = step.needs[i];
    fmt::format_to(to, "{}", i == 0 ? R"(,"needs":[)" : ",");
    if (need.until == Need::Until::ended)
      fmt::format_to(to, "{}", need.step);
    else
      fmt::format_to(to, R"([{},"{}"])", need.step, need.until == Need::Until::issued ? "issued" : "started");
  }
  if (!step.needs.empty()) line.push_back(']');
  if (step.began) fmt::format_to(to, R"(,"began_ps":{})", step.began->count());
  if (step.ended) fmt::format_to(to, R"(,"ended_ps":{})", step.ended->count());
  if (!step.name.empty()) fmt::format_to(to, R"(,"name":{})", dumped(step.name));
  fmt::format_to(to, "}}\n");
  out_.write(line.data(), static_cast<std::streamsize>(line.size()));
  ++steps_;
}

void ScheduleWriter::end() { out_ << fmt::format(R"({{"end":"gicsim.schedule/1","steps":{}}})", steps_) << '\n'; }

void write_schedule(Source& source, std::ostream& out) {
  write_schedule(source, out, source.hosts(), source.notes(), source.keys());
}

void write_schedule(Source& source, std::ostream& out, const std::vector<std::string>& hosts,
                    const std::vector<std::string>& notes, const Keys& keys) {
  ScheduleWriter writer(out, source.ranks(), hosts, notes, keys);
  std::vector<std::size_t> left;
  for (std::size_t rank = 0; rank < source.ranks(); ++rank) left.push_back(rank);
  for (Step step; !left.empty();)
    std::erase_if(left, [&](std::size_t rank) {
      if (!source.next(rank, step)) return true;
      writer.add(rank, step);
      return false;
    });
  writer.end();
}

}  // namespace gicsim::schedule
