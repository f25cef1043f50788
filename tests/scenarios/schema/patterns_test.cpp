// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "scenarios/schema/load.h"
#include "tests/support/files.h"

namespace gicsim::schema {
namespace {

/// What is wrong with a scenario of these lines; lines count from the pattern's.
std::string wrong(const std::string& lines) {
  Folder folder;
  const std::string file = folder.write("s.yaml", lines + "system: h200_cx7_ib\n");
  return folder.relative(mistakes_of([&] { load_scenario(file, {}, source_root()); }));
}

Scenario load(const std::string& lines) {
  Folder folder;
  return load_scenario(folder.write("s.yaml", lines + "system: h200_cx7_ib\n"), {}, source_root());
}

TEST_CASE("patterns: a path that doesn't have one says which do") {
  CHECK(wrong("pattern: get\npath: host_staged\n") ==
        "s.yaml:2:7: path: get over host_staged, which only puts; write 'path: gpu_direct', 'cpu_doorbell', 'cpu_post' "
        "or 'cpu_proxy'");
  CHECK(wrong("pattern: put_bw\npath: stream_triggered\noperation: fetch_add\n") ==
        "s.yaml:3:12: operation: fetch_add over stream_triggered, which only puts; write 'path: gpu_direct', "
        "'cpu_doorbell', 'cpu_post' or 'cpu_proxy'");
  CHECK(wrong("pattern: put_signal\npath: cpu_proxy\n") ==
        "s.yaml:2:7: path: cpu_proxy, but put_signal is posted by the sender itself; write 'path: gpu_direct', "
        "'cpu_doorbell' or 'cpu_post'");
  CHECK(holds(wrong("pattern: quiet\npath: cpu_post\n"),
              "s.yaml:2:7: path: cpu_post, where a thread has one queue pair"));
}

TEST_CASE("patterns: copies both ways are pinned ones, since a pageable one holds its caller") {
  CHECK(wrong("pattern: copy_engine\npath: none\ndirection: both\nstaging: pageable\n") ==
        "s.yaml:4:10: staging: pageable, but such a copy to the host holds its caller, who would then call for the "
        "other; write 'staging: pinned'");
}

TEST_CASE("patterns: an atomic is on eight bytes, and neither it nor a get sends a payload") {
  CHECK(wrong("pattern: atomic\npath: gpu_direct\nbytes: 16 B\n") ==
        "s.yaml:3:8: bytes: 16 B, but an atomic is on 8 B; write 'bytes: 8 B'");
  CHECK(wrong("pattern: get\npath: gpu_direct\npayload: inline\n") ==
        "s.yaml:3:10: payload: inline, but a get sends none; leave it out");
  CHECK(wrong("pattern: put_signal\npath: gpu_direct\nsignal: immediate\nthreads: 4\nqps: 1\nsharing: lock\n") ==
        "s.yaml:3:9: signal: immediate, but receives of a queue pair that threads share can't be told apart; write "
        "'signal: atomic' or 'flag'");
  CHECK(holds(wrong("pattern: put_signal\npath: gpu_direct\nbytes: 100 B\ndepth: 2\n"),
              "1 WQEs and a signal, 4 entries, don't fit a send queue of 2"));
}

TEST_CASE("patterns: keys of another pattern change nothing, and that is said") {
  CHECK(load("pattern: put\npath: gpu_direct\nsignal: flag\nscope: qp\natomic: compare_swap\noperation: get\n")
            .warnings ==
        std::vector<std::string>{"atomic: changes nothing, pattern is not atomic",
                                 "signal: changes nothing, pattern is not put_signal",
                                 "scope: changes nothing, pattern is not quiet",
                                 "operation: changes nothing, pattern is neither put_bw nor message_rate"});
  CHECK(verb(load("pattern: put_bw\npath: cpu_post\noperation: get\n")) == Verb::get);
  CHECK(verb(load("pattern: atomic\npath: cpu_proxy\natomic: compare_swap\n")) == Verb::compare_swap);
  CHECK(signal(load("pattern: quiet\npath: gpu_direct\nscope: signal\n")) == Signal::atomic);
  CHECK_FALSE(signal(load("pattern: quiet\npath: gpu_direct\n")));
}

}  // namespace
}  // namespace gicsim::schema
