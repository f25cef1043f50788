// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/result/detail/json.h"

#include <charconv>
#include <cstdint>

namespace gicsim::detail {
namespace {

constexpr int deepest = 32;  // a record needs two; deeper nesting must not use up the stack

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&out](std::uint32_t b) { out += static_cast<char>(b); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6U);
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12U);
    byte(0x80 | (code >> 6U & 0x3F));
  } else {
    byte(0xF0 | code >> 18U);
    byte(0x80 | (code >> 12U & 0x3F));
    byte(0x80 | (code >> 6U & 0x3F));
  }
  byte(0x80 | (code & 0x3F));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Json whole() {
    Json value = any(0);
    skip_blanks();
    if (at_ != text_.size()) fail("nothing may follow the value");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw JsonError("column " + std::to_string(at_ + 1) + ": " + what);
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void skip_blanks() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  Json any(int depth) {
    if (depth > deepest) fail("nested too deep");
    skip_blanks();
    const char c = peek();
    if (c == '{') return object(depth);
    if (c == '[') return array(depth);
    if (c == '"') return {Json::Kind::text, quoted(), {}};
    if (c == '-' || (c >= '0' && c <= '9')) return number();
    for (const std::string_view word : {"null", "true", "false"}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return {word == "null" ? Json::Kind::null : Json::Kind::boolean, std::string(word), {}};
    }
    fail("a value is missing");
  }

  Json object(int depth) {
    Json value{Json::Kind::object, {}, {}};
    ++at_;
    skip_blanks();
    if (take('}')) return value;
    do {
      skip_blanks();
      if (peek() != '"') fail("a name in quotes is missing");
      std::string name = quoted();
      if (value.find(name) != nullptr) fail("'" + name + "' is given twice");
      skip_blanks();
      if (!take(':')) fail("':' is missing after '" + name + "'");
      Json member = any(depth + 1);
      value.members.emplace_back(std::move(name), std::move(member));
      skip_blanks();
    } while (take(','));
    if (!take('}')) fail("'}' is missing");
    return value;
  }

  Json array(int depth) {
    Json value{Json::Kind::array, {}, {}};
    ++at_;
    skip_blanks();
    if (take(']')) return value;
    do {
      value.members.emplace_back(std::string(), any(depth + 1));
      skip_blanks();
    } while (take(','));
    if (!take(']')) fail("']' is missing");
    return value;
  }

  void digits() {
    const std::size_t first = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    if (at_ == first) fail("a digit is missing");
  }

  Json number() {
    const std::size_t first = at_;
    take('-');
    if (!take('0')) digits();
    if (take('.')) digits();
    if (take('e') || take('E')) {
      if (!take('-')) take('+');
      digits();
    }
    return {Json::Kind::number, std::string(text_.substr(first, at_ - first)), {}};
  }

  std::uint32_t four_hex() {
    std::uint32_t code = 0;
    const char* first = text_.data() + at_;
    const std::size_t left = text_.size() - at_;
    const auto [end, error] = std::from_chars(first, first + (left < 4 ? left : 4), code, 16);
    if (error != std::errc() || end != first + 4) fail("four hexadecimal digits are missing");
    at_ += 4;
    return code;
  }

  void escape(std::string& out) {
    constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    const char c = peek();
    if (const std::size_t i = letters.find(c); c != '\0' && i != std::string_view::npos) {
      ++at_;
      out += meant[i];
      return;
    }
    if (!take('u')) fail("no such escape");
    std::uint32_t code = four_hex();
    if (code >= 0xD800 && code < 0xDC00) {
      if (!take('\\') || !take('u')) fail("half of a surrogate pair");
      const std::uint32_t low = four_hex();
      if (low < 0xDC00 || low > 0xDFFF) fail("half of a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
      fail("half of a surrogate pair");
    }
    append_utf8(out, code);
  }

  std::string quoted() {
    std::string out;
    ++at_;
    while (true) {
      if (at_ >= text_.size()) fail("the closing quote is missing");
      if (take('"')) return out;
      if (take('\\')) {
        escape(out);
      } else if (static_cast<unsigned char>(peek()) < 0x20) {
        fail("a control character in quotes; write it as \\u00XX");
      } else {
        out += text_[at_++];
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Json parse_json(std::string_view text) { return Parser(text).whole(); }

}  // namespace gicsim::detail
