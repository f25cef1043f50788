// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// gicsim-cli run --tlp-log, as a user runs it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/support/shell.h"

namespace gicsim {
namespace {

TEST_CASE("program: --tlp-log writes every TLP of the run, and changes nothing else") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const auto plain = shell.run({"run", "s.yaml"});
  const auto logged = shell.run({"run", "s.yaml", "--tlp-log", "logs/tlps.tsv"});
  CHECK(logged.code == 0);
  CHECK(logged.err.empty());
  CHECK(logged.out == plain.out);
  const std::string log = contents(shell.folder.path() + "/logs/tlps.tsv");
  CHECK(holds(log, "# gicsim.tlp_log/1"));
  CHECK(holds(log, "\tnode0.gpu0_pcie\tup\tMWr\t"));
  CHECK(holds(log, "\tdoorbell_flight\t"));
  CHECK(holds(log, "\tMRd\t"));
  CHECK(holds(log, "\twqe_read\t"));
  CHECK(holds(log, "\tCplD\t"));
  CHECK(shell.run({"run", "s.yaml", "--tlp-log", "again.tsv"}).code == 0);
  CHECK(contents(shell.folder.path() + "/again.tsv") == log);
}

TEST_CASE("program: a TLP log that is full says so in the file and on standard error") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const auto said = shell.run({"run", "s.yaml", "--tlp-log", "t.tsv", "--tlp-log-limit", "2 KiB"});
  CHECK(said.code == 0);
  CHECK(holds(said.err, "t.tsv: full; "));
  CHECK(holds(said.err, "--tlp-log-limit sets how large"));
  const std::string log = contents(shell.folder.path() + "/t.tsv");
  CHECK(holds(log, "# cut at 2 KiB: "));
  CHECK(log.size() < 2200);
}

TEST_CASE("program: what --tlp-log can't do is said before the run") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  shell.folder.write("taken", "a file");
  CHECK(shell.run({"run", "s.yaml", "--tlp-log", "taken/t.tsv"}).code == 4);
  const auto folder = shell.run({"run", "s.yaml", "--tlp-log", "."});
  CHECK(folder.code == 2);
  CHECK(holds(folder.err, "--tlp-log: '.' is a folder; give a file"));
  CHECK(holds(shell.run({"run", "s.yaml", "--tlp-log", "t", "--tlp-log-limit", "64"}).err,
              "--tlp-log-limit: '64' has no unit"));
  CHECK(shell.run({"run", "s.yaml", "--tlp-log-limit", "64 KiB"}).code == 2);
  CHECK(shell.run({"run", "--tlp-log", "t"}).code == 2);
  CHECK_FALSE(std::filesystem::exists(shell.folder.path() + "/t"));
}

}  // namespace
}  // namespace gicsim
