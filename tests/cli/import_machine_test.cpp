// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// gicsim-cli import machine, as a user runs it.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/shell.h"

namespace gicsim {
namespace {

std::string machine_text(const std::string& name) { return contents(source_root() + "/traces/samples/machine/" + name); }

TEST_CASE("program: import machine writes a system to stdout or a file, and to stderr what to look at") {
  Shell shell;
  shell.folder.write("lspci.txt", machine_text("made_lspci.txt"));
  shell.folder.write("ibstat.txt", machine_text("made_ibstat.txt"));
  const auto said = shell.run({"import", "machine", "lspci.txt", "ibstat.txt"});
  CHECK(said.code == 0);
  CHECK(holds(said.out, "attach: tree\nsockets: 2\n"));
  CHECK(holds(said.err, "lspci.txt: lspci, 16 devices, 16 of them new\n"));
  CHECK(holds(said.err, "warning: lspci.txt:118: nic0 (0000:19:00.0) is degraded: x8 of x16\n"));
  const auto again = shell.run({"import", "machine", "ibstat.txt", "lspci.txt", "-o", "out/mine.yaml"});
  CHECK(again.code == 0);
  CHECK(again.out.empty());
  CHECK(contents(shell.folder.path() + "/out/mine.yaml") == said.out);
}

TEST_CASE("program: import machine's options and mistakes") {
  Shell shell;
  shell.folder.write("lspci.txt", machine_text("made_lspci.txt"));
  shell.folder.write("cut.xml", machine_text("h200_nccl.xml").substr(0, 900));
  const auto set = shell.run({"import", "machine", "lspci.txt", "--nodes", "4", "--set", "nic0.pcie.lanes=16"});
  CHECK(holds(set.out, "\nnodes: 4\n"));
  CHECK(holds(set.out, "nic0.pcie.lanes: {is: 16, user: "));
  const auto wrong = shell.run({"import", "machine", "lspci.txt", "cut.xml", "none.txt", "-o", "mine.yaml"});
  CHECK(wrong.code == 2);
  CHECK(holds(wrong.err, "cut.xml:11:6: ends inside <pci> of line 4"));
  CHECK(holds(wrong.err, "none.txt: can't be read: No such file"));
  CHECK_FALSE(std::filesystem::exists(shell.folder.path() + "/mine.yaml"));
  CHECK(holds(shell.run({"import", "machine", "lspci.txt", "--set", "nic0"}).err, "--set: 'nic0' has no value"));
  CHECK(shell.run({"import", "machine"}).code == 2);
  CHECK(holds(shell.run({"import", "machine", "--help"}).out, "--sockets"));
}

}  // namespace
}  // namespace gicsim
