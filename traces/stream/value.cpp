// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/stream/value.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "models/base/errors.h"

namespace gicsim::stream {
namespace {

constexpr std::size_t deepest = 64;

/// What nlohmann's parser announces, as a tree of values.
class Builder {
 public:
  using json = nlohmann::json;

  bool null() { return put(Value::Kind::null, "null"); }
  bool boolean(bool v) { return put(Value::Kind::boolean, v ? "true" : "false"); }
  bool number_integer(json::number_integer_t v) { return put(Value::Kind::number, std::to_string(v)); }
  bool number_unsigned(json::number_unsigned_t v) { return put(Value::Kind::number, std::to_string(v)); }
  bool number_float(json::number_float_t, const std::string& text) { return put(Value::Kind::number, text); }
  bool string(std::string& text) { return put(Value::Kind::text, std::move(text)); }
  bool binary(json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Value::Kind::object); }
  bool start_array(std::size_t) { return open(Value::Kind::list); }
  bool key(std::string& name) {
    name_ = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception& error) {
    at_ = at > 0 ? at - 1 : 0;
    why_ = error.what();
    if (const auto colon = why_.rfind("; last read"); colon != why_.npos) why_.resize(colon);
    if (const auto told = why_.find(": "); told != why_.npos) why_.erase(0, told + 2);
    return false;
  }

  Value root;
  std::size_t at_ = 0;
  std::string why_;

 private:
  Value& add(Value::Kind kind) {
    Value& value = open_.empty() ? root : open_.back()->values.emplace_back();
    value.kind = kind;
    value.name = std::move(name_);
    name_.clear();
    return value;
  }
  bool put(Value::Kind kind, std::string text) {
    add(kind).text = std::move(text);
    return true;
  }
  bool open(Value::Kind kind) {
    if (open_.size() == deepest) {
      why_ = fmt::format("nested more than {} deep", deepest);
      return false;
    }
    open_.push_back(&add(kind));  // what lies above gets no other member before this one is closed
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string name_;
  std::vector<Value*> open_;
};

/// Without one pair of quotes around it.
std::string_view bare(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

}  // namespace

const Value* Value::find(std::string_view member) const {
  if (kind == Kind::object)
    for (const Value& value : values)
      if (value.name == member) return &value;
  return nullptr;
}

std::optional<std::int64_t> Value::integer() const {
  if (kind != Kind::number && kind != Kind::text) return std::nullopt;
  const std::string_view digits = bare(text);
  std::int64_t n = 0;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view behind = digits.substr(static_cast<std::size_t>(rest - digits.data()));
  if (!behind.empty() && (behind[0] != '.' || behind.find_first_not_of('0', 1) != behind.npos)) return std::nullopt;
  return n;
}

std::optional<bool> Value::boolean() const {
  if (kind == Kind::boolean) return text == "true";
  if (const auto n = integer()) return *n != 0;
  return std::nullopt;
}

std::string_view Value::word() const {
  return kind == Kind::text || kind == Kind::number ? bare(text) : std::string_view{};
}

std::optional<Picoseconds> Value::time(Picoseconds unit) const {
  if (kind != Kind::number && kind != Kind::text) return std::nullopt;
  return parse_time(bare(text), unit);
}

std::optional<std::int64_t> integer_of(const Value& of, std::string_view member) {
  const Value* value = of.find(member);
  return value ? value->integer() : std::nullopt;
}

std::string_view word_of(const Value& of, std::string_view member) {
  const Value* value = of.find(member);
  return value ? value->word() : std::string_view{};
}

std::optional<Picoseconds> time_of(const Value& of, std::string_view member, Picoseconds unit) {
  const Value* value = of.find(member);
  return value ? value->time(unit) : std::nullopt;
}

std::optional<Picoseconds> parse_time(std::string_view decimal, Picoseconds unit) {
  const bool negative = !decimal.empty() && decimal.front() == '-';
  if (negative) decimal.remove_prefix(1);
  detail::Wide digits = 0, scale = 1;
  int exponent = 0;
  bool fraction = false, any = false;
  std::size_t i = 0;
  for (; i < decimal.size(); ++i) {
    const char c = decimal[i];
    if (c == '.' && !fraction) {
      fraction = true;
    } else if (c >= '0' && c <= '9') {
      any = true;
      if (fraction && scale >= 1'000'000'000'000) continue;  // past a picosecond, whatever the unit
      digits = digits * 10 + (c - '0');
      if (fraction) scale *= 10;
      if (digits / scale > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    } else {
      break;
    }
  }
  if (!any) return std::nullopt;
  if (i < decimal.size()) {
    if (decimal[i] != 'e' && decimal[i] != 'E') return std::nullopt;
    std::string_view rest = decimal.substr(i + 1);
    if (!rest.empty() && rest.front() == '+') rest.remove_prefix(1);
    const auto [behind, error] = std::from_chars(rest.data(), rest.data() + rest.size(), exponent);
    if (error != std::errc{} || behind != rest.data() + rest.size() || exponent > 18 || exponent < -18)
      return std::nullopt;
  }
  for (; exponent > 0; --exponent) {
    digits *= 10;
    if (digits / scale > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  }
  for (; exponent < 0; ++exponent) digits /= 10;
  const detail::Wide whole = digits / scale, part = digits % scale;
  const detail::Wide ps = whole * unit.count() + (part * unit.count() + scale / 2) / scale;
  if (ps > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return Picoseconds{static_cast<std::int64_t>(negative ? -ps : ps)};
}

Value parse_value(std::string_view text, const std::string& file, std::uint64_t at) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
    throw ConfigError(Location{file}, fmt::format("byte {}: {}", at + builder.at_, builder.why_));
  return std::move(builder.root);
}

}  // namespace gicsim::stream
