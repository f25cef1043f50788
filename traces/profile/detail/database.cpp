// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/detail/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

#include "models/base/errors.h"

namespace gicsim::profile::detail {

struct Database::Handle {
  sqlite3* db = nullptr;
  ~Handle() { sqlite3_close_v2(db); }
};
struct Database::Rows::Statement {
  const Database* database = nullptr;
  sqlite3_stmt* statement = nullptr;
  ~Statement() { sqlite3_finalize(statement); }
};

void Database::fail() const {
  throw ConfigError(Location{file_}, fmt::format("SQLite says: {}", sqlite3_errmsg(handle_->db)));
}

Database::Database(std::string file) : file_(std::move(file)), handle_(std::make_unique<Handle>()) {
  if (sqlite3_open_v2(file_.c_str(), &handle_->db, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) fail();
  // What is sorted goes to temporary files where it is large; what stands in the schema isn't trusted.
  run("PRAGMA temp_store=FILE; PRAGMA cache_size=-16384; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;");
}

Database::~Database() = default;

void Database::run(const std::string& sql) {
  if (sqlite3_exec(handle_->db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

bool Database::has(std::string_view table, const std::vector<std::string_view>& columns) const {
  Rows rows(const_cast<Database&>(*this), fmt::format("SELECT name FROM pragma_table_info('{}')", table));
  std::vector<std::string> there;
  while (rows.next()) there.push_back(rows.text(0));
  return !there.empty() && std::all_of(columns.begin(), columns.end(), [&](std::string_view column) {
    return std::find(there.begin(), there.end(), column) != there.end();
  });
}

Database::Rows::Rows(Database& database, const std::string& sql) : statement_(std::make_unique<Statement>()) {
  statement_->database = &database;
  if (sqlite3_prepare_v2(database.handle_->db, sql.c_str(), -1, &statement_->statement, nullptr) != SQLITE_OK)
    database.fail();
}
Database::Rows::Rows(Rows&&) noexcept = default;
Database::Rows::~Rows() = default;

Database::Rows& Database::Rows::bind(int number, std::int64_t value) {
  sqlite3_bind_int64(statement_->statement, number, value);
  return *this;
}

Database::Rows& Database::Rows::restart() {
  sqlite3_reset(statement_->statement);
  return *this;
}

bool Database::Rows::next() {
  const int code = sqlite3_step(statement_->statement);
  if (code != SQLITE_ROW && code != SQLITE_DONE) statement_->database->fail();
  return code == SQLITE_ROW;
}

std::optional<std::int64_t> Database::Rows::integer(int column) const {
  if (sqlite3_column_type(statement_->statement, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_int64(statement_->statement, column);
}

std::string Database::Rows::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_->statement, column));
  return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_->statement, column)))
              : std::string();
}

}  // namespace gicsim::profile::detail
