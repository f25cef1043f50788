// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/hops.h"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/traces/export/support.h"

namespace gicsim::exports {
namespace {

using Table = std::vector<std::vector<std::string>>;

/// A file as a user opens it.
class Opened {
 public:
  explicit Opened(const std::string& bytes) {
    REQUIRE(sqlite3_open_v2(folder_.write("hops.sqlite", bytes).c_str(), &file_, SQLITE_OPEN_READONLY, nullptr) ==
            SQLITE_OK);
  }
  ~Opened() { sqlite3_close(file_); }
  Table ask(const std::string& sql) const {
    sqlite3_stmt* statement = nullptr;
    REQUIRE_MESSAGE(sqlite3_prepare_v2(file_, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK,
                    sqlite3_errmsg(file_));
    Table table;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      auto& row = table.emplace_back();
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
        row.emplace_back(text ? text : "-");
      }
    }
    sqlite3_finalize(statement);
    return table;
  }
  std::string one(const std::string& sql) const {
    const Table table = ask(sql);
    REQUIRE(table.size() == 1);
    return table[0][0];
  }
  /// One of those that are shipped.
  Table query(const std::string& name) const {
    const std::string sql = contents(source_root() + "/traces/hops/queries/" + name + ".sql");
    REQUIRE_FALSE(sql.empty());
    return ask(sql);
  }

 private:
  Folder folder_;
  sqlite3* file_ = nullptr;
};

double number(const std::string& cell) { return std::strtod(cell.c_str(), nullptr); }

TEST_CASE("hops: messages and stages are the ledgers, to the picosecond; hops are all TLPs and packets") {
  for (const char* differs : {"", "pattern: ping_pong\n", "bytes: 64 KiB\npayload: read\n",
                              "pattern: put_bw\niterations: 40\nbatch: 4\n", "path: cpu_post\nqueues: host\n"}) {
    CAPTURE(differs);
    const Exported run = exported("hops", differs);
    const Opened db(run.file("hops.sqlite"));
    CHECK(db.one("PRAGMA integrity_check") == "ok");
    CHECK(db.one("SELECT value FROM run WHERE key = 'status'") == "done");
    CHECK(db.one("SELECT count(*) FROM hops WHERE kind = 'tlp'") == std::to_string(run.heard.tlps));
    CHECK(db.one("SELECT count(*) FROM hops WHERE kind = 'packet'") == std::to_string(run.heard.packets));
    CHECK(db.one("SELECT count(*) FROM hops WHERE message IS NOT NULL") != "0");
    const Table messages = db.ask(
        "SELECT poster, peer, queue_pair, begun_ps, completion_ps, delivery_ps, "
        "(SELECT sum(time_ps) FROM stages WHERE message = id AND branch = 'completion'), "
        "(SELECT sum(time_ps) FROM stages WHERE message = id AND branch = 'delivery') FROM messages ORDER BY id");
    REQUIRE(messages.size() == run.heard.messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const Recorder::Ended& heard = run.heard.messages[i];
      CHECK(messages[i][0] == heard.poster);
      CHECK(messages[i][2] == heard.queue_pair);
      CHECK(messages[i][4] == std::to_string((heard.completion.last() - heard.begun).count()));
      CHECK(messages[i][6] == messages[i][4]);
      CHECK(messages[i][7] == messages[i][5]);
    }
  }
}

TEST_CASE("hops: the queries that are shipped answer what they ask") {
  const Exported run = exported("hops", "bytes: 64 KiB\npayload: read\niterations: 7\nwarmup: 2\n");
  const Opened db(run.file("hops.sqlite"));
  double percent = 0;
  std::vector<Picoseconds> times;
  for (const Recorder::Ended& one : run.heard.messages)
    if (one.measured) times.push_back(one.completion.total());
  std::sort(times.begin(), times.end());

  const Table where = db.query("where_time_goes");
  for (const auto& row : where) percent += number(row[4]);
  CHECK(std::abs(percent - 100) < 0.2);
  CHECK(number(where[0][2]) >= number(where[1][2]));

  const Table slowest = db.query("slowest_messages");
  REQUIRE(slowest.size() == 7);
  CHECK(std::abs(number(slowest[0][6]) - static_cast<double>(times.back().count()) / 1000) < 1e-6);
  CHECK(number(slowest[0][9]) > 0);

  const Table waits = db.query("who_makes_wait");
  REQUIRE_FALSE(waits.empty());
  CHECK(number(waits[0][3]) >= number(waits.back()[3]));

  const Table links = db.query("busy_links");
  const auto wire = std::find_if(links.begin(), links.end(), [](const auto& row) {
    return row[0] == "node0_nic0_link_up" && row[1] == "RDMA WRITE";
  });
  REQUIRE(wire != links.end());
  CHECK((*wire)[3] == std::to_string(9 * 65536));
  CHECK((number((*wire)[5]) > 0 && number((*wire)[5]) <= 100));

  const Table follow = db.query("follow_a_message");
  CHECK(number(follow[0][0]) == 0);
  double completion = 0;
  for (const auto& row : follow)
    if (row[2] == "both" || row[2] == "completion") completion += number(row[1]);
  CHECK(std::abs(completion - static_cast<double>(times[3].count()) / 1000) < 1e-6);
  CHECK(std::any_of(follow.begin(), follow.end(), [](const auto& row) { return row[2] == "tlp"; }));
  CHECK(std::any_of(follow.begin(), follow.end(), [](const auto& row) { return row[2] == "packet"; }));
}

TEST_CASE("hops: equal runs, equal bytes; whatever its limit, it is whole and says what it lacks") {
  const Exported whole = exported("hops"), again = exported("hops");
  CHECK(whole.file("hops.sqlite") == again.file("hops.sqlite"));
  for (const Bytes limit : {96_KiB, 64_KiB}) {
    const Exported cut = exported("hops", "iterations: 60\n", {.limit = limit});
    const std::string& bytes = cut.file("hops.sqlite");
    CHECK(static_cast<std::int64_t>(bytes.size()) <= limit.count());
    const Opened db(bytes);
    CHECK(db.one("PRAGMA integrity_check") == "ok");
    REQUIRE(cut.left_out.size() == 1);
    CHECK(db.one("SELECT value FROM run WHERE key = 'left_out'") == std::to_string(cut.left_out[0].left_out));
    CHECK(number(db.one("SELECT count(*) FROM messages")) > 0);
    CHECK(db.one("SELECT count(*) FROM messages m WHERE completion_ps <> (SELECT sum(time_ps) FROM stages "
                 "WHERE message = m.id AND branch = 'completion')") == "0");
  }
}

TEST_CASE("hops: of a run that got stuck, what was sent until then is there") {
  const Exported run = exported("hops", "mistake: record_slot\nset:\n  nic.queues.record: read\n");
  const Opened db(run.file("hops.sqlite"));
  CHECK(db.one("SELECT value FROM run WHERE key = 'status'") == "stuck");
  CHECK(db.one("SELECT count(*) FROM hops") == std::to_string(run.heard.tlps));
}

}  // namespace
}  // namespace gicsim::exports
