// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/fabric/flows.h"

#include <doctest/doctest.h>

#include <random>

#include "tests/traces/schedule/play.h"
#include "tests/traces/schedule/support.h"
#include "traces/schedule/info.h"

namespace gicsim::fabric {
namespace {

using schedule::Action;
using schedule::all_of;
using schedule::Need;
using schedule::Play;

std::string sample(const std::string& name) { return source_root() + "/traces/samples/fabric/" + name; }

template <class Read>
std::string said(Read read, const std::string& text) {
  const Folder folder;
  const std::string file = folder.write("a.txt", text);
  return folder.relative(mistakes_of([&] { all_of(*read(file, flows_ahead)); }));
}
std::string cm(const std::string& text) { return said(read_htsim, text); }
std::string ns3(const std::string& text) { return said(read_ns3_flows, text); }

TEST_CASE("htsim: flows behind one another, where they end at their sender") {
  const auto source = read_htsim(sample("all_to_all.cm"));
  CHECK(source->ranks() == 8);
  const auto all = all_of(*source);
  REQUIRE(all[5].size() == 3);
  CHECK(all[5][0].action == Action::put);
  CHECK(all[5][0].peer == 2);
  CHECK(all[5][0].bytes == 100'000_B);
  CHECK(all[5][1].needs == std::vector<Need>{{0, Need::Until::ended}});
  CHECK(all[5][2].needs == std::vector<Need>{{1, Need::Until::ended}});
  CHECK(all[2][0].gap == 1500ns);
  CHECK(*all[2][0].began == 1500ns);
  CHECK(all[2][0].name == "flow 4");
  CHECK(all[1].empty());
  source->rewind();
  const schedule::Info info = read_info(*source, "x");
  CHECK(info.messages == 12);
  CHECK(info.bytes == 1'200'000_B);
  CHECK(info.unused.empty());
}

TEST_CASE("htsim: a flow that goes on at its receiver is received there") {
  const auto source = read_htsim(sample("ring.cm"));
  const auto all = all_of(*source);
  REQUIRE(all[1].size() == 2);
  CHECK(all[3][0].action == Action::send);
  CHECK(all[1][0].action == Action::recv);
  CHECK(all[1][0].tag == all[3][0].tag);
  CHECK(all[1][1].needs == std::vector<Need>{{0, Need::Until::ended}});
  CHECK(all[2][1].needs == std::vector<Need>{{0, Need::Until::ended}});
  CHECK(all[2][1].action == Action::put);
  REQUIRE(all[0].size() == 1);
  CHECK(all[0][0].gap == 3us);
  const auto unused = source->unused();
  REQUIRE(unused.size() == 2);
  CHECK(unused[0].first == 7);
  CHECK(holds(unused[0].why, "without end"));
  CHECK(unused[1].count == 1);
}

TEST_CASE("htsim: begins of one node are told from one another") {
  const Folder folder;
  const auto all = all_of(*read_htsim(folder.write(
      "a.cm", "Nodes 2\nConnections 3\n0->1 start 100 size 1\n0->1 start 350 size 2\n0->1 start 20 size 3\n")));
  CHECK(all[0][0].gap == 100_ps);
  CHECK(all[0][1].gap == 250_ps);
  CHECK(all[0][1].needs == std::vector<Need>{{0, Need::Until::started}});
  CHECK(all[0][2].gap == 20_ps);
  CHECK(all[0][2].needs.empty());
}

TEST_CASE("htsim: mistakes, with their places") {
  const std::string head = "Nodes 4\nConnections 1\n";
  CHECK(cm(head + "0->1 start 0 size 5\n").empty());
  CHECK(cm(head + "0->4 start 0 size 5\n") == "a.txt:3:1: '0->4': there are 4 nodes; write 0 .. 3");
  CHECK(cm(head + "1->1 start 0 size 5\n") == "a.txt:3:1: '1->1': a flow to its own sender; write another node");
  CHECK(cm(head + "0->1 start 0\n") == "a.txt:3:13: the end of the line: a flow has a 'size BYTES'");
  CHECK(cm(head + "0->1 size 5\n") == "a.txt:3:12: the end of the line: a flow has either 'start PS' or 'trigger ID'");
  CHECK(holds(cm(head + "0->1 start x size 5\n"), "a.txt:3:12: 'x': write the begin in ps, up to 9e+18"));
  CHECK(holds(cm(head + "0->1 start 0 size 99999999999999999999\n"),
              "write bytes, a whole number up to 1152921504606846976"));
  CHECK(holds(cm(head + "0->1 start 0 sise 5\n"), "a.txt:3:14: 'sise': means nothing here"));
  CHECK(holds(cm(head + "0-1 start 0 size 5\n"), "a.txt:3:1: '0-1': begins no line; write '0->1 start 0 size 4096'"));
  CHECK(holds(cm("Nodes 4\nConnections 2\n0->1 start 0 size 5\n"),
              "'Connections 2', but there are 1; lines are missing"));
  CHECK(holds(cm("0->1 start 0 size 5\n"), "'Nodes N' has to come first"));
  CHECK(holds(cm("Nodes 99999999999\n"), "write the number of nodes"));
  CHECK(holds(cm(head + "0->1 trigger 1 size 5\n"), "trigger 1 is nowhere declared"));
  CHECK(holds(cm("Nodes 4\nConnections 1\nTriggers 1\n0->1 trigger 1 size 5\ntrigger id 1 oneshot\n"),
              "no flow fires trigger 1"));
  CHECK(holds(cm("Nodes 4\nConnections 2\nTriggers 1\n0->1 start 0 size 5 send_done_trigger 1\n2->3 trigger 1 size "
                 "5\ntrigger id 1 oneshot\n"),
              "a.txt:5:1: trigger 1 is fired by the flow 0->1 of line 4, this one begins on 2; a schedule can only go "
              "on where"));
  CHECK(holds(cm("Nodes 4\nConnections 1\nTriggers 1\n0->1 start 0 size 5\ntrigger id 1\n"),
              "write 'trigger id 1 oneshot'"));
  CHECK(cm("").find("is empty") != std::string::npos);
}

TEST_CASE("htsim: a barrier waits for all that fire it") {
  const Folder folder;
  const std::string text =
      "Nodes 4\nConnections 3\nTriggers 1\n1->0 start 0 size 5 recv_done_trigger 1\n2->0 start 0 size 5 "
      "recv_done_trigger 1\n"
      "0->3 trigger 1 size 5\ntrigger id 1 barrier count 2\n";
  const auto all = all_of(*read_htsim(folder.write("a.cm", text)));
  CHECK(all[0].at(2).needs == std::vector<Need>{{0, Need::Until::ended}, {1, Need::Until::ended}});
  CHECK(holds(cm(text.substr(0, text.size() - 2) + "3\n"), "barrier 1 waits for 3 flows, 2 fire it"));
}

TEST_CASE("ns-3: flows of 5, 6 and 7 words, those that are counted") {
  const auto source = read_ns3_flows(sample("flows.txt"));
  CHECK(source->hosts() == std::vector<std::string>{"node 1", "node 2", "node 3"});
  const auto all = all_of(*source);
  REQUIRE(all[0].size() == 2);
  CHECK(all[0][0].peer == 2);
  CHECK(all[0][0].gap == 2s);
  CHECK(all[0][1].gap == 1us);
  CHECK(all[0][1].bytes == 1500_B);
  CHECK(*all[2][0].began == 2'000'002'500'000_ps);
  REQUIRE(source->unused().size() == 1);
  CHECK(source->unused()[0].count == 2);
  CHECK(source->unused()[0].first == 7);
  const Folder folder;
  CHECK(all_of(*read_ns3_flows(folder.write("a", "1\n0 1 3 64 0.5\n")))[0][0].bytes == 64_B);
  CHECK(all_of(*read_ns3_flows(folder.write("a", "1\n9 0 1 3 100 64 0.5\n")))[0][0].bytes == 64_B);
}

TEST_CASE("ns-3: mistakes in flows, with their places") {
  CHECK(ns3("2\n0 1 3 100 64 0.5\n") ==
        "a.txt:2:1: the file ends behind this line, 1 flows before the 2 of its first line; it was cut off");
  CHECK(holds(ns3("2\n0 1 3 100 64 1\n0 1 3 64 1\n"),
              "a.txt:3:11: the end of the line: 5 words, those of the flow before were 6"));
  CHECK(holds(ns3("1\n0 1 3 64\n"), "4 words; a flow has src dst group [port] bytes seconds"));
  CHECK(holds(ns3("1\n0 0 3 100 64 1\n"), "a flow to its own sender"));
  CHECK(holds(ns3("1\n0 1 3 100 -64 1\n"), "a.txt:2:11: '-64': write bytes"));
  CHECK(holds(ns3("1\n0 1 3 100 64 nan\n"), "'nan': write the begin in seconds, up to 9e+06"));
  CHECK(holds(ns3("1\n0 4000000000 3 100 64 1\n"), "'4000000000': write the receiver's node"));
  CHECK(holds(ns3("1 2\n"), "the first line is the number of flows"));
  CHECK(holds(ns3(std::string(2 << 20, '1')), "a line of more than"));
  const Folder folder;
  const auto far = read_ns3_flows(folder.write("a", "3\n0 1 3 64 1\n0 1 3 64 1\n1 0 3 64 1\n"), 1);
  schedule::Step step;
  CHECK(holds(mistakes_of([&] { far->next(1, step); }),
              "node 1's next flow is more than 1 flows away; sort the flows by time"));
}

TEST_CASE("fabric: bytes changed or missing never crash a reader of flows") {
  std::mt19937 random(7);
  for (const char* name : {"all_to_all.cm", "ring.cm", "flows.txt"}) {
    const std::string whole = contents(sample(name));
    for (int i = 0; i < 1000; ++i) {
      std::string text = whole.substr(0, 1 + random() % whole.size());
      for (int n = 0; n < 3; ++n)
        text[random() % text.size()] = i % 2 ? static_cast<char>(random()) : static_cast<char>('0' + random() % 10);
      cm(text);
      ns3(text);
    }
  }
}

TEST_CASE("fabric: files are known by their first lines") {
  CHECK(looks_like_htsim("# x\n\nNodes 4\n"));
  CHECK_FALSE(looks_like_htsim("Nodes\n"));
  CHECK(looks_like_ns3_flows("4\n1 3 3 100 200000 2\n"));
  CHECK(looks_like_ns3_flows("4\n1 3 3 100 200000 2"));
  CHECK_FALSE(looks_like_ns3_flows("4\n"));
  CHECK_FALSE(looks_like_ns3_flows("8 4 8\n4 5 6 7\n"));
  CHECK_FALSE(looks_like_ns3_flows("4\na b c d e\n"));
}

}  // namespace
}  // namespace gicsim::fabric
