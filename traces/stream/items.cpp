// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/stream/items.h"

#include <fmt/format.h>

namespace gicsim::stream {
namespace {

bool is_space(int c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool ends_word(int c) { return is_space(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == Input::end; }

}  // namespace

int Items::skip_space() {
  while (is_space(in_.peek())) in_.get();
  return in_.peek();
}

void Items::unexpected(int c, const char* wanted) const {
  if (c == Input::end) in_.cut_off("JSON");
  in_.fail(in_.position(), c >= ' ' && c < 127 ? fmt::format("'{}' where {} is expected", static_cast<char>(c), wanted)
                                               : fmt::format("0x{:02x} where {} is expected", c, wanted));
}

/// A string from its first quote to its last.
void Items::read_string(std::string& text, std::uint64_t from) {
  text += static_cast<char>(in_.get());
  for (int c = in_.get(); c != '"'; c = in_.get()) {
    if (c == Input::end) in_.cut_off(fmt::format("a string that begins at byte {}", from));
    text += static_cast<char>(c);
    if (c == '\\') text += static_cast<char>(in_.peek() == Input::end ? '\\' : in_.get());
    if (text.size() > largest) in_.fail(from, fmt::format("a value of more than {} MiB", largest >> 20));
  }
  text += '"';
}

/// A value, whatever lies inside of it.
void Items::read(Item& item) {
  item.at = in_.position();
  item.text.clear();
  int c = in_.peek();
  if (c == '"') return read_string(item.text, item.at);
  if (c != '{' && c != '[') {
    while (!ends_word(in_.peek()) && item.text.size() <= largest) item.text += static_cast<char>(in_.get());
    if (item.text.empty()) unexpected(c, "a value");
    return;
  }
  std::size_t depth = 0;
  do {
    c = in_.peek();
    if (c == Input::end) in_.cut_off(fmt::format("a value that begins at byte {}", item.at));
    if (c == '"') {
      read_string(item.text, in_.position());
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    item.text += static_cast<char>(in_.get());
    if (item.text.size() > largest) in_.fail(item.at, fmt::format("a value of more than {} MiB", largest >> 20));
  } while (depth > 0);
}

bool Items::next_element(Item& item) {
  int c = skip_space();
  if (!first_ && c == ',') {
    in_.get();
    c = skip_space();
  } else if (!first_ && c != ']') {
    unexpected(c, "',' or ']'");
  }
  first_ = false;
  if (c == ']') {  // also behind a comma: profilers end like that
    in_.get();
    state_ = state_ == In::member_list ? In::object : In::done;
    return false;
  }
  read(item);
  item.key = key_;
  item.element = true;
  return true;
}

/// @return false: it was the end of the object, or the begin of a list
bool Items::next_member(Item& item) {
  int c = skip_space();
  if (!first_ && c == ',') {
    in_.get();
    c = skip_space();
  } else if (!first_ && c != '}') {
    unexpected(c, "',' or '}'");
  }
  first_ = false;
  if (c == '}') {
    in_.get();
    state_ = In::done;
    return false;
  }
  if (c != '"') unexpected(c, "a name in quotes");
  const std::uint64_t at = in_.position();
  std::string quoted;
  read_string(quoted, at);
  key_ = parse_value(quoted, in_.file(), at).text;
  if (c = skip_space(); c != ':') unexpected(c, "':'");
  in_.get();
  if (skip_space() == '[') {
    in_.get();
    state_ = In::member_list;
    first_ = true;
    return false;
  }
  read(item);
  item.key = key_;
  item.element = false;
  return true;
}

bool Items::next(Item& item) {
  if (in_.position() == 0 && in_.head(3) == "\xef\xbb\xbf")
    for (int i = 0; i < 3; ++i) in_.get();
  if (of_ == Of::values) {
    if (skip_space() == Input::end) return false;
    read(item);
    return true;
  }
  for (;;) {
    switch (state_) {
      case In::nothing: {
        const int c = skip_space();
        if (c != '{' && c != '[') unexpected(c, "'{' or '['");
        in_.get();
        state_ = c == '{' ? In::object : In::list;
        break;
      }
      case In::object:
        if (next_member(item)) return true;
        break;
      case In::list:
      case In::member_list:
        if (next_element(item)) return true;
        if (state_ == In::object) first_ = false;
        break;
      case In::done:
        if (const int c = skip_space(); c != Input::end) unexpected(c, "the end of the file");
        return false;
    }
  }
}

}  // namespace gicsim::stream
