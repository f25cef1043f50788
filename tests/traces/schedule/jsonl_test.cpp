// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/jsonl.h"

#include <doctest/doctest.h>

#include <sstream>

#include "tests/traces/schedule/support.h"

namespace gicsim::schedule {
namespace {

const std::string header = "{\"schema\":\"gicsim.schedule/1\",\"ranks\":2}\n";
const std::string end0 = "{\"end\":\"gicsim.schedule/1\",\"steps\":0}\n",
                  end1 = "{\"end\":\"gicsim.schedule/1\",\"steps\":1}\n";

std::string said(const std::string& text, std::size_t look_ahead = 1000) {
  const Folder folder;
  const std::string file = folder.write("a.jsonl", text);
  return folder.relative(mistakes_of([&] { all_of(*read_schedule(file, look_ahead)); }));
}

TEST_CASE("jsonl: written and read, all that a step holds is the same") {
  const Folder folder;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const auto all = random_steps(seed, 1 + seed % 7, 200, true);
    Given given(all);
    given.hosts_.assign(all.size(), "a host");
    std::ostringstream text;
    write_schedule(given, text);
    const auto source = read_schedule(folder.write("a.jsonl", text.str()));
    CHECK(all_of(*source) == all);
    CHECK(source->hosts() == given.hosts_);
    CHECK(source->progress() == 1);
    source->rewind();
    CHECK(all_of(*source) == all);
  }
}

TEST_CASE("jsonl: ranks in any mixture, within what is looked ahead") {
  const std::string a = "{\"rank\":0,\"action\":\"calc\"}\n", b = "{\"rank\":1,\"action\":\"calc\"}\n";
  const std::string end4 = "{\"end\":\"gicsim.schedule/1\",\"steps\":4}\n";
  CHECK(said(header + b + b + b + a + end4, 3).empty());
  CHECK(said(header + b + b + b + a + end4, 2) ==
        "a.jsonl:4:1: rank 0's next step is more than 2 steps of other ranks away; mix the ranks' steps, by when they "
        "begin");
  const Folder folder;
  const auto source = read_schedule(folder.write("a.jsonl", header + b + a + b + a + end4), 1);
  Step step;
  CHECK(source->next(1, step));
  CHECK(source->next(0, step));
  CHECK(source->location(0, step).line == 3);
  CHECK(source->next(1, step));
  CHECK(source->next(0, step));
  CHECK_FALSE(source->next(0, step));
  CHECK_FALSE(source->next(1, step));
}

TEST_CASE("jsonl: each mistake with its line") {
  const auto step = [](const std::string& s) { return said(header + s + "\n" + end1); };
  CHECK(holds(said(header), "a.jsonl:1:1: the file ends behind this line without"));
  CHECK(holds(said(header + "{\"rank\":0,\"acti"), "a.jsonl:2:16: no JSON, or cut off"));
  CHECK(holds(said(header + end1), "1 steps by the last line, 0 in the file; lines are missing"));
  CHECK(holds(said(header + end0 + header), "a.jsonl:3:1: this stands behind the end"));
  CHECK(holds(said("{}\n"), "a.jsonl:1:1: the first line is no header"));
  CHECK(holds(said("[]\n"), "no object"));
  CHECK(said("") == "a.jsonl: is empty");
  CHECK(holds(said("{\"schema\":\"gicsim.schedule/1\"}\n"), "no \"ranks\""));
  CHECK(holds(said("{\"schema\":\"gicsim.schedule/1\",\"ranks\":4000000000}\n"),
              "\"ranks\": 4000000000; write a whole number, 1 .. 1048576"));
  CHECK(holds(said("{\"schema\":\"gicsim.schedule/1\",\"ranks\":2,\"hosts\":[\"a\"]}\n"), "1 hosts of 2 ranks"));
  CHECK(holds(step("{\"rank\":2,\"action\":\"calc\"}"), "\"rank\": 2; write a whole number, 0 .. 1"));
  CHECK(holds(step("{\"rank\":0,\"action\":\"cal\"}"), "\"action\": \"cal\"; write one of calc, send"));
  CHECK(holds(step("{\"rank\":0,\"action\":\"send\"}"), "a send without \"peer\""));
  CHECK(holds(step("{\"rank\":0,\"action\":\"calc\",\"step\":1}"), "\"step\": 1, but it is step 0 of rank 0"));
  CHECK(holds(step("{\"rank\":0,\"action\":\"calc\",\"time\":1}"), "\"time\" means nothing here"));
  CHECK(holds(step("{\"rank\":0,\"action\":\"calc\",\"time_ps\":1.5}"), "\"time_ps\": 1.5; write a whole number"));
  CHECK(holds(step("{\"rank\":0,\"action\":\"calc\",\"time_ps\":18446744073709551615}"),
              "\"time_ps\": 18446744073709551615"));
  CHECK(holds(step("{\"rank\":0,\"action\":\"calc\",\"needs\":[0]}"), "step 0 needs itself"));
  CHECK(holds(step("{\"rank\":0,\"action\":\"calc\",\"needs\":[99999]}"),
              "\"needs\": 99999; write a whole number, 0 .. 16383"));
  CHECK(holds(step("{\"rank\":0,\"action\":\"calc\",\"needs\":[[1,\"x\"]]}"), "write \"needs\":"));
  CHECK(holds(step(std::string(20 << 20, 'x')), "a.jsonl:2:1: a line of more than 16777216 characters"));
  CHECK(holds(step(std::string(1 << 20, '[')), "a.jsonl:2:"));
}

TEST_CASE("jsonl: bytes changed or missing never crash it") {
  Given given(random_steps(3, 2, 20, true));
  std::ostringstream text;
  write_schedule(given, text);
  std::mt19937 random(7);
  for (int i = 0; i < 1000; ++i) {
    std::string changed = text.str();
    for (int n = 0; n < 3; ++n) changed[random() % changed.size()] = static_cast<char>(random());
    said(changed);
    const std::size_t kept = random() % (text.str().size() - 1);
    CHECK_FALSE(said(text.str().substr(0, kept)).empty());
  }
}

TEST_CASE("jsonl: is known by its header") {
  CHECK(looks_like_schedule(header));
  CHECK_FALSE(looks_like_schedule("{}\n" + header));
}

}  // namespace
}  // namespace gicsim::schedule
