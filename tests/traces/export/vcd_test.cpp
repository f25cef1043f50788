// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/vcd.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/base/errors.h"
#include "tests/traces/export/support.h"

namespace gicsim::exports {
namespace {

/// A dump as a viewer reads it: each signal's changes.
struct Dump {
  std::map<std::string, std::vector<std::pair<std::int64_t, std::uint64_t>>> signals;
  std::int64_t end = 0;
};
Dump read(const std::string& text) {
  Dump dump;
  std::istringstream in(text);
  std::map<std::string, std::string> names;
  std::vector<std::string> scope;
  std::string word;
  bool declared = false;
  std::int64_t at = 0;
  while (in >> word) {
    if (!declared) {
      std::vector<std::string> words;
      for (std::string next = word; next != "$end" && (words.push_back(next), in >> next);) {}
      if (words[0] == "$timescale") CHECK((words[1] == "1" && words[2] == "ps"));
      if (words[0] == "$scope") scope.push_back(words[2]);
      if (words[0] == "$upscope") {
        REQUIRE_FALSE(scope.empty());
        scope.pop_back();
      }
      if (words[0] == "$var") {
        std::string name;
        for (const std::string& part : scope) name += part + ".";
        CHECK(names.emplace(words[3], name + words[4]).second);
      }
      declared = words[0] == "$enddefinitions";
      continue;
    }
    if (word[0] == '$') continue;
    if (word[0] == '#') {
      const std::int64_t next = std::stoll(word.substr(1));
      CHECK(next >= at);
      at = next;
      continue;
    }
    std::string code = word.substr(1);
    std::uint64_t value = word[0] == '1';
    if (word[0] == 'b') {
      value = std::stoull(word.substr(1), nullptr, 2);
      in >> code;
    }
    REQUIRE(names.contains(code));
    auto& changes = dump.signals[names[code]];
    if (!changes.empty()) CHECK(changes.back().second != value);
    changes.emplace_back(at, value);
  }
  CHECK(scope.empty());
  for (const auto& [code, name] : names) CHECK(dump.signals.contains(name));
  dump.end = at;
  return dump;
}

TEST_CASE("vcd: patterns") {
  CHECK(matches("*", ""));
  CHECK(matches("node0.nic0*", "node0.nic0.qp1.rung"));
  CHECK(matches("*.tags", "node0.nic0_port.tags"));
  CHECK(matches("a*b?d", "a--b-b.d"));
  CHECK_FALSE(matches("a*b?d", "abd"));
  CHECK_FALSE(matches("node0", "node0.nic0"));
}

TEST_CASE("vcd: a link is busy for as long as its TLPs take, exactly; indices and tags come to their ends") {
  const Exported run = exported("vcd", "bytes: 64 KiB\npayload: read\n");
  const Dump dump = read(run.file("signals.vcd"));
  const auto& busy = dump.signals.at("node0.gpu0_pcie_up.busy");
  std::int64_t high = 0, sum = 0;
  for (std::size_t i = 0; i + 1 < busy.size(); ++i)
    if (busy[i].second == 1) high += busy[i + 1].first - busy[i].first;
  for (const auto& one : run.heard.sent)
    if (one.link == "node0.gpu0_pcie_up") sum += (one.end - one.begin).count();
  CHECK(high == sum);
  CHECK(busy.back().second == 0);
  const auto& tags = dump.signals.at("node0.nic0_port.tags");
  CHECK(std::any_of(tags.begin(), tags.end(), [](const auto& change) { return change.second > 0; }));
  CHECK(tags.back().second == 0);
  CHECK(dump.signals.at("node0.nic0.qp1.completed").back().second == 7);
  CHECK(dump.signals.contains("node0.nic0_pcie_up.posted_headers"));
}

TEST_CASE("vcd: only what is asked for; what doesn't exist is told") {
  const Exported run = exported("vcd", "", {.signals = "node0.nic0.*,*nic0_port.tags"});
  for (const auto& [name, changes] : read(run.file("signals.vcd")).signals)
    CHECK_MESSAGE((name.starts_with("node0.nic0.") || name.ends_with("nic0_port.tags")), name);
  try {
    exported("vcd", "", {.signals = "node9.*"});
    FAIL("taken");
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what())
              .starts_with("gicsim: --signals: 'node9.*' matches no signal; this machine has MODULE.busy, completed"));
  }
}

TEST_CASE("vcd: equal runs, equal bytes; bounded") {
  const std::string some = "node0.nic0*,node0.gpu0*";
  const Exported whole = exported("vcd", "", {.signals = some}), again = exported("vcd", "", {.signals = some});
  const Bytes limit(static_cast<std::int64_t>(whole.file("signals.vcd").size() * 3 / 4));
  const Exported cut = exported("vcd", "", {.limit = limit, .signals = some});
  const std::string &all = whole.file("signals.vcd"), &part = cut.file("signals.vcd");
  CHECK(all == again.file("signals.vcd"));
  CHECK(static_cast<std::int64_t>(part.size()) <= limit.count());
  CHECK(all.substr(0, part.size()) == part);
  REQUIRE(cut.left_out.size() == 1);
  read(part);
}

}  // namespace
}  // namespace gicsim::exports
