// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/nettlp.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/traces/export/support.h"
#include "traces/export/sender.h"
#include "traces/tlp/info.h"

namespace gicsim::exports {
namespace {

/// What was sent, as a format that has everything would tell it; in order of time.
std::vector<tlp::Record> sent_in(const Recorder& heard) {
  std::vector<tlp::Record> all;
  for (const Recorder::Sent& s : heard.sent) {
    const auto [link, direction] = link_and_direction(s.link);
    tlp::Record r{.begin = s.begin,
                  .end = s.end,
                  .link = std::string(link),
                  .direction = direction == "up"     ? tlp::Direction::up
                               : direction == "down" ? tlp::Direction::down
                                                     : tlp::Direction::across,
                  .kind = s.tlp.kind,
                  .requester = s.tlp.requester,
                  .address = s.tlp.address,
                  .length = s.tlp.length,
                  .last = s.tlp.last,
                  .relaxed = s.tlp.relaxed,
                  .by_id = s.tlp.by_id,
                  .poisoned = s.tlp.poisoned,
                  .address_type = s.tlp.address_type,
                  .status = s.tlp.status,
                  .op = s.op};
    if (flow_of(s.tlp.kind) != Flow::posted) r.tag = s.tlp.tag;
    if (!s.stage.empty()) r.stage = s.stage;
    if (s.tlp.kind == TlpKind::message) r.code = s.tlp.code;
    all.push_back(std::move(r));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  return all;
}

std::vector<tlp::Record> read(const Folder& folder, const Exported& run, const std::string& name) {
  for (const auto& [file, content] : run.files) folder.write(file, content);
  const auto source = tlp::open(folder.path() + "/" + name);
  REQUIRE(source);
  std::vector<tlp::Record> all;
  for (tlp::Record r; source->next(r);) all.push_back(r);
  CHECK(source->note().empty());
  return all;
}

TEST_CASE("tlp exports: log and NetTLP are read back as the TLPs that were sent") {
  for (const char* differs :
       {"", "bytes: 64 KiB\npayload: read\n", "pattern: get\nbytes: 5000 B\n", "pattern: atomic\n",
        "pattern: put_bw\npayload: read\nbytes: 100 B\niterations: 30\n", "path: cpu_proxy\nqueues: host\n"}) {
    CAPTURE(differs);
    const Folder folder;
    const Exported run = exported("tlp,nettlp", differs);
    std::vector<tlp::Record> sent = sent_in(run.heard), log = read(folder, run, "tlps.tsv"),
                             capture = read(folder, run, "nettlp.pcap");
    REQUIRE(sent.size() > 20);
    REQUIRE(log.size() == sent.size());
    REQUIRE(capture.size() == sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
      tlp::Record as_logged = sent[i];
      as_logged.op.reset(), as_logged.code.reset();
      REQUIRE(log[i] == as_logged);
      tlp::Record as_captured = sent[i];
      as_captured.begin = as_captured.begin / 1ns * 1ns;
      as_captured.end.reset(), as_captured.last.reset(), as_captured.stage.reset();
      REQUIRE(capture[i] == as_captured);
    }
  }
}

TEST_CASE("tlp exports: NetTLP when it is full is whole, and says what it lacks; equal runs, equal bytes") {
  const Exported whole = exported("nettlp"), again = exported("nettlp"), cut = exported("nettlp", "", {.limit = 4_KiB});
  CHECK(whole.files == again.files);
  const std::string &all = whole.file("nettlp.pcap"), &part = cut.file("nettlp.pcap");
  CHECK(part.size() <= 4096);
  CHECK(all.substr(0, part.size()) == part);
  REQUIRE(cut.left_out.size() == 1);
  CHECK(cut.left_out[0].of == whole.heard.tlps);
  const Folder folder;
  CHECK(static_cast<Count>(read(folder, cut, "nettlp.pcap").size()) == cut.left_out[0].of - cut.left_out[0].left_out);
}

}  // namespace
}  // namespace gicsim::exports
