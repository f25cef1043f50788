// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/hops/store.h"

#include <sqlite3.h>

#include <algorithm>
#include <stdexcept>

namespace gicsim::hops {
namespace {

constexpr const char* schema = R"(
PRAGMA page_size = 2048;
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE messages (
  id INTEGER PRIMARY KEY, number INTEGER, verb TEXT, poster TEXT, peer TEXT, queue_pair TEXT, bytes INTEGER,
  measured INTEGER, begun_ps INTEGER, completion_ps INTEGER, delivery_ps INTEGER);
CREATE TABLE stages (
  message INTEGER REFERENCES messages, branch TEXT, seq INTEGER, layer TEXT, stage TEXT, at TEXT,
  begin_ps INTEGER, time_ps INTEGER, waiting_ps INTEGER, PRIMARY KEY (message, branch, seq)) WITHOUT ROWID;
CREATE TABLE hops (
  id INTEGER PRIMARY KEY, message INTEGER REFERENCES messages, kind TEXT, link TEXT, type TEXT, stage TEXT, bytes INTEGER,
  begin_ps INTEGER, end_ps INTEGER, address INTEGER, requester INTEGER, tag INTEGER, psn INTEGER, qp INTEGER, lost INTEGER);
BEGIN;
)";
constexpr std::size_t page = 2048, margin = 8 * page;
constexpr std::size_t longest_row = 256;  ///< of names as long as modules have them

}  // namespace

struct Store::Database {
  sqlite3* file = nullptr;
  sqlite3_stmt *run = nullptr, *message = nullptr, *stage = nullptr, *hop = nullptr, *pages = nullptr;

  Database() {
    check(sqlite3_open(":memory:", &file));
    check(sqlite3_exec(file, schema, nullptr, nullptr, nullptr));
    run = prepare("INSERT OR REPLACE INTO run VALUES (?, ?)");
    message = prepare("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    stage = prepare("INSERT INTO stages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    hop = prepare("INSERT INTO hops VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    pages = prepare("PRAGMA page_count");
  }
  ~Database() {
    for (sqlite3_stmt* statement : {run, message, stage, hop, pages}) sqlite3_finalize(statement);
    sqlite3_close(file);
  }
  void check(int result) const {
    if (result != SQLITE_OK && result != SQLITE_DONE && result != SQLITE_ROW)
      throw std::runtime_error(std::string("hops: ") + sqlite3_errmsg(file));
  }
  sqlite3_stmt* prepare(const char* text) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(file, text, -1, &statement, nullptr));
    return statement;
  }
};

namespace {

/// Binds one value after the other, then steps.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) { sqlite3_reset(statement); }
  Row& operator<<(std::int64_t value) { return bound(sqlite3_bind_int64(statement_, ++column_, value)); }
  Row& operator<<(Picoseconds value) { return *this << value.count(); }
  Row& operator<<(std::string_view text) {
    return bound(
        sqlite3_bind_text(statement_, ++column_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
  }
  template <class T>
  Row& operator<<(const std::optional<T>& value) {
    return value ? *this << *value : bound(sqlite3_bind_null(statement_, ++column_));
  }
  int step() { return sqlite3_step(statement_); }

 private:
  Row& bound(int result) {
    if (result != SQLITE_OK) throw std::runtime_error("hops: a value can't be bound");
    return *this;
  }
  sqlite3_stmt* statement_;
  int column_ = 0;
};

/// "" is no name.
std::optional<std::string_view> named(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}
std::optional<std::int64_t> lasts(const Ledger* ledger, Picoseconds begun) {
  return ledger ? std::optional((ledger->last() - begun).count()) : std::nullopt;
}

}  // namespace

Store::Store(Bytes limit) : limit_(limit), database_(std::make_unique<Database>()) {}
Store::~Store() = default;

void Store::tell(std::string_view key, std::string_view value) {
  database_->check((Row(database_->run) << key << value).step());
}

bool Store::room(std::size_t rows) {
  if (full_) return false;
  Row pages(database_->pages);
  database_->check(pages.step());
  const auto used = static_cast<std::size_t>(sqlite3_column_int64(database_->pages, 0)) * page;
  sqlite3_reset(database_->pages);
  full_ = used + rows * longest_row + margin > static_cast<std::size_t>(std::max<std::int64_t>(limit_.count(), 0));
  return !full_;
}

void Store::insert(const Hop& hop, std::optional<std::int64_t> message) {
  database_->check((Row(database_->hop) << message << hop.kind << hop.link << hop.type << named(hop.stage)
                                        << hop.bytes.count() << hop.begin << hop.end << hop.address << hop.requester
                                        << hop.tag << hop.psn << hop.queue_pair << std::int64_t{hop.lost})
                       .step());
}

/// What lies before `begun` is of the message that this one answers.
void Store::insert(std::int64_t message, const char* branch, const Ledger& ledger, Picoseconds begun) {
  std::int64_t seq = 0;
  Picoseconds at = ledger.begun();
  for (const Ledger::Entry& entry : ledger.entries()) {
    const Picoseconds begin = std::max(at, begun), end = at += entry.time;
    if (end <= begin) continue;
    database_->check((Row(database_->stage)
                      << message << std::string_view(branch) << seq++ << layer_of(entry.stage) << name_of(entry.stage)
                      << std::string_view(entry.at) << begin << end - begin << std::min(entry.waiting, end - begin))
                         .step());
  }
}

bool Store::add(const Message& m, const std::vector<Hop>& hops) {
  const std::size_t stages =
      (m.completion ? m.completion->entries().size() : 0) + (m.delivery ? m.delivery->entries().size() : 0);
  if (!room(1 + stages + hops.size())) return false;
  const std::int64_t id = ++messages_;
  database_->check((Row(database_->message) << id << m.number << m.verb << m.poster << named(m.peer)
                                            << named(m.queue_pair) << m.bytes.count() << std::int64_t{m.measured}
                                            << m.begun << lasts(m.completion, m.begun) << lasts(m.delivery, m.begun))
                       .step());
  if (m.completion) insert(id, "completion", *m.completion, m.begun);
  if (m.delivery) insert(id, "delivery", *m.delivery, m.begun);
  for (const Hop& hop : hops) insert(hop, id);
  return true;
}

bool Store::add(const Hop& hop) {
  if (!room(1)) return false;
  insert(hop, std::nullopt);
  return true;
}

std::string Store::file() {
  for (sqlite3_stmt* statement : {database_->run, database_->message, database_->stage, database_->hop})
    sqlite3_reset(statement);
  database_->check(sqlite3_exec(database_->file, "COMMIT", nullptr, nullptr, nullptr));
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> bytes(sqlite3_serialize(database_->file, "main", &size, 0),
                                                              sqlite3_free);
  if (!bytes) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

}  // namespace gicsim::hops
