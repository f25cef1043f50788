// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/stream/input.h"
#include "traces/stream/value.h"

namespace gicsim::stream {

/// Part of a JSON file that is small enough to be held.
struct Item {
  std::string key;       ///< of the outermost object's member that it is, or is an element of
  bool element = false;  ///< of a list
  std::string text;
  std::uint64_t at = 0;  ///< octet at which it begins
};

/// JSON of any size, cut into values that are held one at a time. Only brackets and quotes are looked at, so what
/// nobody asks for is skipped at the speed of reading.
class Items {
 public:
  enum class Of : std::uint8_t {
    members,  ///< of one object, or list: its members, and of those that are lists each element
    values    ///< one value behind another, whole
  };
  static constexpr std::size_t largest = std::size_t{64} << 20;

  Items(Input& in, Of of) : in_(in), of_(of) {}
  /// @return false at the end of the file
  /// @throws ConfigError, with the octet, for what is cut off or can't be
  bool next(Item& item);
  Value parse(const Item& item) const { return parse_value(item.text, in_.file(), item.at); }

 private:
  enum class In : std::uint8_t { nothing, object, list, member_list, done };

  int skip_space();
  void read(Item& item);
  void read_string(std::string& text, std::uint64_t from);
  bool next_member(Item& item);
  bool next_element(Item& item);
  [[noreturn]] void unexpected(int c, const char* wanted) const;

  Input& in_;
  Of of_;
  In state_ = In::nothing;
  bool first_ = true;
  std::string key_;
};

}  // namespace gicsim::stream
