// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/detail/cursor.h"

#include <fmt/format.h>

#include <algorithm>

namespace gicsim::schedule {
namespace {

bool is_digit(int c) { return c >= '0' && c <= '9'; }
bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_of_word(int c) { return is_letter(c) || is_digit(c) || c == '_'; }

constexpr int most_columns = 1'000'000'000;

std::string shown(int c) {
  return c > ' ' && c < 0x7f ? fmt::format("'{}'", static_cast<char>(c)) : fmt::format("the byte 0x{:02x}", c);
}

}  // namespace

Cursor::Cursor(File& file, const Extent& extent, std::size_t buffer)
    : file_(file),
      at_(extent.at),
      end_(extent.end),
      line_(extent.line),
      column_(extent.column),
      size_(static_cast<std::size_t>(std::min<std::uint64_t>(buffer, extent.end - extent.at))) {}

bool Cursor::fill() {
  const std::uint64_t left = end_ - at_;
  if (left == 0) return false;
  buffer_.resize(size_);
  used_ = 0;
  filled_ = file_.read(at_, buffer_.data(), static_cast<std::size_t>(std::min<std::uint64_t>(left, size_)));
  at_ += filled_;
  if (filled_ == 0) fail(line_, column_, "the file has become shorter while it was read");
  return true;
}

void Cursor::bump() {
  if (buffer_[used_++] == '\n') {
    ++line_;
    column_ = 1;
  } else if (column_ < most_columns) {
    ++column_;
  }
}

void Cursor::fail(std::uint64_t line, int column, const std::string& what) const {
  throw ConfigError(Location{file_.name(), line_of(line), column}, what);
}

/// Behind the first stroke.
void Cursor::skip_comment() {
  const std::uint64_t line = line_;
  const int column = column_ - 1;
  if (peek() == '/') {
    while (peek() != '\n' && peek() != nothing) bump();
    return;
  }
  if (peek() != '*') fail(line, column, "'/' begins no comment; write '// ...' or '/* ... */'");
  bump();
  for (bool star = false; peek() != nothing;) {
    const int c = peek();
    bump();
    if (star && c == '/') return;
    star = c == '*';
  }
  fail(line, column, "this comment has no end; write '*/' behind it");
}

template <class Belongs>
void Cursor::take(Token& token, Belongs belongs) {
  while (belongs(peek())) {
    const char* const begin = buffer_.data() + used_;
    const char* const end = std::find_if_not(begin, static_cast<const char*>(buffer_.data() + filled_),
                                             [&](char c) { return belongs(static_cast<unsigned char>(c)); });
    const auto n = static_cast<std::size_t>(end - begin);
    if (token.text.size() + n > longest) fail(token, fmt::format("a word of more than {} characters", longest));
    token.text.append(begin, n);
    used_ += n;
    column_ = std::min(column_ + static_cast<int>(n), most_columns);
  }
}

void Cursor::next(Token& token) {
  token.text.clear();
  for (int c = peek();; c = peek()) {
    if (c == '/') {
      bump();
      skip_comment();
    } else if (c == ' ' || c == '\t' || c == '\r') {
      bump();
    } else {
      break;
    }
  }
  token.line = line_;
  token.column = column_;
  const int c = peek();
  if (c == nothing) {
    token.kind = Token::Kind::end;
  } else if (is_letter(c)) {
    token.kind = Token::Kind::word;
    take(token, [](int c) { return is_of_word(c); });
  } else if (is_digit(c) || c == '-') {
    token.kind = Token::Kind::number;
    token.text = static_cast<char>(c);
    bump();
    take(token, [](int c) { return is_digit(c); });
  } else if (c == '\n' || c == ':' || c == '{' || c == '}') {
    token.kind = c == '\n' ? Token::Kind::newline : Token::Kind::symbol;
    token.text = static_cast<char>(c);
    bump();
  } else {
    fail(token, shown(c) + " means nothing in GOAL");
  }
}

bool Cursor::skip_block(const std::string& block) {
  while (peek() != nothing) {
    const char* const begin = buffer_.data() + used_;
    const char* const stop = std::find_if(begin, static_cast<const char*>(buffer_.data() + filled_),
                                          [](char c) { return c == '\n' || c == '}' || c == '{' || c == '/'; });
    column_ = static_cast<int>(std::min<std::ptrdiff_t>(column_ + (stop - begin), most_columns));
    used_ += static_cast<std::size_t>(stop - begin);
    if (used_ == filled_) continue;
    const char c = *stop;
    if (c == '{') fail(line_, column_, fmt::format("'{{' inside {}; its '}}' is missing", block));
    bump();
    if (c == '/') skip_comment();
    if (c == '}') return true;
  }
  return false;
}

}  // namespace gicsim::schedule
