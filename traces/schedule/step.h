// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/bytes.h"
#include "models/units/time.h"

/// What ranks do, one operation a record, whatever format it was written in.
namespace gicsim::schedule {

/// calc: nothing but time. send and recv are two sides of one message; of the others the peer does nothing.
enum class Action : std::uint8_t { calc, send, recv, put, get, fetch_add, compare_swap };
inline constexpr std::array<std::string_view, 7> action_names{"calc", "send", "recv", "put", "get", "fetch_add",
                                                              "compare_swap"};
constexpr std::string_view name_of(Action a) { return action_names[static_cast<std::size_t>(a)]; }
constexpr bool is_message(Action a) { return a != Action::calc && a != Action::recv; }

inline constexpr std::uint32_t any_rank = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::int64_t any_tag = -1;

/// A step of the same rank that has to come first.
struct Need {
  enum class Until : std::uint8_t { ended, issued, started };  ///< issued: the call that posts it has returned
  std::uint64_t step = 0;
  Until until = Until::ended;
  friend bool operator==(const Need&, const Need&) = default;
};

/// One thing that a rank does. Steps of a rank are numbered in the order in which its source gives them, from 0; needs may
/// point ahead, by less than the source's reach.
struct Step {
  std::uint64_t number = 0;
  Action action = Action::calc;
  std::uint32_t peer = any_rank;  ///< of a recv: or any
  std::int64_t tag = 0;           ///< of send and recv; of a recv: or any
  Bytes bytes{};
  Picoseconds time{};             ///< of a calc: how long
  Picoseconds gap{};              ///< between what it needs and its begin
  std::uint32_t lane = 0;         ///< calcs of one rank and lane don't overlap; of a message: its queue pair
  std::vector<Need> needs;
  std::optional<Picoseconds> began, ended;  ///< as captured, since the capture's begin
  std::string name;               ///< of a kernel, a label; may be empty
  std::uint64_t place = 0;        ///< line or octet of its file
  friend bool operator==(const Step&, const Step&) = default;
};

}  // namespace gicsim::schedule
