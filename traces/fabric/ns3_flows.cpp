// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "traces/fabric/detail/begins.h"
#include "traces/fabric/detail/words.h"
#include "traces/fabric/flows.h"
#include "traces/schedule/interleaved.h"

namespace gicsim::fabric {
namespace {

using schedule::Action;
using schedule::Step;
using schedule::Unused;

constexpr std::uint64_t most_nodes = 1 << 20, most_flows = 1ull << 40, most_bytes = 1ull << 60;
constexpr std::string_view layouts = "src dst group [port] bytes seconds";

/// A line: of 6 words src dst group port bytes seconds; of 5 without a port; of 7 with a number in front.
class Ns3Flows final : public schedule::Interleaved {
 public:
  Ns3Flows(const std::string& file, std::size_t look_ahead) : Interleaved(look_ahead), in_(file) { index(); }

  std::string format() const override { return "ns-3 flows"; }
  std::size_t ranks() const override { return nodes_.size(); }
  std::vector<std::string> hosts() const override {
    std::vector<std::string> all;
    for (const std::uint64_t node : nodes_) all.push_back(fmt::format("node {}", node));
    return all;
  }
  std::vector<Unused> unused() const override {
    if (behind_ == 0) return {};
    return {{fmt::format("lines behind the {} flows that the first line counts", count_), behind_, first_behind_}};
  }
  std::vector<std::string> notes() const override {
    return {
        "a flow is a put at its time; those between the same two share a queue pair; ranks are the nodes that send or "
        "receive, in order"};
  }
  double progress() const override { return in_.lines().progress(); }
  Location location(std::size_t, const Step& step) const override {
    return {in_.lines().file(), schedule::line_of(step.place), 1};
  }

 private:
  struct Flow {
    std::uint64_t from, to, bytes;
    Picoseconds at;
  };
  bool read(Flow& flow);
  void index();
  void read_count();
  bool read_on() override;
  void begin_again() override {
    in_.lines().rewind();
    begins_.clear();
    read_count();
  }
  [[noreturn]] void fail_apart(std::size_t rank, std::size_t look_ahead) override {
    in_.lines().fail(fmt::format("node {}'s next flow is more than {} flows away; sort the flows by time", nodes_[rank],
                                 look_ahead));
  }
  std::size_t rank_of(std::uint64_t node) const {
    return static_cast<std::size_t>(std::lower_bound(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
  }

  WordLines in_;
  std::uint64_t count_ = 0, left_ = 0, behind_ = 0, first_behind_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> nodes_;
  Begins begins_;
};

void Ns3Flows::read_count() {
  if (!in_.next()) in_.lines().fail("no flows; write how many there are in the first line");
  if (in_.words().size() != 1) in_.fail(1, "the first line is the number of flows, and no more");
  count_ = left_ = in_.number(0, "the number of flows", most_flows);
}

bool Ns3Flows::read(Flow& flow) {
  if (left_ == 0) return false;
  if (!in_.next())
    in_.lines().fail(fmt::format(
        "the file ends behind this line, {} flows before the {} of its first line; it was cut off", left_, count_));
  --left_;
  const std::size_t words = in_.words().size();
  if (words < 5 || words > 7) in_.fail(words, fmt::format("{} words; a flow has {}", words, layouts));
  if (words_ > 0 && words != words_)
    in_.fail(words, fmt::format("{} words, those of the flow before were {}", words, words_));
  words_ = words;
  const std::size_t first = words == 7 ? 1 : 0;
  flow.from = in_.number(first, "the sender's node", most_nodes);
  flow.to = in_.number(first + 1, "the receiver's node", most_nodes);
  if (flow.from == flow.to) in_.fail(first + 1, "a flow to its own sender; write another node");
  in_.number(first + 2, "the priority group", 255);
  flow.bytes = in_.number(words - 2, "bytes", most_bytes);
  flow.at = in_.time(words - 1, "the begin in seconds", 1e12);
  return true;
}

/// Which nodes there are.
void Ns3Flows::index() {
  read_count();
  std::set<std::uint64_t> nodes;
  for (Flow flow{}; read(flow);) nodes.insert({flow.from, flow.to});
  while (in_.next())
    if (behind_++ == 0) first_behind_ = in_.lines().number();
  nodes_.assign(nodes.begin(), nodes.end());
  rewind();
}

bool Ns3Flows::read_on() {
  Flow flow{};
  if (!read(flow)) return false;
  const std::size_t rank = rank_of(flow.from);
  Step step;
  step.action = Action::put;
  step.peer = static_cast<std::uint32_t>(rank_of(flow.to));
  step.bytes = Bytes{static_cast<std::int64_t>(flow.bytes)};
  step.place = in_.lines().number();
  begins_.set(rank, given(rank), flow.at, step);
  give(rank, std::move(step));
  return true;
}

}  // namespace

bool looks_like_ns3_flows(std::string_view begin) {
  std::vector<Word> words;
  for (int line = 0; line < 2;) {
    const std::size_t end = begin.find('\n');
    split(begin.substr(0, end), words);
    if (!words.empty()) {
      if (line == 0 ? words.size() != 1 : words.size() < 5 || words.size() > 7) return false;
      double value = 0;
      for (const Word& word : words)
        if (!decimal(word.text, value)) return false;
      ++line;
    }
    if (end == begin.npos) return line == 2;
    begin.remove_prefix(end + 1);
  }
  return true;
}

std::unique_ptr<schedule::Source> read_ns3_flows(const std::string& file, std::size_t look_ahead) {
  return std::make_unique<Ns3Flows>(file, look_ahead);
}

}  // namespace gicsim::fabric
