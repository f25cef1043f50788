// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "traces/tlp/record.h"

namespace gicsim::tlp {

inline constexpr std::string_view log_magic = "# gicsim.tlp_log/1";

/// Our own log, line by line. Message codes and which atomic it is don't stand there.
class Log final : public Source {
 public:
  /// @throws ConfigError when it isn't one
  Log(std::istream& in, std::string file);
  bool next(Record& record) override;
  std::string note() const override { return note_; }
  std::string format() const override { return "gicsim.tlp_log/1"; }

 private:
  bool line();
  [[noreturn]] void fail(std::size_t cell, const std::string& what) const;
  Picoseconds time(std::size_t cell) const;
  std::uint64_t number(std::size_t cell, int base, std::uint64_t most) const;
  void flags(Record& record, std::size_t cell) const;

  std::istream& in_;
  std::string file_, line_, note_;
  int number_ = 0;
  std::vector<std::string_view> cells_;
};

}  // namespace gicsim::tlp
