// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// gicsim-cli run --export, as a user runs it.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/support/shell.h"

namespace gicsim {
namespace {

TEST_CASE("program: --export writes beside the report, whole, and changes nothing else") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const auto plain = shell.run({"run", "s.yaml"});
  const auto exported = shell.run({"run", "s.yaml", "--export", "tlp", "-o", "out", "--tlp-log", "own.tsv"});
  CHECK(exported.code == 0);
  CHECK(exported.err.empty());
  CHECK(exported.out == plain.out);
  const std::string log = contents(shell.folder.path() + "/out/tlps.tsv");
  CHECK(holds(log, "# gicsim.tlp_log/1"));
  CHECK(contents(shell.folder.path() + "/own.tsv") == log);
  CHECK(std::filesystem::exists(shell.folder.path() + "/out/report.json"));
}

TEST_CASE("program: all exports of one run beside each other; traces of TLPs are read back") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const auto exported = shell.run(
      {"run", "s.yaml", "--export", "timeline,hops,dmon,metrics,vcd,tlp,nettlp", "--signals", "*.tags", "-o", "out"});
  CHECK(exported.code == 0);
  CHECK(exported.err.empty());
  CHECK(exported.out == shell.run({"run", "s.yaml"}).out);
  for (const char* file : {"timeline.json", "hops.sqlite", "dmon.node0.txt", "dmon.node1.txt", "metrics.txt",
                           "signals.vcd", "tlps.tsv", "nettlp.pcap", "nettlp.hosts", "report.json"})
    CHECK_MESSAGE(std::filesystem::file_size(shell.folder.path() + "/out/" + file) > 0, file);
  const auto info = shell.run({"trace", "info", "out/tlps.tsv", "out/nettlp.pcap"});
  CHECK(info.code == 0);
  CHECK(holds(info.out, "out/tlps.tsv: gicsim.tlp_log/1, "));
  CHECK(holds(info.out, "out/nettlp.pcap: NetTLP in pcap, ns, little-endian, "));
  CHECK(holds(info.out, "  node0.gpu0_pcie              up        MWr "));
  CHECK(holds(info.out, " reads, from request to last data p50 "));
  CHECK(holds(shell.run({"trace", "info", "out/tlps.tsv", "--json"}).out, "\"schema\": \"gicsim.tlp_info/1\""));
  shell.folder.write("cut.tsv", contents(shell.folder.path() + "/out/tlps.tsv").substr(0, 1000));
  const auto cut = shell.run({"trace", "info", "cut.tsv"});
  CHECK(cut.code == 2);
  CHECK(cut.out.empty());
  CHECK(holds(cut.err, ": the file ends inside a line; it was cut off"));
}

TEST_CASE("program: an export that is full says so") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const auto said = shell.run({"run", "s.yaml", "--export", "tlp", "--export-limit", "2 KiB", "-o", "out"});
  CHECK(said.code == 0);
  CHECK(holds(said.err, "out/tlps.tsv: full; "));
  CHECK(holds(said.err, " TLPs are left out; --export-limit sets how large it may become"));
  CHECK(contents(shell.folder.path() + "/out/tlps.tsv").size() < 2200);
}

TEST_CASE("program: what got stuck is exported, too") {
  Shell shell;
  shell.folder.write("s.yaml",
                     "system: h200_cx7_ib\npattern: put\npath: gpu_direct\niterations: 5\nmistake: record_slot\n"
                     "set:\n  nic.queues.record: read\n");
  const auto stuck = shell.run({"run", "s.yaml", "--export", "tlp", "-o", "out"});
  CHECK(stuck.code == 1);
  CHECK(holds(contents(shell.folder.path() + "/out/tlps.tsv"), "\tdoorbell_flight\t"));
}

TEST_CASE("program: what --export can't do is said before the run") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  shell.folder.write("taken", "a file");
  const auto unknown = shell.run({"run", "s.yaml", "--export", "tpl,tlp,wave", "-o", "out"});
  CHECK(unknown.code == 2);
  CHECK(holds(unknown.err, "--export: 'tpl', 'wave': no such export; there are timeline, hops, "));
  const auto nowhere = shell.run({"run", "s.yaml", "--export", "tlp"});
  CHECK(nowhere.code == 2);
  CHECK(holds(nowhere.err, "--export: say with -o DIR which folder its files go to"));
  CHECK(holds(shell.run({"run", "s.yaml", "--export", "tlp", "-o", "out", "--export-limit", "64"}).err,
              "--export-limit: '64' has no unit"));
  CHECK(shell.run({"run", "s.yaml", "--export-limit", "64 KiB"}).code == 2);
  CHECK(holds(shell.run({"run", "s.yaml", "--export", "vcd", "-o", "out", "--export-interval", "0 ns"}).err,
              "--export-interval: '0 ns' is no time between samples"));
  const auto nothing = shell.run({"run", "s.yaml", "--export", "vcd", "-o", "elsewhere", "--signals", "node7.*"});
  CHECK(nothing.code == 2);
  CHECK(holds(nothing.err, "--signals: 'node7.*' matches no signal; this machine has MODULE."));
  CHECK(nothing.out.empty());
  CHECK(shell.run({"run", "--export", "tlp", "-o", "out"}).code == 2);
  CHECK(shell.run({"run", "s.yaml", "--export", "tlp", "-o", "taken"}).code == 4);
  CHECK_FALSE(std::filesystem::exists(shell.folder.path() + "/out"));
}

}  // namespace
}  // namespace gicsim
