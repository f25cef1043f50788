// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gicsim::hw {

/// One JSON object on one line, field by field.
class JsonLine {
 public:
  explicit JsonLine(std::string_view schema) { text("schema", schema); }
  JsonLine& text(std::string_view key, std::string_view value) {
    name(key);
    quote(value);
    return *this;
  }
  JsonLine& number(std::string_view key, long long value) { return raw(key, std::to_string(value)); }
  JsonLine& raw(std::string_view key, std::string_view json) {
    name(key);
    line_ += json;
    return *this;
  }
  std::string str() const { return line_ + "}"; }

 private:
  void name(std::string_view key) {
    if (line_.size() > 1) line_ += ',';
    quote(key);
    line_ += ':';
  }
  void quote(std::string_view value) {
    static constexpr char hex[] = "0123456789abcdef";
    line_ += '"';
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') (line_ += '\\') += c;
      else if (byte < 0x20) ((line_ += "\\u00") += hex[byte >> 4U]) += hex[byte & 15U];
      else line_ += c;
    }
    line_ += '"';
  }

  std::string line_ = "{";
};

}  // namespace gicsim::hw
