// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traces/schedule/step.h"

namespace gicsim::schedule {

enum class Operation : std::uint8_t {
  all_reduce,
  reduce,
  reduce_scatter,
  all_gather,
  gather,
  scatter,
  broadcast,
  all_to_all,
  barrier
};
inline constexpr std::array<std::string_view, 9> operation_names{
    "all_reduce", "reduce", "reduce_scatter", "all_gather", "gather", "scatter", "broadcast", "all_to_all", "barrier"};
constexpr std::string_view name_of(Operation o) { return operation_names[static_cast<std::size_t>(o)]; }

/// Of all_reduce, reduce and broadcast. The others have one: reduce_scatter and all_gather a ring; gather, scatter and
/// all_to_all straight messages; barrier a dissemination.
enum class Algorithm : std::uint8_t { ring, tree };

/// Who takes part, by their ranks in the schedule.
struct Communicator {
  std::uint32_t id = 0;  ///< equal at all its ranks; no other has it
  std::vector<std::uint32_t> ranks;
};

struct Collective {
  Operation what = Operation::all_reduce;
  Algorithm how = Algorithm::ring;
  /// The whole vector: what each rank has at the end of an all_gather, at the begin of a reduce_scatter; what a rank of
  /// an all_to_all sends, its own share included. Shares differ by 1 B at most. Nothing is sent for a share of 0 B.
  Bytes bytes{};
  std::size_t root = 0;        ///< in the communicator
  std::uint64_t sequence = 0;  ///< which of the communicator's collectives, equal at all its ranks
  Bytes piece = 512_KiB;       ///< trees and chains are pipelined in pieces of this size
  std::size_t window = 0;  ///< sends, and receives, of a rank at once; 0: 8 as NCCL's slots, 64 of straight messages
  std::uint32_t lane = 0;  ///< of its steps
  /// all_to_all: what goes from one to another, by ranks in the communicator; none: equal shares.
  std::function<Bytes(std::size_t from, std::size_t to)> share{};
  std::string name{};
  std::uint64_t place = 0;
};

/// Equal at both ends of a message, different for collectives that can be under way at once. Below 2^31 for the first
/// 256 communicators. `part` keeps apart what one collective sends between the same two ranks in no fixed order.
constexpr std::int64_t collective_tag(std::uint32_t communicator, std::uint64_t sequence, unsigned part) {
  const auto low = static_cast<std::int64_t>((communicator & 0xff) << 22 | (sequence & 0xf'ffff) << 2 | part);
  return std::int64_t{1} << 30 | low | std::int64_t{communicator >> 8} << 31;
}

/// Share `index` of `count` of a vector: they add up, and differ by 1 B at most.
constexpr Bytes share_of(Bytes whole, std::size_t index, std::size_t count) {
  const auto upto = [&](std::size_t i) {
    const auto n = static_cast<detail::Wide>(whole.count()) * static_cast<std::int64_t>(i);
    return static_cast<std::int64_t>(n / static_cast<std::int64_t>(count));
  };
  return Bytes(upto(index + 1) - upto(index));
}

class Rounds;

/// What one rank does in one collective, step by step, in memory that depends on `window` alone. The first step is a
/// calc of no time that whatever comes before has to reach, the last one a calc of no time that needs all the others.
class Expansion {
 public:
  /// @param self   the rank in the communicator
  /// @param first  the number that the first step gets; the others follow, and needs are in these numbers
  Expansion(Collective collective, std::shared_ptr<const Communicator> communicator, std::size_t self,
            std::uint64_t first);
  Expansion(Expansion&&) noexcept;
  Expansion& operator=(Expansion&&) noexcept;
  ~Expansion();
  /// @return false: the step before was the last one
  bool next(Step& step);

 private:
  std::unique_ptr<Rounds> rounds_;
};

}  // namespace gicsim::schedule
