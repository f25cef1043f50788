// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "models/base/describe.h"
#include "models/units/text.h"
#include "scenarios/schema/block.h"
#include "scenarios/schema/hint.h"
#include "traces/result/names.h"

/// How each type of member is read, written, bounded. Templates behind Field's functions.
namespace gicsim::schema::detail {

template <class T>
std::vector<std::string> choices_of() {
  std::vector<std::string> names;
  if constexpr (std::is_enum_v<T>)
    for (const std::string_view name : names_of(T{})) names.emplace_back(name);
  if constexpr (std::is_same_v<T, Pattern>) names.resize(simulated_patterns);
  return names;
}

template <class T>
std::string written(const T& value) {
  if constexpr (std::is_same_v<T, std::string>)
    return value;
  else if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_enum_v<T>)
    return choices_of<T>()[static_cast<std::size_t>(value)];
  else
    return text::write(value);
}

/// What is wrong, or nothing.
template <class T>
std::string read(std::string_view given, T& value) {
  const std::string quoted = "'" + std::string(given) + "'";
  if constexpr (std::is_same_v<T, std::string>) {
    value = given;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (given != "true" && given != "false") return quoted + " is neither; write true or false";
    value = given == "true";
  } else if constexpr (std::is_enum_v<T>) {
    const std::vector<std::string> names = choices_of<T>();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != given) continue;
      value = static_cast<T>(i);
      return {};
    }
    return quoted + " is none of " + listed(names) + did_you_mean(given, names);
  } else {
    const text::Read<T> outcome = text::read<T>(given);
    if (!outcome.value) return outcome.wrong;
    value = *outcome.value;
  }
  return {};
}

template <class T>
constexpr std::int64_t raw(const T& value) {
  if constexpr (std::is_same_v<T, Picoseconds>)
    return value.count();
  else if constexpr (std::is_integral_v<T>)
    return value;
  else
    return value.raw();
}

template <class T>
std::string bounds_text(const Bounds<T>& bounds) {
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, bool> || std::is_enum_v<T>) {
    return {};
  } else {
    std::string range;
    if (bounds.low && bounds.high)
      range = written(*bounds.low) + " to " + written(*bounds.high);
    else if (bounds.low)
      range = "at least " + written(*bounds.low);
    return bounds.power_of_two ? "a power of two, " + range : range;
  }
}

template <class T>
bool inside(const T& value, const Bounds<T>& bounds) {
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, bool> || std::is_enum_v<T>) {
    return true;
  } else {
    if (bounds.low && raw(value) < raw(*bounds.low)) return false;
    if (bounds.high && raw(value) > raw(*bounds.high)) return false;
    return !bounds.power_of_two || (raw(value) > 0 && (raw(value) & (raw(value) - 1)) == 0);
  }
}

template <class T>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, Picoseconds>)
    return Type::time;
  else if constexpr (std::is_same_v<T, Bytes>)
    return Type::size;
  else if constexpr (std::is_same_v<T, BitRate>)
    return Type::rate;
  else if constexpr (std::is_same_v<T, LaneRate>)
    return Type::lane_rate;
  else if constexpr (std::is_same_v<T, Frequency>)
    return Type::frequency;
  else if constexpr (std::is_same_v<T, Cycles>)
    return Type::cycles;
  else if constexpr (std::is_same_v<T, Probability>)
    return Type::probability;
  else if constexpr (std::is_same_v<T, bool>)
    return Type::flag;
  else if constexpr (std::is_enum_v<T>)
    return Type::choice;
  else if constexpr (std::is_same_v<T, std::string>)
    return Type::word;
  else
    return Type::count;
}

/// Collects a block's fields; a member is found again by its distance from the block. One class for all kinds of blocks: its
/// functions are compiled once for each type of member.
class Collector {
 public:
  Collector(Block& block, const void* params) : block_(block), params_(static_cast<const char*>(params)) {}

  template <class T>
  void operator()(std::string_view name, T& member, std::string_view sentence, Source source,
                  Bounds<T> bounds = {}) {
    const auto offset = reinterpret_cast<const char*>(&member) - params_;
    Field field;
    field.name = name;
    field.sentence = sentence;
    field.source = source;
    field.type = type_of<T>();
    field.choices = choices_of<T>();
    field.bounds = bounds_text(bounds);
    if constexpr (!std::is_same_v<T, std::string> && !std::is_same_v<T, bool> &&
                  !std::is_enum_v<T>) {
      if (bounds.low) field.low = raw(*bounds.low);
      if (bounds.high) field.high = raw(*bounds.high);
    }
    if (!source.by_part) field.default_text = written(member);
    field.example = example(field, bounds, member);
    field.read = [offset, bounds](std::string_view text, void* params) -> std::string {
      T value{};
      if (std::string wrong = read(text, value); !wrong.empty()) return wrong;
      if (!inside(value, bounds))
        return "'" + std::string(text) + "' is out of range; write " + bounds_text(bounds);
      if (params) *reinterpret_cast<T*>(static_cast<char*>(params) + offset) = value;
      return {};
    };
    field.write = [offset](const void* params) {
      return written(*reinterpret_cast<const T*>(static_cast<const char*>(params) + offset));
    };
    block_.fields.push_back(std::move(field));
  }

 private:
  template <class T>
  static std::string example(const Field& field, const Bounds<T>& bounds, const T& initial) {
    if (!field.default_text.empty()) return field.default_text;
    if constexpr (std::is_same_v<T, std::string>)
      return "NAME";
    else if constexpr (std::is_same_v<T, bool>)
      return "true";
    else if constexpr (std::is_enum_v<T>)
      return choices_of<T>().front();
    else if constexpr (std::is_same_v<T, Count>)
      return written(initial != 0 ? initial : bounds.high.value_or(1));
    else {
      static constexpr std::string_view examples[] = {"15 ns",   "64 KiB",   "400 Gbps",
                                                      "32 GT/s", "1980 MHz", "375 cycles", "1e-4"};
      return std::string(examples[static_cast<int>(field.type)]);
    }
  }

  Block& block_;
  const char* params_;
};

template <class Params>
Block block(std::string_view kind, std::string_view sentence) {
  Block made{kind, sentence, {}};
  Params params{};
  describe(Collector(made, &params), params);
  return made;
}

}  // namespace gicsim::schema::detail
