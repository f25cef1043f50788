// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "traces/schedule/info.h"

namespace gicsim::schedule {
namespace {

using Json = nlohmann::ordered_json;

Json of(const Info& info) {
  Json steps = Json::object(), unused = Json::array(), unmatched = Json::array();
  for (std::size_t i = 0; i < info.steps.size(); ++i)
    if (info.steps[i] > 0) steps[std::string(action_names[i])] = info.steps[i];
  for (const Unused& one : info.unused)
    unused.push_back({{"why", one.why}, {"count", one.count}, {"first", one.first}});
  for (const Unmatched& one : info.unmatched)
    unmatched.push_back({{"rank", one.rank}, {"sent_to_it", one.sent_to_it}, {"receives", one.receives}});
  return {{"file", info.file},
          {"format", info.format},
          {"ranks", info.ranks},
          {"silent_ranks", info.silent_ranks},
          {"steps", info.all_steps()},
          {"steps_by_action", steps},
          {"most_steps_of_a_rank", info.most_steps},
          {"needs", info.needs},
          {"messages", info.messages},
          {"bytes", info.bytes.count()},
          {"least_bytes", info.least.count()},
          {"largest_bytes", info.largest.count()},
          {"calculated_ps", info.calculated.count()},
          {"most_calculated_ps", info.most_calculated.count()},
          {"busiest_rank", info.busiest},
          {"span_ps", info.began ? Json((*info.ended - *info.began).count()) : Json(nullptr)},
          {"captured_steps", info.captured},
          {"chain", {{"steps", info.chain}, {"rank", info.chain_rank}, {"exact", info.chain_exact}}},
          {"any_source", info.any_source},
          {"unmatched_ranks", info.unmatched_ranks},
          {"unmatched", unmatched},
          {"hosts", info.hosts},
          {"not_used", unused},
          {"assumed", info.notes}};
}

}  // namespace

std::string to_json(const std::vector<Info>& all) {
  Json files = Json::array();
  for (const Info& info : all) files.push_back(of(info));
  return Json{{"schema", "gicsim.trace/1"}, {"files", files}}.dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace gicsim::schedule
