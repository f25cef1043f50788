// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gicsim::profile::detail {

/// An SQLite file that is only read. Whatever goes wrong is a ConfigError that names it.
class Database {
 public:
  explicit Database(std::string file);
  ~Database();

  const std::string& file() const { return file_; }
  /// Whether a table has all of these columns.
  bool has(std::string_view table, const std::vector<std::string_view>& columns = {}) const;
  /// Statements without a result.
  void run(const std::string& sql);

  /// Rows of a question, one at a time.
  class Rows {
   public:
    Rows(Database& database, const std::string& sql);
    Rows(Rows&&) noexcept;
    ~Rows();
    Rows& bind(int number, std::int64_t value);  ///< from 1
    Rows& restart();
    bool next();
    std::optional<std::int64_t> integer(int column) const;  ///< from 0; none: NULL
    std::string text(int column) const;

   private:
    struct Statement;
    std::unique_ptr<Statement> statement_;
  };

 private:
  struct Handle;
  [[noreturn]] void fail() const;

  std::string file_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace gicsim::profile::detail
