// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "models/base/random.h"
#include "traces/schedule/detail/program.h"

namespace gicsim::schedule {
namespace {

using Words = std::array<std::uint32_t, 4>;

Words random(const Making& making, std::uint64_t dispatch, std::size_t from, std::size_t expert, std::uint32_t index) {
  return gicsim::detail::philox(
      {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(dispatch), static_cast<std::uint32_t>(expert),
       index},
      {static_cast<std::uint32_t>(making.seed), static_cast<std::uint32_t>(making.seed >> 32)});
}

/// How many of `flips` coins fall on heads.
std::int64_t heads(const Making& making, std::uint64_t dispatch, std::size_t from, std::size_t expert,
                   std::int64_t flips) {
  std::int64_t count = 0;
  for (std::uint32_t index = 1; flips > 0; ++index)
    for (const std::uint32_t word : random(making, dispatch, from, expert, index)) {
      const std::int64_t taken = std::min<std::int64_t>(flips, 32);
      if (taken > 0) count += std::popcount(taken == 32 ? word : word & ((1u << taken) - 1));
      flips -= taken;
    }
  return count;
}

/// A rank's choices are all made, and a token chooses no expert twice: experts share the mean in pairs that change with
/// each dispatch, and of a pair a coin decides for each.
std::int64_t tokens_of(const Making& making, std::uint64_t dispatch, std::size_t from, std::size_t expert) {
  const auto experts = static_cast<std::int64_t>(making.experts), tokens = static_cast<std::int64_t>(making.tokens);
  const std::int64_t choices = tokens * static_cast<std::int64_t>(making.top_k);
  const std::int64_t mean = choices / experts, rest = choices % experts;
  const Words turn = random(making, dispatch, from, 0, 0);
  const auto here = static_cast<std::int64_t>(expert);
  const std::int64_t more = (here + turn[0] % experts) % experts < rest ? 1 : 0;
  const std::int64_t other = (turn[1] % experts + experts - here) % experts;
  const std::int64_t swing = std::min(mean, tokens - mean - (rest > 0 ? 1 : 0));
  if (other == here || swing <= 0) return mean + more;
  const std::int64_t won = heads(making, dispatch, from, static_cast<std::size_t>(std::min(here, other)), 2 * swing);
  return mean - swing + (here < other ? won : 2 * swing - won) + more;
}

Bytes bytes_of(const Making& making, std::int64_t tokens) {
  const auto all = static_cast<gicsim::detail::Wide>(making.bytes.count()) * tokens;
  return Bytes{static_cast<std::int64_t>(all / static_cast<std::int64_t>(making.tokens))};
}

/// A layer is four phases: dense, to the experts, experts, back.
class Moe final : public Phases {
 public:
  Moe(const Making& making, std::shared_ptr<const Communicator> all, std::size_t rank)
      : Phases(std::move(all), rank), making_(making) {}

 private:
  std::optional<Phase> phase(std::uint64_t index) override {
    const std::uint64_t dispatch = index / 4;
    if (dispatch >= making_.iterations * making_.layers) return std::nullopt;
    if (index % 4 == 0) return Compute{making_.compute, "dense"};
    if (index % 4 == 2) return Compute{experts_time(dispatch), "experts"};
    const bool back = index % 4 == 3;
    Collective collective;
    collective.what = Operation::all_to_all;
    collective.sequence = dispatch * 2 + (back ? 1 : 0);
    collective.name = back ? "combine" : "dispatch";
    collective.share = [making = making_, dispatch, back](std::size_t from, std::size_t to) {
      return bytes_of(making,
                      back ? tokens_between(making, dispatch, to, from) : tokens_between(making, dispatch, from, to));
    };
    return collective;
  }
  Picoseconds experts_time(std::uint64_t dispatch) const {
    gicsim::detail::Wide tokens = 0;
    if (making_.compute == Picoseconds{0}) return Picoseconds{0};
    for (std::size_t from = 0; from < making_.ranks; ++from) tokens += tokens_between(making_, dispatch, from, rank());
    const auto mean = static_cast<std::int64_t>(making_.tokens * making_.top_k);
    return Picoseconds{static_cast<std::int64_t>(tokens * making_.compute.count() / mean)};
  }

  Making making_;
};

}  // namespace

/// Expert e lives on rank e modulo ranks.
std::int64_t tokens_between(const Making& making, std::uint64_t dispatch, std::size_t from, std::size_t to) {
  std::int64_t tokens = 0;
  for (std::size_t expert = to; expert < making.experts; expert += making.ranks)
    tokens += tokens_of(making, dispatch, from, expert);
  return tokens;
}

std::unique_ptr<Program> moe_program(const Making& making, std::shared_ptr<const Communicator> all, std::size_t rank) {
  return std::make_unique<Moe>(making, std::move(all), rank);
}

}  // namespace gicsim::schedule
