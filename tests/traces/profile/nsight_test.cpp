// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/nsight.h"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <cstdio>

#include "tests/traces/profile/support.h"

using namespace gicsim;
using namespace gicsim::profile;
using namespace std::chrono_literals;
using schedule::Action;
using schedule::Step;

namespace {

std::string make(const Folder& folder, const std::string& sql, const std::string& name = "x.sqlite") {
  const std::string file = folder.path() + "/" + name;
  std::remove(file.c_str());
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &db) == SQLITE_OK);
  REQUIRE(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(db);
  return file;
}

}  // namespace

TEST_CASE("nsight: kernels, copies and NCCL's ranges of two processes") {
  const Folder folder;
  const auto source = open_nsight({make(folder, contents(sample("nsight.sql")))});
  REQUIRE(source->ranks() == 2);
  CHECK(source->hosts() == std::vector<std::string>{"node-a", "node-a"});
  const auto all = all_steps(*source);
  const schedule::Play play(all);
  CHECK(play.stuck.empty());
  CHECK(play.bytes == 1_MiB * 2 + 512_B);
  // Rank 0 of the communicator is the process on GPU 1; the other's copy is the earliest of all.
  CHECK(all[1][0].name == "copy host to device, 4096 B");
  CHECK(all[1][0].began == 0ns);
  CHECK(all[1][0].time == 50us);
  CHECK(all[1][1].gap == 50us);
  CHECK(all[0][0].began == 100'500ns);
  CHECK(all[0].back().name == "copy device to host, 64 B");
  CHECK(noted(*source, "export schema 3.13.4"));
  CHECK(noted(*source, "NIC 1a, IB: Bytes sent (B/s): 2 samples, sum 12000, most 7000"));
  CHECK(source->unused().empty());
  source->rewind();
  CHECK(all_steps(*source) == all);
}

TEST_CASE("nsight: tables and columns that other versions lack") {
  const Folder folder;
  const std::string few =
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, shortName INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 30, 0, 1), (40, 50, 1, 2), (NULL, 5, 0, 1);";
  const auto source = open_nsight({make(folder, few)});
  const auto all = all_steps(*source);
  REQUIRE(all.size() == 2);
  CHECK(all[0].size() == 1);
  CHECK(all[0][0].time == 20ns);
  CHECK(all[1][0].began == 30ns);
  CHECK(counted(*source, "without a time") == 1);
  CHECK(noted(*source, "the export doesn't say its schema's version"));
  CHECK(noted(*source, "which process is which rank isn't said"));

  const auto stock =
      open_nsight({make(folder, few + "CREATE TABLE StringIds (id INTEGER, value TEXT);"
                                      "INSERT INTO StringIds VALUES (1, 'ncclDevKernel_AllReduce'), (2, 'gemm');")});
  const auto kernels = all_steps(*stock);
  CHECK(kernels[0][0].name == "ncclDevKernel_AllReduce");
  CHECK(counted(*stock, "an NCCL kernel whose sizes no NVTX range tells") == 1);
}

TEST_CASE("nsight: what is no export, is cut off or broken") {
  const Folder folder;
  const auto said = [&](const std::string& file) {
    return folder.relative(mistakes_of([&] { all_steps(*open_nsight({file})); }));
  };
  CHECK(holds(said(make(folder, "CREATE TABLE t (a);")), "no export of Nsight Systems"));
  CHECK(holds(said(make(folder, "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);")), "no kernels are in it"));
  CHECK(holds(said(make(folder, "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end);")),
              "no process of it ran a kernel"));
  CHECK(holds(said(folder.write("t.sqlite", "SQLite format 3")), "t.sqlite: SQLite says: "));
  CHECK(holds(said(folder.path() + "/none"), "none: SQLite says: "));
  const std::string whole = contents(make(folder, contents(sample("nsight.sql"))));
  CHECK(looks_like_sqlite(whole));
  CHECK(is_nsight(folder.path() + "/x.sqlite"));
  CHECK(holds(said(folder.write("half.sqlite", whole.substr(0, whole.size() / 2))), "half.sqlite: SQLite says: "));
  spoil(whole, "s.sqlite", open_nsight);
}
