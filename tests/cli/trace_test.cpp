// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// gicsim-cli trace, as a user runs it.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/shell.h"

namespace gicsim {
namespace {

std::string capture(const std::string& name) {
  return std::filesystem::absolute(source_root() + "/traces/samples/roce/" + name + ".pcap");
}

TEST_CASE("program: trace info, as text and as JSON") {
  Shell shell;
  const auto text = shell.run({"trace", "info", capture("rxe-write-4KiB-reqloss"), "--delivered",
                               capture("rxe-write-4KiB-reqloss-delivered")});
  CHECK(text.code == 0);
  CHECK(holds(text.out, "10.0.0.2 QP 18 -> 10.0.0.1 QP 18, RC"));
  CHECK(holds(text.out, "3 of 176 frames to 10.0.0.1"));
  const auto json = shell.run({"trace", "info", capture("rxe-nak-access"), capture("rxe-send-rnr"), "--json"});
  CHECK(json.code == 0);
  const auto read = nlohmann::json::parse(json.out);
  CHECK(read.at("schema") == "gicsim.trace/1");
  CHECK(read.at("files").at(1).at("flows").at(0).at("rnr_naks_by_timer").at("20") == 14);
}

TEST_CASE("program: a capture that is cut off is no capture, and nothing of the others is shown") {
  Shell shell;
  shell.folder.write("cut.pcap", contents(capture("rxe-nak-access")).substr(0, 1000));
  const auto said = shell.run({"trace", "info", capture("rxe-send-rnr"), "cut.pcap", "none.pcap"});
  CHECK(said.code == 2);
  CHECK(said.out.empty());
  CHECK(holds(said.err, "cut.pcap: byte 1000: the file ends inside a"));
  CHECK(holds(said.err, "none.pcap: can't be read: No such file"));
  CHECK(shell.run({"trace", "info"}).code == 2);
  CHECK(shell.run({"trace"}).code == 2);
}

TEST_CASE("program: trace check says what the model did, and fails where that differs") {
  Shell shell;
  const auto good = shell.run({"trace", "check", capture("rxe-send-rnr")});
  CHECK(good.code == 0);
  CHECK(holds(good.out, "requester: 126 packets sent as captured"));
  CHECK(holds(good.out, "responder: 31 packets sent as captured"));
  const auto spec = shell.run({"trace", "check", capture("rxe-send-rnr"), "--like", "spec", "--role", "responder"});
  CHECK(spec.code == 1);
  CHECK(holds(spec.out, "frame 20: the capture has RC ACKNOWLEDGE, PSN 0xfffff0, syndrome 0x60"));
  CHECK(shell.run({"trace", "check", capture("rxe-send-rnr"), "--role", "both"}).code == 2);
  CHECK(shell.run({"trace", "check", capture("rxe-send-rnr"), "--set", "ack=never"}).code == 2);
}

}  // namespace
}  // namespace gicsim
