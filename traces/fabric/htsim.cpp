// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/fabric/detail/begins.h"
#include "traces/fabric/detail/triggers.h"
#include "traces/fabric/detail/words.h"
#include "traces/fabric/flows.h"
#include "traces/schedule/interleaved.h"

namespace gicsim::fabric {
namespace {

using schedule::Action;
using schedule::Step;
using schedule::Unused;

constexpr std::uint64_t most_nodes = 1 << 20, most = 1ull << 40;

class Htsim final : public schedule::Interleaved {
 public:
  Htsim(const std::string& file, std::size_t look_ahead) : Interleaved(look_ahead), in_(file) { index(); }

  std::string format() const override { return "htsim connection matrix"; }
  std::size_t ranks() const override { return static_cast<std::size_t>(nodes_); }
  std::vector<Unused> unused() const override {
    std::vector<Unused> all;
    for (const Unused& one : unused_)
      if (one.count > 0) all.push_back(one);
    return all;
  }
  std::vector<std::string> notes() const override {
    return {"begins are in ps, as htsim takes them; flows between the same two share a queue pair",
            "a flow is a put; one whose arrival triggers another is a send, received there"};
  }
  double progress() const override { return in_.lines().progress(); }
  Location location(std::size_t, const Step& step) const override {
    return {in_.lines().file(), schedule::line_of(step.place), 1};
  }

 private:
  enum { endless, priorities, failures };
  void index();
  bool header();
  void skip(std::size_t why) {
    if (unused_[why].count++ == 0) unused_[why].first = in_.lines().number();
  }
  bool read_on() override;
  void begin_again() override {
    in_.lines().rewind();
    begins_.clear();
  }
  [[noreturn]] void fail_apart(std::size_t rank, std::size_t look_ahead) override {
    in_.lines().fail(
        fmt::format("node {}'s next flow is more than {} flows away; mix the nodes' flows", rank, look_ahead));
  }

  WordLines in_;
  std::uint64_t nodes_ = 0, connections_ = 0, triggers_ = 0;
  Triggers fires_;
  Begins begins_;
  Unused unused_[3] = {
      {"flows without end (size 0)", 0, 0}, {"prio of a flow", 0, 0}, {"failed switches and links", 0, 0}};
};

/// @return true: it was a line of the header, or a comment
bool Htsim::header() {
  const std::string_view first = in_.words()[0].text;
  if (first.starts_with("#")) return true;
  if (first == "Nodes")
    nodes_ = in_.number(1, "the number of nodes", most_nodes);
  else if (first == "Connections")
    connections_ = in_.number(1, "the number of connections", most);
  else if (first == "Triggers")
    triggers_ = in_.number(1, "the number of triggers", most);
  else
    return first == "Failures";
  return true;
}

/// Who triggers whom, then which steps that makes.
void Htsim::index() {
  std::uint64_t connections = 0, triggers = 0;
  while (in_.next()) {
    if (header()) continue;
    if (in_.words()[0].text == "trigger") {
      ++triggers;
      read_trigger(in_, fires_);
    } else if (in_.words()[0].text == "failure") {
      skip(failures);
    } else {
      const Connection one = read_connection(in_, nodes_);
      ++connections;
      if (one.bytes == 0) {
        skip(endless);
        continue;
      }
      for (const Word& word : in_.words())
        if (word.text == "prio") skip(priorities);
      fires_.note(in_, one);
    }
  }
  const auto held = [&](std::string_view name, std::uint64_t says, std::uint64_t are) {
    if (says != are)
      in_.lines().fail(
          fmt::format("'{} {}', but there are {}; lines are missing, or the number is wrong", name, says, are));
  };
  if (nodes_ == 0) in_.lines().fail("no 'Nodes N'");
  held("Connections", connections_, connections);
  held("Triggers", triggers_, triggers);
  if (fires_.size() > 0) {
    std::unordered_map<std::uint64_t, std::uint64_t> steps;
    in_.lines().rewind();
    while (in_.next()) {
      if (header() || in_.words()[0].text == "trigger" || in_.words()[0].text == "failure") continue;
      const Connection one = read_connection(in_, nodes_);
      if (one.bytes == 0) continue;
      const std::uint64_t sent = steps[one.from]++;
      fires_.set(one, sent, fires_.received(one) ? steps[one.to]++ : 0);
    }
  }
  rewind();
}

bool Htsim::read_on() {
  if (!in_.next()) return false;
  if (header() || in_.words()[0].text == "trigger" || in_.words()[0].text == "failure") return true;
  const Connection one = read_connection(in_, nodes_);
  if (one.bytes == 0) return true;
  const bool received = fires_.received(one);
  const auto from = static_cast<std::size_t>(one.from), to = static_cast<std::size_t>(one.to);
  Step step;
  step.action = received ? Action::send : Action::put;
  step.peer = static_cast<std::uint32_t>(to);
  step.bytes = Bytes{static_cast<std::int64_t>(one.bytes)};
  step.place = one.place;
  if (received) step.tag = static_cast<std::int64_t>(one.place);  // no two are equal
  if (one.id > 0) step.name = fmt::format("flow {}", one.id);
  if (one.starts)
    begins_.set(from, given(from), one.start, step);
  else
    step.needs = fires_.needs(in_, one, given(from));
  Step other = step;
  give(from, std::move(step));
  if (!received) return true;
  other.action = Action::recv;
  other.peer = static_cast<std::uint32_t>(from);
  other.needs.clear();
  other.gap = {};
  other.began.reset();
  give(to, std::move(other));
  return true;
}

}  // namespace

bool looks_like_htsim(std::string_view begin) {
  std::vector<Word> words;
  while (!begin.empty()) {
    const std::size_t end = begin.find('\n');
    split(begin.substr(0, end), words);
    std::uint64_t number = 0;
    if (!words.empty() && !words[0].text.starts_with("#"))
      return words.size() == 2 && (words[0].text == "Nodes" || words[0].text == "Connections") &&
             whole(words[1].text, number);
    begin.remove_prefix(end == begin.npos ? begin.size() : end + 1);
  }
  return false;
}

std::unique_ptr<schedule::Source> read_htsim(const std::string& file, std::size_t look_ahead) {
  return std::make_unique<Htsim>(file, look_ahead);
}

}  // namespace gicsim::fabric
