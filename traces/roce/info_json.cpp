// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "traces/roce/info.h"

namespace gicsim::roce {
namespace {

using Json = nlohmann::ordered_json;

Json of_quantiles(const Quantiles& t) {
  if (t.n() == 0) return nullptr;
  return {{"n", t.n()}, {"p50_ns", t.at(0.5)}, {"p99_ns", t.at(0.99)}, {"min_ns", t.least()}, {"max_ns", t.most()}};
}

Json named(const std::string& place) { return place.empty() ? Json(nullptr) : Json(place); }

/// How other places saw it.
Json of_elsewhere(const Survey& survey, const Flow& flow) {
  Json all = Json::array();
  for (const Flow* other : flow.elsewhere)
    all.push_back({{"interface", survey.places()[other->key.place].name},
                   {"requests", other->packets},
                   {"answers", other->answers},
                   {"congestion_marked", other->congested}});
  return all;
}

Json of_flow(const Survey& survey, const Flow& flow) {
  Json naks = Json::object(), rnr = Json::object(), opcodes = Json::object();
  for (std::size_t i = 0; i < flow.naks.size(); ++i)
    if (flow.naks[i] > 0) naks[i < nak_names.size() ? std::string(nak_names[i]) : fmt::format("{}", i)] = flow.naks[i];
  for (std::size_t i = 0; i < flow.rnr_naks.size(); ++i)
    if (flow.rnr_naks[i] > 0) rnr[fmt::format("{}", i)] = flow.rnr_naks[i];
  for (std::size_t i = 0; i < flow.opcodes.size(); ++i)
    if (flow.opcodes[i] > 0) opcodes[name_of_opcode(static_cast<std::uint8_t>(i))] = flow.opcodes[i];
  const std::uint32_t source = flow.answers_to.value_or(flow.key.source);
  return {{"from", to_text(flow.key.from)},
          {"from_qp", source > 0 ? Json(source) : Json(nullptr)},
          {"to", to_text(flow.key.to)},
          {"to_qp", flow.first_psn ? Json(flow.key.qp) : Json(nullptr)},
          {"use", flow.life},
          {"service", name_of(flow.service)},
          {"interface", named(survey.places()[flow.key.place].name)},
          {"elsewhere", of_elsewhere(survey, flow)},
          {"mtu", flow.mtu > 0 ? Json(flow.mtu) : Json(nullptr)},
          {"messages", flow.messages},
          {"messages_not_whole", flow.cut},
          {"bytes", flow.payload},
          {"requests", flow.packets},
          {"answers", flow.answers},
          {"frame_bytes", flow.octets},
          {"opcodes", opcodes},
          {"resent", flow.resent},
          {"resent_after_nak", flow.resent_after_nak},
          {"duplicates", flow.duplicates},
          {"responses_resent", flow.responses_again},
          {"captured_twice", flow.copies},
          {"acks", flow.acks},
          {"naks", naks},
          {"rnr_naks_by_timer", rnr},
          {"psn_first", flow.first_psn ? Json(*flow.first_psn) : Json(nullptr)},
          {"psn_next", flow.next_psn ? Json(*flow.next_psn) : Json(nullptr)},
          {"psn_wraps", flow.wraps},
          {"psn_late", flow.late},
          {"psn_missing", flow.missing},
          {"response_psn_missing", flow.answers_missing},
          {"begins_within_message", flow.begins_within},
          {"congestion_marked", flow.congested},
          {"cnps", flow.cnps},
          {"first_ns", flow.first_ns},
          {"last_ns", flow.last_ns},
          {"to_answer", of_quantiles(flow.answered)}};
}

Json of_lost(const Info& info) {
  if (!info.lost) return nullptr;
  Json first = Json::array();
  for (const LostFrame& one : info.lost->first)
    first.push_back(
        {{"frame", one.number}, {"opcode", name_of_opcode(one.opcode)}, {"qp", one.qp}, {"psn", one.psn}});
  return {{"delivered_file", info.delivered_file}, {"to", info.lost->to},
          {"sent", info.lost->sent},               {"delivered", info.lost->delivered},
          {"lost", info.lost->count()},            {"overtaken", info.lost->overtaken},
          {"delivered_again", info.lost->twice},   {"first", first}};
}

}  // namespace

std::string to_json(const std::vector<Info>& all) {
  Json files = Json::array();
  for (const Info& info : all) {
    const Survey& s = info.survey;
    Json unused = Json::array(), flows = Json::array(), interfaces = Json::array();
    for (const Survey::Place& place : s.places()) interfaces.push_back({{"name", named(place.name)}, {"frames", place.frames}});
    for (const NotUsed& one : s.not_used())
      unused.push_back({{"why", one.why}, {"frames", one.frames}, {"first_frame", one.first}});
    for (const auto& flow : s.flows()) flows.push_back(of_flow(s, *flow));
    files.push_back({{"file", info.file},
                     {"format", info.format},
                     {"snaplen", info.snaplen},
                     {"frames", s.frames},
                     {"frame_bytes", s.octets},
                     {"first_ns", s.first_ns},
                     {"span_ns", s.last_ns - s.first_ns},
                     {"interfaces", interfaces},
                     {"used", s.used},
                     {"cut_short", s.cut_short},
                     {"icrc", {{"right", s.icrc_right}, {"wrong", s.icrc_wrong}, {"unchecked", s.icrc_unknown}}},
                     {"not_used", unused},
                     {"lost", of_lost(info)},
                     {"flows", flows}});
  }
  return Json{{"schema", "gicsim.trace/1"}, {"files", files}}.dump(2) + "\n";
}

}  // namespace gicsim::roce
