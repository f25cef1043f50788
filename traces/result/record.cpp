// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/result/record.h"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace gicsim {
namespace {

void append_quoted(std::string& line, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  line += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
        line += "\\\"";
        break;
      case '\\':
        line += "\\\\";
        break;
      case '\n':
        line += "\\n";
        break;
      case '\t':
        line += "\\t";
        break;
      case '\r':
        line += "\\r";
        break;
      default:
        if (byte >= 0x20) {
          line += c;
        } else {
          line += "\\u00";
          line += hex[byte >> 4U];
          line += hex[byte & 0xFU];
        }
    }
  }
  line += '"';
}

template <class Number>
void append_number(std::string& line, Number number) {
  std::array<char, 32> digits{};  // the longest double, -2.2250738585072014e-308, has 24
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  line.append(digits.data(), end);
}

void append_key(std::string& line, std::string_view key) {
  if (line.back() != '{') line += ',';
  append_quoted(line, key);
  line += ':';
}

void append(std::string& line, std::string_view key, std::string_view text) {
  append_key(line, key);
  append_quoted(line, text);
}

void append(std::string& line, std::string_view key, double number) {
  if (!std::isfinite(number))
    throw std::domain_error("record: " + std::string(key) + " is not a finite number");
  append_key(line, key);
  append_number(line, number);
}

void append(std::string& line, std::string_view key, std::int64_t number) {
  append_key(line, key);
  append_number(line, number);
}

void append(std::string& line, std::string_view key, const std::optional<double>& number) {
  if (number) return append(line, key, *number);
  append_key(line, key);
  line += "null";
}

}  // namespace

std::string to_json_line(const Record& record) {
  std::string line = "{";
  append(line, "schema", std::string_view("gicsim.result/1"));
  append(line, "origin", to_name(record.origin));
  append(line, "system", std::string_view(record.system));
  append(line, "pattern", to_name(record.pattern));
  append(line, "path", to_name(record.path));
  append_key(line, "where");
  line += '{';
  for (const auto& [key, plain] : record.where) {
    if (const auto* number = std::get_if<std::int64_t>(&plain))
      append(line, key, *number);
    else
      append(line, key, std::string_view(std::get<std::string>(plain)));
  }
  line += '}';
  append(line, "quantity", to_name(record.quantity));
  append(line, "unit", unit_of(record.quantity));
  append(line, "value", record.value);
  append(line, "p50", record.p50);
  append(line, "p99", record.p99);
  append(line, "min", record.min);
  append(line, "max", record.max);
  append(line, "n", record.n);
  append(line, "source", std::string_view(record.source));
  if (record.repeats) {
    append_key(line, "repeats");
    line += '{';
    append(line, "clock", std::string_view(record.repeats->clock));
    append(line, "count", record.repeats->count);
    append(line, "low", record.repeats->low);
    append(line, "high", record.repeats->high);
    line += '}';
  }
  return line + "}";
}

}  // namespace gicsim
