// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/tlp/log.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "models/base/errors.h"
#include "models/protocol/stage.h"

namespace gicsim::tlp {
namespace {

constexpr std::array<std::string_view, 12> columns = {"time_ns", "link", "direction", "type", "requester", "tag",
                                                      "address", "length", "last", "stage", "sent_ns", "flags"};
enum Column : std::size_t {
  time_ns,
  link,
  direction,
  type,
  requester,
  tag,
  address,
  length,
  last,
  stage,
  sent_ns,
  flag
};
constexpr std::size_t longest = 1024;  ///< a line of it

std::string said(std::string_view text) { return "'" + std::string(text.substr(0, 40)) + "'"; }

}  // namespace

Log::Log(std::istream& in, std::string file) : in_(in), file_(std::move(file)) {
  if (!line() || !std::string_view(line_).starts_with(log_magic))
    throw ConfigError(Location{file_, 1, 1}, "doesn't begin with '" + std::string(log_magic) + "'");
  if (!line() || !std::equal(cells_.begin(), cells_.end(), columns.begin(), columns.end()))
    throw ConfigError(Location{file_, 2, 1}, "isn't the line of column names: time_ns, link, ..");
}

/// @return false at the end of the file
bool Log::line() {
  line_.clear();
  ++number_;
  for (int c = in_.get(); c != '\n'; c = in_.get()) {
    if (c == std::istream::traits_type::eof()) {
      if (line_.empty()) return false;
      throw ConfigError(Location{file_, number_, static_cast<int>(line_.size()) + 1},
                        "the file ends inside a line; it was cut off");
    }
    if (line_.size() == longest)
      throw ConfigError(Location{file_, number_, 1}, "a line of more than " + std::to_string(longest) + " characters");
    line_ += static_cast<char>(c);
  }
  cells_.clear();
  for (std::size_t from = 0, to = 0; to != line_.npos; from = to + 1) {
    to = line_.find('\t', from);
    cells_.push_back(std::string_view(line_).substr(from, to == line_.npos ? to : to - from));
  }
  return true;
}

void Log::fail(std::size_t cell, const std::string& what) const {
  const auto column = static_cast<int>(cells_[cell].data() - line_.data()) + 1;
  throw ConfigError(Location{file_, number_, column}, std::string(columns[cell]) + ": " + what);
}

std::uint64_t Log::number(std::size_t cell, int base, std::uint64_t most) const {
  std::string_view text = cells_[cell];
  if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (wrong != std::errc{} || end != text.data() + text.size() || value > most)
    fail(cell, said(cells_[cell]) + " is no number that fits");
  return value;
}

/// Three decimals: picoseconds.
Picoseconds Log::time(std::size_t cell) const {
  const std::string_view text = cells_[cell];
  const std::size_t dot = text.find('.');
  std::int64_t whole = 0, part = 0;
  const auto digits = [](std::string_view number, std::int64_t& value) {
    const auto [end, wrong] = std::from_chars(number.data(), number.data() + number.size(), value);
    return !number.starts_with('-') && wrong == std::errc{} && end == number.data() + number.size();
  };
  if (dot == text.npos || text.size() != dot + 4 || !digits(text.substr(0, dot), whole) ||
      !digits(text.substr(dot + 1), part) || whole >= Picoseconds::max().count() / 1000)
    fail(cell, said(text) + " isn't a time in ns with three decimals");
  return Picoseconds{whole * 1000 + part};
}

void Log::flags(Record& r, std::size_t cell) const {
  std::string_view text = cells_[cell];
  if (text == "-") return;
  for (std::size_t comma = 0; comma != text.npos; text.remove_prefix(comma == text.npos ? 0 : comma + 1)) {
    comma = text.find(',');
    const std::string_view one = text.substr(0, comma);
    if (one == "RO") r.relaxed = true;
    else if (one == "IDO") r.by_id = true;
    else if (one == "EP") r.poisoned = true;
    else if (one == "AT=request") r.address_type = AddressType::translation_request;
    else if (one == "AT=translated") r.address_type = AddressType::translated;
    else if (one == name_of(CompletionStatus::unsupported)) r.status = CompletionStatus::unsupported;
    else if (one == name_of(CompletionStatus::abort)) r.status = CompletionStatus::abort;
    else if (one == name_of(CompletionStatus::timed_out)) r.status = CompletionStatus::timed_out;
    else fail(cell, said(one) + " is no flag");
  }
}

bool Log::next(Record& r) {
  do {
    if (!line()) return false;
    if (line_.starts_with("# cut")) note_ = line_.substr(2);
  } while (line_.starts_with('#'));
  if (cells_.size() != columns.size())
    throw ConfigError(Location{file_, number_, 1},
                      std::to_string(cells_.size()) + " columns; a TLP has " + std::to_string(columns.size()));
  r = Record{};
  r.begin = time(time_ns), r.end = time(sent_ns);
  r.link = cells_[link];
  if (cells_[direction] == "up") r.direction = Direction::up;
  else if (cells_[direction] == "down") r.direction = Direction::down;
  else if (cells_[direction] != "-") fail(direction, said(cells_[direction]) + "; write up, down or -");
  const std::string_view kind = cells_[type];
  if (kind == "MWr") r.kind = TlpKind::write;
  else if (kind == "MRd") r.kind = TlpKind::read;
  else if (kind == "CplD" || kind == "Cpl") r.kind = TlpKind::completion;
  else if (kind == "AtomicOp") r.kind = TlpKind::atomic;
  else if (kind == "Msg") r.kind = TlpKind::message;
  else fail(type, said(kind) + " is no type; write MWr, MRd, CplD, Cpl, AtomicOp or Msg");
  r.requester = static_cast<RequesterId>(number(requester, 16, 0xffff));
  if (cells_[tag] != "-") r.tag = static_cast<std::uint16_t>(number(tag, 10, 0xffff));
  else if (flow_of(r.kind) != Flow::posted) fail(tag, "'-', but a " + std::string(kind) + " has one");
  r.address = number(address, 16, ~std::uint64_t{0});
  r.length = Bytes(static_cast<std::int64_t>(number(length, 10, 1 << 20)));
  if (cells_[last] != "0" && cells_[last] != "1") fail(last, said(cells_[last]) + "; write 0 or 1");
  r.last = cells_[last] == "1";
  if (cells_[stage] != "-") r.stage = cells_[stage];
  flags(r, flag);
  return true;
}

}  // namespace gicsim::tlp
