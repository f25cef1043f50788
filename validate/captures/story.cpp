// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/captures/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "traces/roce/opened.h"

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
    story.missing = flow.missing;
    // A mirror port doubles all; what is doubled here and there was so on its way, and arrived twice.
    if (10 * flow.copies >= 9 * (flow.packets + flow.answers))
      for (std::vector<Event>* events : {&story.requests, &story.answers})
        std::erase_if(*events, [](const Event& e) { return e.copy; });
    return story;
  }

 private:
  static std::uint32_t icrc(const roce::Datagram& of) {
    return of.payload.size() < of.length ? 0 : roce::big32(of.payload, of.length - 4);
  }
  void on_packet(const roce::Seen& seen) override {
    Story& story = stories_[&seen.flow];
    Event event{seen.frame.number, icrc(seen.datagram), seen.header, seen.copy};
    event.header.data = {};
    (seen.answer ? story.answers : story.requests).push_back(event);
  }

  std::map<const roce::Flow*, Story> stories_;
};

}  // namespace

std::vector<Story> read_stories(const std::string& file) {
  stream::Unpacked in = roce::opened(file);
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

std::vector<Event> came_through(const std::vector<Event>& sent, const std::vector<Event>& behind) {
  constexpr std::size_t reach = 4096;  // frames that one may overtake
  std::vector<Event> through;
  std::vector<bool> came(sent.size());
  std::size_t next = 0;
  const auto same = [](const Event& a, const Event& b) {
    return a.header.psn == b.header.psn && a.header.opcode == b.header.opcode && a.header.qp == b.header.qp && a.icrc == b.icrc;
  };
  // The next one like it, or else one that was passed over, or one that came already.
  const auto find = [&](const Event& one) -> std::optional<std::size_t> {
    for (std::size_t i = next; i < std::min(sent.size(), next + reach); ++i)
      if (same(sent[i], one)) return i;
    std::optional<std::size_t> again;
    for (std::size_t i = next; i > next - std::min(next, reach); --i) {
      if (!same(sent[i - 1], one)) continue;
      if (!came[i - 1]) return i - 1;
      if (!again) again = i - 1;
    }
    return again;
  };
  for (const Event& one : behind) {
    const std::optional<std::size_t> i = find(one);
    if (!i) continue;  // before the other capture began
    came[*i] = true;
    next = std::max(next, *i + 1);
    through.push_back(one);
    through.back().frame = sent[*i].frame;
  }
  return through;
}

}  // namespace gicsim::captures
