// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "models/base/errors.h"
#include "validate/captures/replay.h"

namespace gicsim::captures {
namespace {

/// The flow of another capture of the same run, by where its requests go.
const Story* same(const std::vector<Story>& all, const Story& story, bool answers) {
  for (const Story& other : all) {
    const std::vector<Event>& events = answers ? other.answers : other.requests;
    const std::vector<Event>& own = answers ? story.answers : story.requests;
    if (other.from != story.from || other.to != story.to || events.empty() || own.empty()) continue;
    const auto known = [&](const Event& one) {
      return one.header.qp == events.front().header.qp && one.header.psn == events.front().header.psn;
    };
    if (std::any_of(own.begin(), own.end(), known)) return &other;
  }
  return nullptr;
}

/// Why there is nothing to hold the model against.
std::string out_of_reach(const Story& story, Role side) {
  if (story.service == roce::Service::rc) return {};
  if (story.service != roce::Service::ud) return fmt::format("the model has no {}", name_of(story.service));
  return side == Role::requester ? "" : "nobody answers datagrams";
}

}  // namespace

std::vector<Verdict> check(const std::string& file, const std::vector<std::string>& delivered, std::optional<Role> role,
                           const nic::TransportParams& transport) {
  const std::vector<Story> stories = read_stories(file);
  std::vector<Story> through;
  for (const std::string& one : delivered)
    for (Story& story : read_stories(one)) through.push_back(std::move(story));
  std::vector<Verdict> all;
  for (const Story& story : stories) {
    for (const Role side : {Role::requester, Role::responder}) {
      if (role && *role != side) continue;
      const bool there = side == Role::responder && !story.at_responder.empty();
      View view{there ? story.at_responder.front() : story, {}, false, there};
      if (const Story* other = same(through, story, side == Role::requester)) {
        view.delivered = side == Role::requester ? came_through(story.answers, other->answers)
                                                 : came_through(story.requests, other->requests);
        view.known = true;
      }
      if (const std::string why = out_of_reach(story, side); !why.empty()) {
        all.push_back({.flow = view.story.name, .role = side, .not_replayed = why});
        continue;
      }
      Verdict verdict = side == Role::requester ? replay_requester(view, transport) : replay_responder(view, transport);
      verdict.guessed = !view.known && !view.here && story.resent > 0;
      all.push_back(std::move(verdict));
    }
  }
  if (all.empty()) throw ConfigError(Location{file}, "no RoCEv2 packet in it");
  return all;
}

std::string to_text(const std::string& file, const std::vector<Verdict>& verdicts) {
  std::string text = file + "\n";
  for (const Verdict& v : verdicts) {
    const std::string_view role = names_of(Role{})[static_cast<std::size_t>(v.role)];
    text += fmt::format("  {}, {}: ", v.flow, role);
    if (!v.not_replayed.empty()) {
      text += fmt::format("not replayed: {}\n", v.not_replayed);
      continue;
    }
    text += fmt::format("{} packets sent as captured, driven by {} arrivals", v.compared, v.arrivals);
    if (v.expired > 0) text += fmt::format(", {} timers run out", v.expired);
    if (v.coalesced > 0) text += fmt::format(", {} ACKs of its own coalesced as captured", v.coalesced);
    if (v.lost > 0)
      text += fmt::format("; at least {} {} got lost behind the capture", v.lost,
                          v.role == Role::requester ? "answers" : "requests");
    if (v.invalidated > 0) text += fmt::format("; {} keys invalidated, which the model does not", v.invalidated);
    if (v.skipped > 0) text += fmt::format("; {} packets before the first whole message", v.skipped);
    if (v.beyond > 0) text += fmt::format("; {} more after the capture's end", v.beyond);
    if (!v.failed.empty()) text += fmt::format("; ends in: {}", v.failed);
    text += "\n";
    if (v.difference)
      text += fmt::format("    frame {}: the capture has {}\n    {}the model {}\n", v.difference->frame,
                          v.difference->captured, std::string(fmt::formatted_size("frame {}: ", v.difference->frame), ' '),
                          v.difference->model);
    if (v.difference && v.guessed)
      text += "    what arrived there isn't known, so this may be why; give a capture from behind the loss as --delivered\n";
    if (v.difference && v.missing > 0)
      text += fmt::format("    the capture lacks {} PSNs of requests: whoever captured lost them, so this may be why\n", v.missing);
  }
  return text;
}

}  // namespace gicsim::captures
