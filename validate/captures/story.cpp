// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/captures/story.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>

#include "models/base/errors.h"

namespace gicsim::captures {
namespace {

class Reader final : public roce::Survey {
 public:
  Story story(const roce::Flow& flow) {
    Story story = std::move(stories_[&flow]);
    story.name = fmt::format("{} -> {}{}", to_text(flow.key.from), to_text(flow.key.to),
                             flow.first_psn ? fmt::format(" QP {}", flow.key.qp) : "");
    if (places().size() > 1) story.name += fmt::format(" at {}", places()[flow.key.place].name);
    story.from = flow.key.from;
    story.to = flow.key.to;
    story.service = flow.service;
    if (flow.mtu > 0) story.mtu = flow.mtu;
    story.resent = flow.resent;
    return story;
  }

 private:
  void on_packet(const roce::Seen& seen) override {
    Story& story = stories_[&seen.flow];
    Event event{seen.frame.number, seen.frame.ns, seen.header};
    event.header.data = {};
    (seen.answer ? story.answers : story.requests).push_back(event);
  }

  std::map<const roce::Flow*, Story> stories_;
};

}  // namespace

std::vector<Story> read_stories(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw ConfigError(Location{file}, std::string("can't be read: ") + std::strerror(errno));
  roce::Capture capture(in, file);
  Reader reader;
  reader.read(capture);
  std::vector<Story> all;
  for (const auto& flow : reader.flows()) {
    Story story = reader.story(*flow);
    for (const roce::Flow* other : flow->elsewhere)
      if (other->answers_left > 0) story.at_responder.push_back(reader.story(*other));
    all.push_back(std::move(story));
  }
  return all;
}

}  // namespace gicsim::captures
