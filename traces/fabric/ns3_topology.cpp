// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "traces/fabric/detail/words.h"
#include "traces/fabric/topology.h"

namespace gicsim::fabric {
namespace {

constexpr std::uint64_t most_nodes = 1 << 20, most_links = 1 << 22;

struct Unit {
  std::string_view name;
  double factor;
};
/// As ns-3 reads them.
constexpr Unit rates[] = {{"bps", 1},    {"b/s", 1},    {"Kbps", 1e3}, {"kbps", 1e3}, {"kb/s", 1e3},  {"Kb/s", 1e3},
                          {"Mbps", 1e6}, {"Mb/s", 1e6}, {"Gbps", 1e9}, {"Gb/s", 1e9}, {"Tbps", 1e12}, {"Tb/s", 1e12}};
constexpr Unit times[] = {{"s", 1e12}, {"ms", 1e9}, {"us", 1e6}, {"ns", 1e3}, {"ps", 1}};

template <std::size_t n>
std::int64_t quantity(const WordLines& in, std::size_t word, const Unit (&units)[n], double least, double most,
                      std::string_view like) {
  const std::string wrong = fmt::format("write it like {}", like);
  if (word >= in.words().size()) in.fail(word, wrong);
  const std::string_view text = in.words()[word].text;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
  double value = 0;
  for (const Unit& unit : units)
    if (text.substr(digits) == unit.name && decimal(text.substr(0, digits), value) && value * unit.factor >= least &&
        value * unit.factor <= most)
      return std::llround(value * unit.factor);
  in.fail(word, wrong);
}

class Reader {
 public:
  explicit Reader(const std::string& file) : in_(file) { topology_.file = file; }
  Topology read() {
    const std::size_t links = header();
    std::size_t left = nvswitches_ + switches_;
    while (left > 0) switch_numbers(left);
    for (std::size_t i = 0; i < links; ++i) link(links - i);
    while (in_.next()) ++topology_.behind;
    return std::move(topology_);
  }

 private:
  std::size_t header();
  void switch_numbers(std::size_t& left);
  void link(std::size_t left);

  WordLines in_;
  Topology topology_;
  std::size_t nvswitches_ = 0, switches_ = 0;
};

std::size_t Reader::header() {
  if (!in_.next()) in_.lines().fail("no topology");
  const std::size_t words = in_.words().size();
  const bool simai = words == 6 || words == 7;
  if (!simai && words != 3)
    in_.fail(words,
             "the first line is 'nodes switches links', or 'nodes gpus_per_server nvswitches switches links gpu'");
  const std::uint64_t nodes = in_.number(0, "the number of nodes", most_nodes);
  std::size_t at = 1;
  if (simai) {
    topology_.gpus_per_server = in_.number(at++, "GPUs of a server", nodes);
    if (topology_.gpus_per_server == 0) in_.fail(at - 1, "write GPUs of a server, 1 or more");
    nvswitches_ = in_.number(at++, "the number of NVSwitches", nodes);
    topology_.gpu = in_.words()[5].text;
  }
  switches_ = in_.number(at++, "the number of switches", nodes);
  const std::uint64_t links = in_.number(at, "the number of links", most_links);
  if (nvswitches_ + switches_ >= nodes)
    in_.fail(0, fmt::format("{} nodes of which {} are switches; no host is left", nodes, nvswitches_ + switches_));
  topology_.nodes.assign(nodes, Topology::Kind::host);
  return links;
}

void Reader::switch_numbers(std::size_t& left) {
  if (!in_.next())
    in_.lines().fail(fmt::format("the file ends here, {} switches' numbers are missing; it was cut off", left));
  for (std::size_t i = 0; i < in_.words().size(); ++i, --left) {
    if (left == 0) in_.fail(i, "more numbers than there are switches");
    const std::uint64_t node = in_.number(i, "a switch's number", topology_.nodes.size() - 1);
    if (topology_.nodes[node] != Topology::Kind::host) in_.fail(i, "given twice");
    topology_.nodes[node] = left > switches_ ? Topology::Kind::nvswitch : Topology::Kind::fabric_switch;
  }
}

void Reader::link(std::size_t left) {
  if (!in_.next())
    in_.lines().fail(fmt::format("the file ends behind this line, {} links are missing; it was cut off", left));
  if (in_.words().size() != 5)
    in_.fail(in_.words().size(), "a link is 'a b rate delay error_rate', like '0 4 100Gbps 1000ns 0'");
  Link link;
  link.line = in_.lines().number();
  link.a = in_.number(0, "a node", topology_.nodes.size() - 1);
  link.b = in_.number(1, "a node", topology_.nodes.size() - 1);
  if (link.a == link.b) in_.fail(1, "a link from a node to itself");
  link.rate = BitRate::bits_per_second(quantity(in_, 2, rates, 1e6, 1e14, "100Gbps"));
  link.delay = Picoseconds{quantity(in_, 3, times, 0, 1e12, "1000ns or 0.001ms")};
  if (!decimal(in_.words()[4].text, link.error_rate) || link.error_rate < 0 || link.error_rate > 1)
    in_.fail(4, "write an error rate, 0 .. 1");
  topology_.links.push_back(link);
}

}  // namespace

bool looks_like_ns3_topology(std::string_view begin) {
  std::vector<Word> words;
  std::size_t first = 0;
  for (int line = 0; line < 2 && !begin.empty();) {
    const std::size_t end = begin.find('\n');
    split(begin.substr(0, end), words);
    begin.remove_prefix(end == begin.npos ? begin.size() : end + 1);
    if (words.empty()) continue;
    std::uint64_t number = 0;
    const std::size_t numbers = line == 0 && words.size() != 3 ? 5 : words.size();
    if (line == 0 && words.size() != 3 && words.size() != 6 && words.size() != 7) return false;
    for (std::size_t i = 0; i < numbers; ++i)
      if (!whole(words[i].text, number)) return false;
    if (line++ == 0) first = words.size();
  }
  return first > 0;
}

Topology read_ns3_topology(const std::string& file) { return Reader(file).read(); }

}  // namespace gicsim::fabric
