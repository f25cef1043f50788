// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/captures/habits.h"

#include <charconv>
#include <type_traits>

#include "models/base/errors.h"

namespace gicsim::captures {
namespace {

[[noreturn]] void wrong(const std::string& what) { throw ConfigError(Location{"gicsim"}, "--set: " + what); }

/// Visits the parameters, and sets the one of that name.
struct Setter {
  std::string key, value, known;
  bool found = false;

  template <class T, class... Limits>
  void operator()(std::string_view name, T& member, std::string_view, const Source&, const Limits&... limits) {
    if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool> || std::is_same_v<T, Count>) {
      known += (known.empty() ? "" : ", ") + std::string(name);
      if (name != key) return;
      found = true;
      assign(member);
      if constexpr (std::is_same_v<T, Count>) (check(member, limits), ...);
    }
  }

 private:
  template <class T>
  void assign(T& member) {
    if constexpr (std::is_enum_v<T>) {
      std::string all;
      std::size_t i = 0;
      for (const std::string_view word : names_of(T{})) {
        if (word == value) return void(member = static_cast<T>(i));
        all += (all.empty() ? "" : " or ") + std::string(word);
        ++i;
      }
      wrong(key + ": '" + value + "' isn't known; write " + all);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (value != "true" && value != "false") wrong(key + ": '" + value + "'; write true or false");
      member = value == "true";
    } else {
      const char* const end = value.data() + value.size();
      if (const auto read = std::from_chars(value.data(), end, member); read.ec != std::errc() || read.ptr != end)
        wrong(key + ": '" + value + "' is no count");
    }
  }
  void check(Count member, const Bounds<Count>& bounds) const {
    if ((bounds.low && member < *bounds.low) || (bounds.high && member > *bounds.high))
      wrong(key + ": " + value + " is out of bounds");
  }
};

}  // namespace

void set(nic::TransportParams& transport, const std::string& habit) {
  const std::size_t equals = habit.find('=');
  if (equals == std::string::npos) wrong("'" + habit + "' has no value; write KEY=VALUE");
  Setter setter{habit.substr(0, equals), habit.substr(equals + 1), {}};
  describe(setter, transport);
  if (!setter.found) wrong("'" + setter.key + "' isn't a habit; there are " + setter.known);
}

}  // namespace gicsim::captures
